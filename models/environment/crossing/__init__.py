"""When something first happens between motions in closed form: seen or no longer, met, near or apart, touched.

Every function looks from `now` to `horizon` and gives an absolute time (s), infinite if nothing happens by then. What
holds already happens now; what is on its border and just ends does not. Arcs take the closed forms where there are
any; everything else is bracketed, and found to the last digit too; rays at obstacles, two nanometres early.
"""

from devs_robotics.models.environment.crossing.discs import first_apart, first_contact, first_near
from devs_robotics.models.environment.crossing.obstacles import first_contact_shape, first_seen_shape
from devs_robotics.models.environment.crossing.rays import first_seen, first_unseen
from devs_robotics.models.environment.crossing.walls import first_contact_walls, first_seen_walls

__all__ = [
    "first_apart",
    "first_contact",
    "first_contact_shape",
    "first_contact_walls",
    "first_near",
    "first_seen",
    "first_seen_shape",
    "first_seen_walls",
    "first_unseen",
]
