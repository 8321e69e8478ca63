"""Messages as rclpy writes them, as lines of JSON: type, what was said, and bytes. It runs with ROS 2."""

# mypy: ignore-errors
# ROS 2 is in another environment than the types are checked in.

import json
import time

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.serialization import serialize_message
from sensor_msgs.msg import LaserScan

twist = Twist()
twist.linear.x, twist.angular.z = 0.1, 0.2
stamped = TwistStamped()
stamped.header.stamp.sec, stamped.header.stamp.nanosec, stamped.header.frame_id = 1, 2, "base_link"
stamped.twist = twist
odometry = Odometry()
odometry.header.stamp.sec, odometry.header.stamp.nanosec, odometry.header.frame_id = 1, 2, "odom"
odometry.child_frame_id = "base_link"
odometry.pose.pose.position.x, odometry.pose.pose.position.y = 1.0, 2.0
odometry.twist.twist.linear.x, odometry.twist.twist.angular.z = 0.1, 0.2
scan = LaserScan()
scan.header.stamp.sec, scan.header.stamp.nanosec, scan.header.frame_id = 1, 2, "lidar_1"
scan.angle_min, scan.angle_increment = -1.0, 0.5
scan.angle_max, scan.time_increment, scan.scan_time, scan.range_min, scan.range_max = 0.5, 0.05, 0.2, 0.125, 3.5
scan.ranges = [1.5, 2.5, float("inf"), 0.5]
print(json.dumps({"ready": True}), flush=True)
for message in (twist, stamped, odometry, scan):
    print(json.dumps([type(message).__name__, serialize_message(message).hex()]), flush=True)
time.sleep(60.0)
