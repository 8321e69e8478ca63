"""A portal with who hands experiments in and who looks on, run to its end."""

from __future__ import annotations

from devs_robotics import Coupled, Simulator
from devs_robotics.experimental_frames.portal.experiment_source import ExperimentSource, RunTimes
from devs_robotics.experimental_frames.portal.portal import Portal, PortalVisit
from devs_robotics.experimental_frames.portal.visits import PortalVisits


def portal_visits(
    load: float,
    run_time: float,
    *,
    arenas: int = 1,
    run_times: RunTimes = "fixed",
    certification: float = 0.0,
    count: int = 1000,
    seed: int = 1,
) -> list[PortalVisit]:
    """Experiments that went through a portal, in the order in which they were over.

    Args:
        load: of each arena
        run_time: of an experiment, on average (s)
        arenas: how many
        run_times: whether they are all alike
        certification: of each experiment (s)
        count: of experiments
        seed: of the random numbers
    """
    model = Coupled("experiments")
    source = ExperimentSource(
        every=run_time / (load * arenas), run_time=run_time, run_times=run_times, count=count, seed=seed
    )
    portal, visits = Portal(arenas=arenas, certification=certification), PortalVisits()
    for component in (source, portal, visits):
        model.add_component(component)
    model.add_coupling(source.handed_in, portal.handed_in)
    model.add_coupling(portal.over, visits.over)
    with Simulator(model) as simulator:
        simulator.run()
    return visits.visits
