"""What the graph says of a robot: each thing that can be wrong is a sentence."""

from __future__ import annotations

from devs_robotics.hil.protocols.ros2.graph import (
    RobotTopics,
    Ros2Endpoint,
    velocity_type,
    why_blind,
    why_missing,
    why_refused,
)
from devs_robotics.hil.protocols.ros2.names import LASER_SCAN, ODOMETRY, TWIST, TWIST_STAMPED

TOPICS = RobotTopics(cmd="/turtle1/cmd_vel", odom="/turtle1/odom", scan="/turtle1/scan")
WHERE = "in domain 0"


def endpoint(topic: str, kind: str, *, writes: bool, by: str = "base") -> Ros2Endpoint:
    return Ros2Endpoint(
        key=f"{by}{topic}{kind}", topic=topic, type=kind, writes=writes, participant=by, node=f"/turtle1/{by}"
    )


ODOM = endpoint("/turtle1/odom", ODOMETRY, writes=True)
CMD = endpoint("/turtle1/cmd_vel", TWIST, writes=False)
CMD_STAMPED = endpoint("/turtle1/cmd_vel", TWIST_STAMPED, writes=False)


def test_a_robot_that_is_there_is_not_complained_of_and_gets_the_type_that_it_takes() -> None:
    assert why_missing([ODOM, CMD], TOPICS, "auto", WHERE) == ""
    assert velocity_type([CMD], TOPICS, "auto") == TWIST
    assert velocity_type([CMD_STAMPED], TOPICS, "auto") == TWIST_STAMPED
    assert velocity_type([CMD, CMD_STAMPED], TOPICS, "auto") == TWIST
    assert velocity_type([CMD, CMD_STAMPED], TOPICS, "yes") == TWIST_STAMPED
    assert velocity_type([CMD_STAMPED], TOPICS, "no") is None


def test_what_is_missing_is_a_sentence_with_the_remedy() -> None:
    assert "nobody of ROS 2 is to be heard in domain 0" in why_missing([], TOPICS, "auto", WHERE)
    other = endpoint("/turtle2/odom", ODOMETRY, writes=True)
    assert why_missing([other], TOPICS, "auto", WHERE) == (
        "there is /turtle2/odom, but no /turtle1/odom: correct the robot's name, or give the topic as ?odom="
    )
    assert "nobody subscribes to /turtle1/cmd_vel" in why_missing([ODOM], TOPICS, "auto", WHERE)
    wrong = endpoint("/turtle1/odom", LASER_SCAN, writes=True)
    assert "/turtle1/odom has the type sensor_msgs/msg/LaserScan" in why_missing([wrong, CMD], TOPICS, "auto", WHERE)
    assert why_missing([ODOM, CMD_STAMPED], TOPICS, "no", WHERE) == (
        "/turtle1/cmd_vel takes geometry_msgs/msg/TwistStamped only, and stamped=no is wanted: write stamped=auto"
    )
    assert "nobody publishes /turtle1/scan" in why_blind([ODOM], TOPICS)


def test_who_else_commands_and_a_second_robot_are_named() -> None:
    teleop = endpoint("/turtle1/cmd_vel", TWIST, writes=True, by="teleop")
    twin = endpoint("/turtle1/odom", ODOMETRY, writes=True, by="twin")
    assert why_refused([ODOM, CMD], TOPICS, ()) == ""
    assert why_refused([ODOM, CMD, teleop], TOPICS, [teleop.key]) == ""
    assert "/turtle1/teleop publishes /turtle1/cmd_vel" in why_refused([ODOM, CMD, teleop], TOPICS, ())
    assert "is two robots: /turtle1/base and /turtle1/twin publish /turtle1/odom" in why_refused(
        [ODOM, twin, CMD], TOPICS, ()
    )
