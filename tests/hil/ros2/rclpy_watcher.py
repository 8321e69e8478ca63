"""A node of ROS 2 that looks at a robot as rviz does, and notes what it hears, as lines of JSON. It runs with ROS 2.

python rclpy_watcher.py NAMESPACE
"""

# mypy: ignore-errors
# ROS 2 is in another environment than the types are checked in.

import json
import sys
import time

import rclpy
from nav_msgs.msg import OccupancyGrid, Odometry
from rclpy.qos import DurabilityPolicy, QoSProfile

namespace = sys.argv[1]
rclpy.init()
node = rclpy.create_node("watcher")


def say(*what):
    print(json.dumps(what), flush=True)


def odom(said):
    stamp = said.header.stamp.sec + 1e-9 * said.header.stamp.nanosec
    place = said.pose.pose.position
    say("odom", time.time() - stamp, said.header.frame_id, said.child_frame_id, place.x, place.y)


def look():
    for name, kind in (("odom", "nav_msgs/msg/Odometry"), ("cmd_vel", "geometry_msgs/msg/Twist")):
        for each in node.get_publishers_info_by_topic(f"/{namespace}/{name}"):
            say("publisher", name, each.topic_type == kind, str(each.topic_type_hash))
    say("nodes", node.get_node_names())


latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
node.create_subscription(Odometry, f"/{namespace}/odom", odom, 10)
node.create_subscription(OccupancyGrid, "/map", lambda said: say("map", said.info.width, said.info.height), latched)
node.create_timer(1.0, look)
print(json.dumps({"ready": True}), flush=True)
rclpy.spin(node)
