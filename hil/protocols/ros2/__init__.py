"""The protocol of ROS 2 robots, without input or output: names, type hashes, attachments, tokens and messages.

Nothing here needs ROS: `rosbags` writes and reads the bytes of messages (CDR).
"""
