"""An independent robot of ROS 2, by rclpy: a base on two wheels with a time-out, odometry, a scan and a battery.

It runs in an environment of its own, which has ROS 2 and not this project. Each line of its output is JSON: what it
does, and every hundredth of a second its time, pose, speeds and the time since the last command.

    python rclpy_robot.py NAMESPACE twist|stamped TIMEOUT [latched]
"""

# mypy: ignore-errors
# ROS 2 is in another environment than the types are checked in.

import contextlib
import json
import math
import sys
import time

import rclpy
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from rclpy.qos import DurabilityPolicy, QoSProfile, qos_profile_sensor_data
from sensor_msgs.msg import BatteryState, LaserScan

ACCELERATION, TURN_ACCELERATION = 1.0, 4.0
WALL = 3.0


class Base:
    def __init__(self, namespace, stamped, timeout, latched):
        self.stamped, self.timeout = stamped, timeout
        self.x = self.y = self.heading = self.speed = self.turn_rate = 0.0
        self.told = (0.0, 0.0)
        self.told_at = -math.inf
        self.steps = 0
        self.node = rclpy.create_node("base", namespace=namespace)
        kind = TwistStamped if stamped else Twist
        quality = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL) if latched else 10
        self.node.create_subscription(kind, "cmd_vel", self.command, quality)
        self.odom = self.node.create_publisher(Odometry, "odom", 10)
        self.scan = self.node.create_publisher(LaserScan, "scan", qos_profile_sensor_data)
        self.battery = self.node.create_publisher(BatteryState, "battery_state", 10)
        self.last = time.monotonic()
        self.node.create_timer(0.01, self.step)

    def command(self, message):
        twist = message.twist if self.stamped else message
        self.told, self.told_at = (twist.linear.x, twist.angular.z), time.monotonic()

    def step(self):
        now = time.monotonic()
        passed, self.last = now - self.last, now
        wanted = self.told if now - self.told_at < self.timeout else (0.0, 0.0)
        self.speed += max(-ACCELERATION * passed, min(ACCELERATION * passed, wanted[0] - self.speed))
        rise = TURN_ACCELERATION * passed
        self.turn_rate += max(-rise, min(rise, wanted[1] - self.turn_rate))
        self.heading += self.turn_rate * passed
        self.x += self.speed * passed * math.cos(self.heading)
        self.y += self.speed * passed * math.sin(self.heading)
        self.steps += 1
        if self.steps % 5 == 0:
            self.tell_odometry()
        if self.steps % 20 == 0:
            self.tell_scan()
        if self.steps % 100 == 1:
            self.battery.publish(BatteryState(voltage=12.0, percentage=0.5, present=True))
        print(
            json.dumps([now, self.x, self.y, self.heading, self.speed, self.turn_rate, min(now - self.told_at, 1e9)]),
            flush=True,
        )

    def tell_odometry(self):
        said = Odometry()
        said.header.stamp = self.node.get_clock().now().to_msg()
        said.header.frame_id, said.child_frame_id = "odom", "base_footprint"
        said.pose.pose.position.x, said.pose.pose.position.y = self.x, self.y
        said.pose.pose.orientation.z = math.sin(0.5 * self.heading)
        said.pose.pose.orientation.w = math.cos(0.5 * self.heading)
        said.twist.twist.linear.x, said.twist.twist.angular.z = self.speed, self.turn_rate
        self.odom.publish(said)

    def tell_scan(self):
        """A wall across the way, at x = 3 m."""
        said = LaserScan()
        said.header.stamp = self.node.get_clock().now().to_msg()
        said.header.frame_id = "base_scan"
        degree = math.pi / 180.0
        said.angle_min, said.angle_max, said.angle_increment = 0.0, 359.0 * degree, degree
        said.range_min, said.range_max = 0.12, 10.0
        for number in range(360):
            ahead = math.cos(self.heading + number * degree)
            way = (WALL - self.x) / ahead if ahead > 1e-6 else math.inf
            said.ranges.append(way if way <= said.range_max else math.inf)
        self.scan.publish(said)


def main():
    namespace, kind, timeout = sys.argv[1:4]
    rclpy.init()
    base = Base(namespace, kind == "stamped", float(timeout), "latched" in sys.argv)
    print(json.dumps({"ready": True}), flush=True)
    with contextlib.suppress(KeyboardInterrupt, rclpy.executors.ExternalShutdownException):
        rclpy.spin(base.node)


main()
