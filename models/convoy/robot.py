"""A robot of the convoy: decision models and activities, coupled (Hu & Zeigler, Fig. 4)."""

from __future__ import annotations

from devs_robotics import In, Out, equip
from devs_robotics.models.convoy.avoid import Avoid
from devs_robotics.models.convoy.follower import Follower
from devs_robotics.models.convoy.member import Member
from devs_robotics.models.convoy.messages import CaughtUp, RoundDone, Sync, WayLost
from devs_robotics.models.robots.equipment import Equipment
from devs_robotics.models.robots.system import RobotModel


class ConvoyRobot(RobotModel):
    """One robot: Avoid over Convoy, and its equipment.

    Args:
        convoy: the decision model of the lower layer, a `Leader` or a `Follower`
        avoid: the decision model of the upper layer
        equipment: the activities; another set changes neither decision model
    """

    f_ready_in = In(Sync)
    f_ready_out = Out(Sync)
    b_ready_in = In(CaughtUp)
    b_ready_out = Out(CaughtUp)
    round_done = Out(RoundDone)
    lost = Out(WayLost)

    def __init__(self, name: str, convoy: Member, avoid: Avoid, equipment: Equipment) -> None:
        super().__init__(name, convoy.robot, equipment)
        self.convoy = convoy
        self.avoid = avoid
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
        self.open_to_the_world()
