"""Equipment of robots' own: which of it can be real, and what is put in its place then."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from devs_robotics import Activity, AskCharge, Crossed, Glide, Ground, Light, Proximity, Service, Wheels
from devs_robotics.core.robots.activity import exchanges_of
from devs_robotics.core.robots.plain_data import why_not_plain
from devs_robotics.models.activities import (
    HardwareActivity,
    HardwareOmniwheels,
    HardwareWheels,
    VirtualActivity,
    VirtualOmniwheels,
)
from devs_robotics.models.activities.stopping import StoppingDistance

EquipmentPart = Literal["motor", "infrared"]


class OwnEquipment(Struct, frozen=True):
    """Equipment of a robot's own.

    Attributes:
        name: of the activity
        service: what the activity offers
        asks, answers: types of the service's questions and answers
        never_real: why it cannot be real, with the remedy; empty if it can
        charge: of a battery at first, from 1 to 0; None: it is none
        axle: distance between driven wheels (m); None: it is none
    """

    name: str
    service: str
    asks: Any
    answers: Any
    never_real: str = ""
    charge: float | None = None
    axle: float | None = None

    @property
    def part(self) -> EquipmentPart | None:
        """The part of a real robot that it belongs to by the types of its service; None: to none."""
        if self.asks in (Wheels, Glide, AskCharge):
            return "motor"
        return "infrared" if self.answers in (Proximity, Light, Ground, Crossed) else None

    def hardware(self) -> HardwareActivity:
        """The activity that takes its place where it is real."""
        return HardwareActivity(self.name, self.service, self.asks, self.answers)


def hardware_of(activity: Activity, *, both: bool, stopping: StoppingDistance | None = None) -> HardwareActivity:
    """The activity that takes the place of one that a robot is equipped with, where that is real.

    Args:
        both: whether infrared sensors are to see what is modelled, too
        stopping: how far the robot goes when its host dies; wheels keep as much room, where that is more than usual
    """
    made = activity.hardware(both=both) if isinstance(activity, VirtualActivity | VirtualOmniwheels) else None
    if isinstance(made, HardwareWheels) and stopping is not None:
        made.stopping = StoppingDistance(max(stopping.reaction, made.stopping.reaction), stopping.deceleration)
    if isinstance(made, HardwareOmniwheels):
        made.stopping = stopping
    return own_equipment(activity).hardware() if made is None else made


def own_equipment(activity: Activity) -> OwnEquipment:
    """What is to be known of an activity that a robot is equipped with."""
    name, services = activity.name, exchanges_of(activity, Service)
    if len(services) != 1:
        count = len(services) or "no"
        why = f"it offers {count} services, and what is real offers one: make an activity for each"
        return OwnEquipment(name, "", None, None, why)
    ((service, exchange),) = services.items()
    asks, answers = exchange.ask.p_type, exchange.answer.p_type
    why = getattr(activity, "never_real", "") or why_not_plain(name, asks, answers)
    if service in HardwareActivity._declared:
        why = f"its service may not be called {service!r}, as the robot's side of what is real: call it otherwise"
    charge = getattr(activity, "charge", None) if asks is AskCharge else None
    axle = getattr(activity, "axle", None) if asks is Wheels else None
    return OwnEquipment(name, service, asks, answers, why, charge, axle)
