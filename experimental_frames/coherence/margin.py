"""How large a position error may be before robots lose sight of each other."""

from __future__ import annotations

from devs_robotics.experimental_frames.statistics import StatisticsError

SHARE = 0.5
"""Of the sensor's reach, which the mean error may be."""


def sight_margin(infrared_range: float, distance: float, radius: float, share: float = SHARE) -> float:
    """The margin of the mean position error (m): ``share * (R + 2 r - D)``.

    A robot with the error E_i is at most D + E_i behind its front robot, centre to centre, and sees it up to R + 2 r,
    from body to body. So it surely sees it while E_i < R + 2 r - D, its reach. The margin is a share of it, since
    single errors lie about their mean: where they are two-dimensional and normal (Rayleigh's distribution),
    one in exp(pi / (4 share^2)) exceeds the reach, which is one in 23 for a share of one half.

    Args:
        infrared_range: R, from body to body (m)
        distance: D, the desired one, centre to centre (m)
        radius: r, of a body (m)
        share: of the reach

    Raises:
        StatisticsError: the desired distance is out of sight, or the share is not above 0 and at most 1
    """
    reach = infrared_range + 2.0 * radius - distance
    if reach <= 0.0:
        raise StatisticsError(
            f"a front robot at the desired distance of {distance:g} m is out of sight of a sensor with a range of "
            f"{infrared_range:g} m, so that there is no margin: make the distance less or the range more"
        )
    if not 0.0 < share <= 1.0:
        raise StatisticsError(
            f"a margin of {share:g} of the sensor's reach is not possible: give a share above 0, at most 1"
        )
    return share * reach
