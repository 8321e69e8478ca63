"""Behaviour trees as decision models: the nodes are py_trees', the time is DEVS' (extra ``[trees]``)."""

from devs_robotics.core.errors import DevsRoboticsError

try:
    import py_trees  # noqa: F401
except ImportError as error:
    raise DevsRoboticsError(
        "behaviour trees need py_trees, which is not installed: pip install 'devs-robotics[trees]'"
    ) from error

from devs_robotics.models.trees.leaves import Check, Deliver, Pause, Perform, TimeLimit, TreeLeaf
from devs_robotics.models.trees.tree import BehaviourTree, TreeStatus

__all__ = ["BehaviourTree", "Check", "Deliver", "Pause", "Perform", "TimeLimit", "TreeLeaf", "TreeStatus"]
