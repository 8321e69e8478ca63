"""A portal of experiments as a model: how long experiments wait for arenas (Jones et al., 2022, section on the portal).

`Portal` does in simulated time what ``devs-robotics queue`` does in earnest.
"""

from devs_robotics.experimental_frames.portal.expected import (
    fixed_run_time_wait,
    many_arenas_wait,
    random_run_time_wait,
)
from devs_robotics.experimental_frames.portal.experiment_source import ExperimentSource, RunTimes
from devs_robotics.experimental_frames.portal.portal import Portal, PortalOrder, PortalVisit
from devs_robotics.experimental_frames.portal.portal_study import portal_visits
from devs_robotics.experimental_frames.portal.visits import PortalVisits

__all__ = [
    "ExperimentSource",
    "Portal",
    "PortalOrder",
    "PortalVisit",
    "PortalVisits",
    "RunTimes",
    "fixed_run_time_wait",
    "many_arenas_wait",
    "portal_visits",
    "random_run_time_wait",
]
