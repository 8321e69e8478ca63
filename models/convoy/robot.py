"""A robot of the convoy: decision models and activities, coupled (Hu & Zeigler, Fig. 4)."""

from __future__ import annotations

from devs_robotics import Coupled, In, Out, equip, expose
from models.convoy.avoid import Avoid
from models.convoy.equipment import Equipment
from models.convoy.follower import Follower
from models.convoy.member import Member
from models.convoy.messages import CaughtUp, Lost, RoundDone, Sync


class ConvoyRobot(Coupled):
    """One robot: Avoid over Convoy, and its equipment.

    Args:
        convoy: the decision model of the lower layer, a `Leader` or a `Follower`
        avoid: the decision model of the upper layer
        equipment: the activities; another set changes neither decision model

    Attributes:
        worlds: ports to couple with the environment model (or with the wire), by name
    """

    f_ready_in = In(Sync)
    f_ready_out = Out(Sync)
    b_ready_in = In(CaughtUp)
    b_ready_out = Out(CaughtUp)
    round_done = Out(RoundDone)
    lost = Out(Lost)

    def __init__(self, name: str, convoy: Member, avoid: Avoid, equipment: Equipment) -> None:
        super().__init__(name)
        for component in (convoy, avoid, equipment.motor, equipment.infrared, equipment.whiskers):
            self.add_component(component)
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
