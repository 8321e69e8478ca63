"""How near bodies came to each other in a run, as it was judged on their motions in closed form."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.experimental_frames.instruments.approach.approaches import Approach, sentence


class Approached(Struct, frozen=True):
    """What there is to be said of it; lengths in m.

    Attributes:
        limit: an approach that is closer is dangerous
        between_robots: the smallest distance of two robots' bodies, edge to edge; infinite, if there is one robot
        dangers: how often a body came closer than the limit to another thing; collisions count too
        collisions: how often a body came to touch another thing
        worst: the closest approach that nothing allows; None if there is none within the limit
        allowed: why the case study allows others, if there were some
    """

    limit: float
    between_robots: float
    dangers: int
    collisions: int
    worst: Approach | None = None
    allowed: tuple[str, ...] = ()

    def verdict(self) -> str | None:
        """The worst approach that nothing allows as a sentence, or None if there was none within the limit."""
        return None if self.worst is None else sentence(self.worst, self.limit, self.dangers, self.collisions)
