"""Behaviour trees as decision models: the nodes are py_trees', the time is DEVS' (extra ``[trees]``)."""

from devs_robotics.core.extras import needed

with needed("behaviour trees need"):
    import py_trees  # noqa: F401

from devs_robotics.models.trees.leaves import Check, Deliver, Pause, Perform, TimeLimit, TreeLeaf
from devs_robotics.models.trees.tree import BehaviourTree, TreeStatus

__all__ = ["BehaviourTree", "Check", "Deliver", "Pause", "Perform", "TimeLimit", "TreeLeaf", "TreeStatus"]
