"""What a run looks like to tools of ROS 2: transforms, odometry, ranges, markers and a map, as messages."""
