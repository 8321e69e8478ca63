"""Case studies of anybody's: a class with settings, that builds a system and a frame."""
