"""Distributed runs: one model's components in several processes, whose couplings travel over a transport.

A model is taken apart by `partition`; in each part, a `Peer` stands for each other process. A `Host` and its nodes
agree on who runs what and when to start.
"""

from devs_robotics.core.distribution.agreed_clock import AgreedClock
from devs_robotics.core.distribution.control_line import ControlLine
from devs_robotics.core.distribution.host import Host, NodeState, Timing
from devs_robotics.core.distribution.node import Node
from devs_robotics.core.distribution.partition import Partition, partition
from devs_robotics.core.distribution.peer import Peer
from devs_robotics.core.distribution.session import Session, blame

__all__ = [
    "AgreedClock",
    "ControlLine",
    "Host",
    "Node",
    "NodeState",
    "Partition",
    "Peer",
    "Session",
    "Timing",
    "blame",
    "partition",
]
