"""What a scenario file may say, and whether it fits together."""
