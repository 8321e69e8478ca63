"""A robot of the convoy: decision models and activities, coupled (Hu & Zeigler, Fig. 4)."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics import Coupled, Fault, Fix, In, Link, Out, Packet, Port, equip, expose
from devs_robotics.core.robots.activity import lead_in, lead_out
from devs_robotics.models.activities import HardwareMotor
from devs_robotics.models.convoy.avoid import Avoid
from devs_robotics.models.convoy.follower import Follower
from devs_robotics.models.convoy.member import Member
from devs_robotics.models.convoy.messages import CaughtUp, Lost, RoundDone, Sync
from devs_robotics.models.environment import Motion
from devs_robotics.models.robots.equipment import Equipment


class RealRobot(Struct, frozen=True):
    """The ports that a robot has when it is real.

    Attributes:
        outgoing, incoming: through which packets pass between its device and the wire
        fault: its device can no longer be used
        fix: where a tracking system sees it
        fixed: the fixes that came while it was at rest
        reported: the motions that it has made by its own account
    """

    outgoing: Port[Packet]
    incoming: Port[Packet | Link]
    fault: Port[Fault]
    fix: Port[Fix]
    fixed: Port[Fix]
    reported: Port[Motion]


class ConvoyRobot(Coupled):
    """One robot: Avoid over Convoy, and its equipment.

    Args:
        convoy: the decision model of the lower layer, a `Leader` or a `Follower`
        avoid: the decision model of the upper layer
        equipment: the activities; another set changes neither decision model

    Attributes:
        worlds: ports to couple with the environment model, by its name for them
        real: its further ports, if it is a real robot
    """

    f_ready_in = In(Sync)
    f_ready_out = Out(Sync)
    b_ready_in = In(CaughtUp)
    b_ready_out = Out(CaughtUp)
    round_done = Out(RoundDone)
    lost = Out(Lost)

    def __init__(self, name: str, convoy: Member, avoid: Avoid, equipment: Equipment) -> None:
        super().__init__(name)
        self.number = convoy.robot
        self.equipment = equipment
        self.add_component(convoy)
        self.add_component(avoid)
        equipment.install(self)
        equip(self, convoy.motor, equipment.motor.drive)
        equip(self, convoy.infrared, equipment.infrared.ranging)
        equip(self, avoid.motor, equipment.motor.override)
        equip(self, avoid.whiskers, equipment.whiskers.touch)
        self.add_coupling(avoid.inhibit, convoy.inhibited)
        self.add_coupling(avoid.release, convoy.released)
        self.add_coupling(self.b_ready_in, convoy.b_ready_in)
        self.add_coupling(convoy.f_ready_out, self.f_ready_out)
        self.add_coupling(convoy.round_done, self.round_done)
        self.add_coupling(convoy.lost, self.lost)
        if isinstance(convoy, Follower):
            self.add_coupling(self.f_ready_in, convoy.f_ready_in)
            self.add_coupling(convoy.b_ready_out, self.b_ready_out)
        self.worlds = {world: expose(self, inner, world) for world, inner in equipment.worlds.items()}
        self.real = self._real_ports(equipment)

    def _real_ports(self, equipment: Equipment) -> RealRobot | None:
        motor, device = equipment.motor, equipment.device
        if device is None or not isinstance(motor, HardwareMotor):
            return None
        return RealRobot(
            lead_out(self, device.outgoing, "outgoing"),
            lead_in(self, device.incoming, "incoming"),
            lead_out(self, device.fault, "fault"),
            lead_in(self, motor.fix, "fix"),
            lead_out(self, motor.fixed, "fixed"),
            lead_out(self, motor.reported, "reported"),
        )
