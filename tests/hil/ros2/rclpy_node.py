"""A node of ROS 2 that commands a robot and notes what it hears, as lines of JSON. It runs with ROS 2.

python rclpy_node.py NAMESPACE SPEED|silent
"""

# mypy: ignore-errors
# ROS 2 is in another environment than the types are checked in.

import json
import sys

import rclpy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import LaserScan

namespace, speed = sys.argv[1:3]
rclpy.init()
node = rclpy.create_node("teleop", namespace=namespace)


def say(*what):
    print(json.dumps(what), flush=True)


def command():
    message = Twist()
    message.linear.x = float(speed)
    commands.publish(message)


def look():
    for name in ("odom", "scan", "cmd_vel"):
        topic = f"/{namespace}/{name}"
        found = node.get_publishers_info_by_topic(topic) + node.get_subscriptions_info_by_topic(topic)
        for each in found:
            if each.node_name != "teleop":
                quality = each.qos_profile
                say("endpoint", name, each.topic_type, str(each.topic_type_hash), quality.reliability.name)


node.create_subscription(Odometry, "odom", lambda said: say("odom", said.pose.pose.position.x), 10)
node.create_subscription(LaserScan, "scan", lambda said: say("scan", len(said.ranges)), qos_profile_sensor_data)
if speed != "silent":
    commands = node.create_publisher(Twist, "cmd_vel", 10)
    node.create_timer(0.05, command)
node.create_timer(1.0, look)
print(json.dumps({"ready": True}), flush=True)
rclpy.spin(node)
