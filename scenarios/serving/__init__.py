"""A world for robots whose programs are outside."""
