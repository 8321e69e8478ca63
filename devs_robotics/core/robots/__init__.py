"""What a robot's decision model senses and does, and what stands behind it: activities, devices, equipment."""
