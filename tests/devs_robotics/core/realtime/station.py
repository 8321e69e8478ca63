"""A root with boundary ports, which answers what comes in."""

from __future__ import annotations

from math import inf

from devs_robotics import Atomic, Coupled, In, Link, Out, Packet


class Station(Coupled):
    """A root with boundary ports, and the operator behind them."""

    outgoing = Out(Packet)
    incoming: In[Packet | Link] = In(Packet | Link)
    over = Out(str)

    def __init__(self) -> None:
        super().__init__("station")
        self.operator = Operator("operator")
        self.add_component(self.operator)
        self.add_coupling(self.incoming, self.operator.incoming)
        self.add_coupling(self.operator.outgoing, self.outgoing)
        self.add_coupling(self.operator.over, self.over)


class Operator(Atomic):
    """Answers with what it has heard in capitals, half a second later."""

    outgoing = Out(Packet)
    incoming: In[Packet | Link] = In(Packet | Link)
    over = Out(str)

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.time = 0.0
        self.heard: list[tuple[float, bytes | bool]] = []
        self.words: list[bytes] = []

    def deltext(self, e: float) -> None:
        self.time += e
        left = self.sigma - e
        for content in self.incoming.values:
            if isinstance(content, Link):
                self.heard.append((self.time, content.up))
            else:
                self.heard.append((self.time, content.data))
                self.words.append(content.data)
        if self.words:
            self.hold_in("answering", 0.5 if left == inf else left)

    def lambdaf(self) -> None:
        for word in self.words:
            self.outgoing.add(Packet(word.upper()))
        if b"over" in self.words:
            self.over.add("over")

    def deltint(self) -> None:
        self.time += self.sigma
        self.words.clear()
        self.passivate()
