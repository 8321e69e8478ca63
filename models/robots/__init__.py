"""What a robot has: its equipment, of whichever kinds."""

from devs_robotics.models.robots.equipment import Equipment, Kinds, Optics, equipment, virtual_equipment

__all__ = ["Equipment", "Kinds", "Optics", "equipment", "virtual_equipment"]
