"""The robot convoy (Hu & Zeigler, section 4): a line of robots that follow one another by local means alone."""

from devs_robotics.models.convoy.avoid import Avoid
from devs_robotics.models.convoy.follower import Follower, FollowerRules, RelativePose
from devs_robotics.models.convoy.leader import Leader, LeaderRules
from devs_robotics.models.convoy.messages import CaughtUp, RoundDone, Sync, WayLost

__all__ = [
    "Avoid",
    "CaughtUp",
    "Follower",
    "FollowerRules",
    "Leader",
    "LeaderRules",
    "RelativePose",
    "RoundDone",
    "Sync",
    "WayLost",
]
