"""How long experiments wait on average, in closed form, where they come as a Poisson process."""

from __future__ import annotations

from devs_robotics.core.errors import DevsRoboticsError


def fixed_run_time_wait(load: float, run_time: float) -> float:
    """Mean waiting for one arena where all experiments take equally long (M/D/1; Pollaczek and Khinchine).

    At a load of 0.8 it is 2 run times.

    Args:
        load: run time per time between two experiments, below 1
        run_time: of an experiment (s)

    Returns:
        s
    """
    return 0.5 * random_run_time_wait(load, run_time)


def random_run_time_wait(load: float, run_time: float) -> float:
    """The same where run times are exponentially distributed (M/M/1). At a load of 0.8 it is 4 mean run times.

    Args:
        load: mean run time per mean time between two experiments, below 1
        run_time: of an experiment, on average (s)

    Returns:
        s
    """
    return many_arenas_wait(load, run_time, 1)


def many_arenas_wait(load: float, run_time: float, arenas: int) -> float:
    """The same for several arenas and one queue (M/M/c; Erlang's C formula).

    Args:
        load: of each arena, below 1
        run_time: of an experiment, on average (s)
        arenas: how many

    Returns:
        s

    Raises:
        DevsRoboticsError: the arenas cannot keep up, so that there is no mean
    """
    if not 0.0 <= load < 1.0 or arenas < 1:
        raise DevsRoboticsError(f"{arenas} arenas with a load of {load} each never come to rest: a load is below 1")
    offered = load * arenas
    blocking = 1.0  # Erlang's B, by its recursion over the number of arenas
    for count in range(1, arenas + 1):
        blocking = offered * blocking / (count + offered * blocking)
    waiting = blocking / (1.0 - load * (1.0 - blocking))
    return waiting * run_time / (arenas * (1.0 - load))
