"""An independent robot of ROS 2 by zenoh, by zenoh-ros2-sdk: it tells odometry, and obeys velocity commands at once.

It runs in an environment of its own. Each line of its output is JSON: the hashes of its types as it computes them, who
it finds in the graph, and each command that it hears, with the attachment as it reads that.

    python zenoh_robot.py NAMESPACE PORT        (the domain is ROS_DOMAIN_ID)
"""

# mypy: ignore-errors
# What it imports is in another environment than the types are checked in.

import json
import os
import sys
import time

import numpy as np
from zenoh_ros2_sdk import ROS2Publisher, ROS2Subscriber
from zenoh_ros2_sdk.attachment import Attachment
from zenoh_ros2_sdk.discovery import get_topic_info
from zenoh_ros2_sdk.session import ZenohSession
from zenoh_ros2_sdk.utils import get_type_hash

DEFINITIONS = {
    "builtin_interfaces/msg/Time": "int32 sec\nuint32 nanosec\n",
    "std_msgs/msg/Header": "builtin_interfaces/Time stamp\nstring frame_id\n",
    "geometry_msgs/msg/Vector3": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/msg/Point": "float64 x\nfloat64 y\nfloat64 z\n",
    "geometry_msgs/msg/Quaternion": "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n",
    "geometry_msgs/msg/Twist": "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n",
    "geometry_msgs/msg/Pose": "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n",
    "geometry_msgs/msg/PoseWithCovariance": "geometry_msgs/Pose pose\nfloat64[36] covariance\n",
    "geometry_msgs/msg/TwistWithCovariance": "geometry_msgs/Twist twist\nfloat64[36] covariance\n",
    "nav_msgs/msg/Odometry": (
        "std_msgs/Header header\nstring child_frame_id\n"
        "geometry_msgs/PoseWithCovariance pose\ngeometry_msgs/TwistWithCovariance twist\n"
    ),
}
TWIST, ODOMETRY = "geometry_msgs/msg/Twist", "nav_msgs/msg/Odometry"
PERIOD = 0.05


def say(line):
    print(json.dumps(line), flush=True)


class Commands(ROS2Subscriber):
    """Velocity commands, and their attachments."""

    def _listener(self, sample):
        said = Attachment.from_bytes(sample.attachment.to_bytes())
        self.attachment = said.sequence_id, said.timestamp_ns, len(said.gid)
        super()._listener(sample)


class Robot:
    def __init__(self, namespace, port):
        self.x = self.speed = 0.0
        session = ZenohSession.get_instance("127.0.0.1", port)
        for kind, text in DEFINITIONS.items():
            session.register_message_type(text, kind)
        self.types = session.store.types
        hashes = {kind: get_type_hash(kind, DEFINITIONS[kind], DEFINITIONS) for kind in (TWIST, ODOMETRY)}
        say({"hashes": hashes})
        at = {"router_ip": "127.0.0.1", "router_port": port, "namespace": f"/{namespace}", "node_name": "base"}
        self.odom = ROS2Publisher(
            f"/{namespace}/odom", ODOMETRY, DEFINITIONS[ODOMETRY], type_hash=hashes[ODOMETRY], **at
        )
        self.cmd = f"/{namespace}/cmd_vel"
        self.commands = Commands(self.cmd, TWIST, self.heard, DEFINITIONS[TWIST], type_hash=hashes[TWIST], **at)

    def heard(self, twist):
        self.speed = float(twist.linear.x)
        say({"command": [self.speed, float(twist.angular.z)], "attachment": self.commands.attachment})

    def tell(self):
        self.x += PERIOD * self.speed
        make = {name.rpartition("/")[2]: kind for name, kind in self.types.items()}
        nowhere = np.zeros(36)
        pose = make["Pose"](position=make["Point"](x=self.x, y=0.0, z=0.0), orientation=make["Quaternion"](0, 0, 0, 1))
        zero = make["Vector3"](x=0.0, y=0.0, z=0.0)
        twist = make["Twist"](linear=make["Vector3"](x=self.speed, y=0.0, z=0.0), angular=zero)
        seconds, nanoseconds = divmod(time.time_ns(), 10**9)
        self.odom.publish(
            header=make["Header"](stamp=make["Time"](sec=seconds, nanosec=nanoseconds), frame_id="odom"),
            child_frame_id="base_link",
            pose=make["PoseWithCovariance"](pose=pose, covariance=nowhere),
            twist=make["TwistWithCovariance"](twist=twist, covariance=nowhere),
        )


def main():
    namespace, port = sys.argv[1], int(sys.argv[2])
    robot = Robot(namespace, port)
    say({"ready": True})
    count = 0
    while True:
        robot.tell()
        time.sleep(PERIOD)
        count += 1
        if count % 20 == 0:
            domain = int(os.environ["ROS_DOMAIN_ID"])
            found = get_topic_info(robot.cmd, domain, "127.0.0.1", port, timeout=0.2, verbose=True)
            say({"publishers": [] if found is None else [vars_of(each) for each in found.publishers]})


def vars_of(endpoint):
    return {name: getattr(endpoint, name) for name in ("node_name", "topic_type", "type_hash", "qos")}


main()
