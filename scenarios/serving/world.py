"""The served world: the gateway at the boundary, who is there, and the environment that they sense."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from devs_robotics import Coupled, Fault, In, Link, Out, Packet
from devs_robotics.core.robots.activity import Exchange, lead_through
from devs_robotics.core.robots.outside import Logs, Ordered
from devs_robotics.experimental_frames.frame import Experiment
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile, field_table
from devs_robotics.hil.pera_swarm.gateway import NAMELESS, Gateway, Server
from devs_robotics.hil.pera_swarm.writing import ColourRanges
from devs_robotics.models.environment import Environment, Field
from devs_robotics.models.environment.questions import Heeded, Locate, Question, Seen, Whereabouts
from devs_robotics.models.environment.space_manager import ALL
from devs_robotics.models.outsiders import USUAL, Airwaves, Announcer, Doubled, OwnRobot, Presence, Rules, Starter
from devs_robotics.models.outsiders.announcer import PERIOD
from devs_robotics.scenarios.case import case_of
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.tables import FieldTable
from devs_robotics.scenarios.setup.setup import Setup, field_of, set_up

PACE, TURN_RATE, WHISKERS = 0.15, 2.5, 0.001
"""Of the environment's own motors and whiskers (m/s, rad/s, m), which nobody uses here."""


class OwnRobots(Struct, frozen=True):
    """Robots of a case study that live in a served world.

    Attributes:
        setup: of their run
        experiment: with its system, which is not part of anything yet
        first: number of robot 1 on the wire
        period: time between two messages where they are (s)
    """

    setup: Setup[Any]
    experiment: Experiment
    first: int = 1
    period: float = PERIOD


class ServedWorld(Coupled):
    """A world that robots' programs outside live in; beside them, perhaps, robots that are models.

    Those are moved by their models, as ever; they see the others, and are seen by them. They are told on the wire.

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
        own: robots that are models; None: there are none

    Attributes:
        environment: of all
        experiment: of the robots that are models, with their frames
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
        own: OwnRobots | None = None,
    ) -> None:
        super().__init__(name)
        reach = ColourRanges(rules.colour_reach, rules.proximity_colour_reach)
        self.gateway = Gateway("gateway", file.arena, file.obstacles, server, reach)
        self.experiment = None if own is None else own.experiment
        self.environment = (
            Environment("environment", field_for(file), PACE, TURN_RATE, WHISKERS)
            if own is None
            else own.experiment.system.environment
        )
        known = {} if own is None else _own_robots(self.environment, own.first)
        ids = [each.robot for each in known.values()]
        self.presence = Presence("presence", len(known), rules, ids)
        for component in (self.gateway, self.presence, self.experiment or self.environment):
            self.add_component(component)
        self.add_coupling(self.incoming, self.gateway.incoming)
        self.add_coupling(self.gateway.outgoing, self.outgoing)
        self.add_coupling(self.gateway.fault, self.fault)
        self.add_coupling(self.order, self.gateway.order)
        self.add_coupling(self.gateway.said, self.presence.said)
        self.add_coupling(self.presence.told, self.gateway.told)
        self.add_coupling(self.presence.logged, self.logged)
        self.add_coupling(self.presence.doubled, self.doubled)
        self.add_coupling(self.presence.body_change, lead_through(self, self.environment.body_change, "in"))
        self.add_coupling(self.presence.fix, lead_through(self, self.environment.fix, "in"))
        for sensor in ("distance", "colour", "proximity"):
            self._ask(getattr(self.presence, sensor), Seen, sensor)
        self._carry_calls(rules)
        if awaited:
            starter = Starter("starter", awaited)
            self.add_component(starter)
            self.add_coupling(self.presence.told, starter.told)
            self.add_coupling(starter.order, self.gateway.told)
        if own is not None:
            self._announce(Announcer("announcer", known, own.period))

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
        offered = self._offered(Question, Heeded, "outside_call", "call")
        self.add_coupling(call.ask, offered.ask)
        if not (rules.radio_delay or rules.radio_loss):
            self.add_coupling(offered.answer, call.answer)
            return
        airwaves = Airwaves("airwaves", rules.radio_delay, rules.radio_loss, rules.seed)
        self.add_component(airwaves)
        self.add_coupling(offered.answer, airwaves.called)
        self.add_coupling(airwaves.heard, call.answer)

    def _ask(self, needs: Exchange[Any, Any], answers: type, sensor: str) -> None:
        offered = self._offered(Question, answers, f"outside_{sensor}", sensor)
        self.add_coupling(needs.ask, offered.ask)
        self.add_coupling(offered.answer, needs.answer)

    def _announce(self, announcer: Announcer) -> None:
        """Let all outside know where the robots are that are models."""
        self.add_component(announcer)
        offered = self._offered(Locate, Whereabouts, announcer.name, announcer.name)
        self.add_coupling(announcer.world.ask, offered.ask)
        self.add_coupling(offered.answer, announcer.world.answer)
        self.add_coupling(self.gateway.linked, announcer.linked)
        self.add_coupling(announcer.told, self.gateway.told)
        self.add_coupling(announcer.moved, self.presence.own_moved)

    def _offered(self, asks: type, answers: type, name: str, sensor: str) -> Exchange[Any, Any]:
        """The environment's side of an exchange, as it can be coupled here."""
        offered = self.environment.offer(ALL, asks, answers, name, sensor)
        return Exchange(lead_through(self, offered.ask, "in"), lead_through(self, offered.answer, "out"))


def _own_robots(environment: Environment, first: int) -> dict[int, OwnRobot]:
    """Robots that are models, by the numbers of their bodies."""
    field = environment.space.field
    return {
        body + 1: OwnRobot(first + body, traits.reality, field.radius[body])
        for body, traits in enumerate(field.bodies.traits)
    }


def own_robots(scenario: Scenario) -> OwnRobots:
    """The robots of a scenario, to live in a served world.

    Raises:
        DevsRoboticsError: its model cannot be made
    """
    setup = set_up(scenario, "realtime")
    presence = scenario.presence
    return OwnRobots(setup, case_of(setup.scenario).experiment(setup), presence.own_ids, presence.period)


def field_for(file: ArenaFile) -> Field:
    """The field of an arena, without walls round it, as a scenario file would make it."""
    table = FieldTable.model_validate(_tuples(field_table(file.arena, file.obstacles)))
    return field_of(table, file.arena.width, file.arena.height)


def _tuples(table: dict[str, Any]) -> dict[str, Any]:
    return {**table, "obstacles": tuple(table["obstacles"])}
