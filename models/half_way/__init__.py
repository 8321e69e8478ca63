"""Robots that go half of the way that is free, and so keep apart: the rule, and the kind of robot that it is for."""

from devs_robotics.models.half_way.rule import (
    APART,
    LOOK,
    REACH,
    SHORTEST,
    half_of_the_way,
    problems_of,
    seeing_around,
)

__all__ = ["APART", "LOOK", "REACH", "SHORTEST", "half_of_the_way", "problems_of", "seeing_around"]
