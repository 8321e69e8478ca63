"""How a robot goes about carrying: the numbers of its behaviour tree."""

from __future__ import annotations

from msgspec import Struct


class CarryRules(Struct, frozen=True):
    """How a robot goes about it.

    Attributes:
        search_variance: of the direction of exploring in the search zone (rad^2)
        other_variance: of that elsewhere, and of the direction of taking (rad^2)
        draws: directions that are tried before the least likely one is taken
        tolerance: of docking (m)
        surely: a robot is in the drop zone when it was told so for so long, as the zone sense errs (s)
        pause: after a failed docking no carrier is looked for so long (s)
        refusals: docking has failed when so many looks in a row have found that its way is not free
        waits: who has given docking up between the legs goes out, where that is never free, after so many looks
        apart: between the times at which robots set out at first, the first one at once (s)
        places: where carriers are put down: "row", side by side (`RowOfCarriers`); or "published", anywhere in the drop
            zone, on a way that is drawn by chance
    """

    search_variance: float = 3.0
    other_variance: float = 1.0
    draws: int = 20
    tolerance: float = 0.02
    surely: float = 1.0
    pause: float = 5.0
    refusals: int = 2
    waits: int = 20
    apart: float = 1.0
    places: str = "row"


RULES = CarryRules()
"""As published, where something is."""
