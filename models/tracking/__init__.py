"""Models of what sees robots from outside."""

from devs_robotics.models.tracking.overhead_camera import OverheadCamera

__all__ = ["OverheadCamera"]
