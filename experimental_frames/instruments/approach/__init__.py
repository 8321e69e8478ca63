"""How near bodies come to each other, to walls and to obstacles: what must be known before real robots move."""

from devs_robotics.experimental_frames.instruments.approach.approached import Approached
from devs_robotics.experimental_frames.instruments.approach.approaches import Approach, Approaches

__all__ = ["Approach", "Approached", "Approaches"]
