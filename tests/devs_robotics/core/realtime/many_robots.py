"""Several robots' models at one root, each with a pair of boundary ports."""

from __future__ import annotations

from math import inf

from devs_robotics import Atomic, Coupled, In, Link, Out, Packet, Port
from devs_robotics.core.ports import add_port


class Robot(Atomic):
    """Notes what it hears, and says things at given times."""

    incoming: In[Packet | Link] = In(Packet | Link)
    outgoing = Out(Packet)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.time = 0.0
        self.says: list[tuple[float, bytes]] = []
        self.heard: list[tuple[float, Packet | Link]] = []

    def initialize(self) -> None:
        self._wait()

    def deltext(self, e: float) -> None:
        self.time += e
        self.heard += [(self.time, content) for content in self.incoming.values]
        self._wait()

    def lambdaf(self) -> None:
        self.outgoing.add(Packet(self.says[0][1]))

    def deltint(self) -> None:
        self.time = self.says.pop(0)[0]
        self._wait()

    def _wait(self) -> None:
        self.hold_in("waiting", self.says[0][0] - self.time if self.says else inf)


class Robots(Coupled):
    """So many of them."""

    def __init__(self, count: int) -> None:
        super().__init__("robots")
        self.robots = [Robot(f"robot{number}") for number in range(count)]
        self.incoming: list[Port[Packet | Link]] = []
        self.outgoing: list[Port[Packet]] = []
        for robot in self.robots:
            incoming: Port[Packet | Link] = Port(Packet | Link, f"{robot.name}_incoming")
            outgoing: Port[Packet] = Port(Packet, f"{robot.name}_outgoing")
            add_port(self, incoming, "in")
            add_port(self, outgoing, "out")
            self.add_component(robot)
            self.add_coupling(incoming, robot.incoming)
            self.add_coupling(robot.outgoing, outgoing)
            self.incoming.append(incoming)
            self.outgoing.append(outgoing)
