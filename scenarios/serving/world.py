"""The served world: the gateway at the boundary, who is there, and the environment that they sense."""

from __future__ import annotations

from typing import Any

from devs_robotics import Coupled, Fault, In, Link, Out, Packet
from devs_robotics.core.robots.activity import Exchange
from devs_robotics.core.robots.outside import Logs, Ordered
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile, field_table
from devs_robotics.hil.pera_swarm.gateway import NAMELESS, Gateway, Server
from devs_robotics.hil.pera_swarm.writing import ColourRanges
from devs_robotics.models.environment import Environment, Field
from devs_robotics.models.environment.questions import Heeded, Question, Seen
from devs_robotics.models.environment.space_manager import ALL
from devs_robotics.models.outsiders import USUAL, Airwaves, Doubled, Presence, Rules, Starter
from devs_robotics.scenarios.settings.tables import FieldTable
from devs_robotics.scenarios.setup.setup import field_of

PACE, TURN_RATE, WHISKERS = 0.15, 2.5, 0.001
"""Of the environment's own motors and whiskers (m/s, rad/s, m), which nobody uses here."""


class ServedWorld(Coupled):
    """A world that robots' programs outside live in; nothing in it moves of its own.

    Ports:
        incoming, outgoing: packets with their topics
        order: to robots: start, stop, reset
        logged: what robots want to have written down
        doubled: numbers that two senders seem to use
        fault: that this server cannot go on

    Args:
        file: the arena with its obstacles
        rules: how robots sense, and when they are missed
        server: who this is, for other servers on the channel
        awaited: how many robots are to be there before they are told to start; 0: nobody tells them
    """

    incoming: In[Packet | Link] = In(Packet | Link)
    outgoing = Out(Packet)
    order = In(Ordered)
    logged = Out(Logs)
    doubled = Out(Doubled)
    fault = Out(Fault)

    def __init__(
        self,
        name: str,
        file: ArenaFile,
        rules: Rules = USUAL,
        server: Server = NAMELESS,
        awaited: int = 0,
    ) -> None:
        super().__init__(name)
        reach = ColourRanges(rules.colour_reach, rules.proximity_colour_reach)
        self.gateway = Gateway("gateway", file.arena, file.obstacles, server, reach)
        self.presence = Presence("presence", rules=rules)
        self.environment = Environment("environment", field_for(file), PACE, TURN_RATE, WHISKERS)
        for component in (self.gateway, self.presence, self.environment):
            self.add_component(component)
        self.add_coupling(self.incoming, self.gateway.incoming)
        self.add_coupling(self.gateway.outgoing, self.outgoing)
        self.add_coupling(self.gateway.fault, self.fault)
        self.add_coupling(self.order, self.gateway.order)
        self.add_coupling(self.gateway.said, self.presence.said)
        self.add_coupling(self.presence.told, self.gateway.told)
        self.add_coupling(self.presence.logged, self.logged)
        self.add_coupling(self.presence.doubled, self.doubled)
        self.add_coupling(self.presence.body_change, self.environment.body_change)
        self.add_coupling(self.presence.fix, self.environment.fix)
        for sensor in ("distance", "colour", "proximity"):
            self._ask(getattr(self.presence, sensor), Seen, sensor)
        self._carry_calls(rules)
        if awaited:
            starter = Starter("starter", awaited)
            self.add_component(starter)
            self.add_coupling(self.presence.told, starter.told)
            self.add_coupling(starter.order, self.gateway.told)

    @property
    def dropped(self) -> dict[str, int]:
        """What was dropped, by what was wrong with it."""
        counts = dict(self.gateway.dropped)
        for why, count in self.presence.dropped.items():
            counts[why] = counts.get(why, 0) + count
        return counts

    def _carry_calls(self, rules: Rules) -> None:
        """Lead calls to the world, and who heeds them back, by the airwaves if they do anything to them."""
        call = self.presence.call
        offered = self.environment.offer(ALL, Question, Heeded, "outside_call", "call")
        self.add_coupling(call.ask, offered.ask)
        if not (rules.radio_delay or rules.radio_loss):
            self.add_coupling(offered.answer, call.answer)
            return
        airwaves = Airwaves("airwaves", rules.radio_delay, rules.radio_loss, rules.seed)
        self.add_component(airwaves)
        self.add_coupling(offered.answer, airwaves.called)
        self.add_coupling(airwaves.heard, call.answer)

    def _ask(self, needs: Exchange[Any, Any], answers: type, sensor: str) -> None:
        offered = self.environment.offer(ALL, Question, answers, f"outside_{sensor}", sensor)
        self.add_coupling(needs.ask, offered.ask)
        self.add_coupling(offered.answer, needs.answer)


def field_for(file: ArenaFile) -> Field:
    """The field of an arena, without walls round it, as a scenario file would make it."""
    table = FieldTable.model_validate(_tuples(field_table(file.arena, file.obstacles)))
    return field_of(table, file.arena.width, file.arena.height)


def _tuples(table: dict[str, Any]) -> dict[str, Any]:
    return {**table, "obstacles": tuple(table["obstacles"])}
