"""What is to be served, by an arena file or by a scenario: both make the same world."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from devs_robotics.hil.pera_swarm.arena import WireArena, centimetres
from devs_robotics.hil.pera_swarm.arena_files import ArenaFile, channel_mistake, read_arena
from devs_robotics.hil.pera_swarm.obstacles import ArenaObstacle
from devs_robotics.models.outsiders import USUAL, Rules
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.settings.loading import given, load, tuples
from devs_robotics.scenarios.settings.problems import Problem
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.settings.sentences import sentences_of
from devs_robotics.scenarios.settings.tables import BoxObstacle, CircleObstacle, FieldTable, Obstacle

WORLD = frozenset({"title", "field", "sensing", "presence", "radio", "run"})
"""What a scenario may say that names no case study: a world without robots of ours."""


class Served(Struct, frozen=True):
    """What is served.

    Attributes:
        file: the arena, its channel and its obstacles
        rules: how robots outside sense, and when they are missed
        awaited: how many of them are to be there before they are told to start; 0: nobody tells them
        scenario: whose robots live in the world, too; None: there are none
    """

    file: ArenaFile
    rules: Rules = USUAL
    awaited: int = 0
    scenario: Scenario | None = None


def served(name: str, settings: tuple[str, ...] = ()) -> Served:
    """What a file, or a case study that ships, says.

    Args:
        name: of an arena file (``.json``), or what `load` takes
        settings: ``KEY=VALUE`` texts that override a scenario's keys

    Raises:
        OptionError: it cannot be read, or is no world that can be served
        DevsRoboticsError: it has mistakes; all of them are told
    """
    path = Path(name)
    if path.suffix == ".json" or (path.is_file() and path.suffix not in (".toml", ".py")):
        if settings:
            raise OptionError("--set overrides keys of scenarios: write them into a TOML file, or leave it out")
        try:
            return Served(read_arena(path.read_bytes(), name))
        except OSError as error:
            raise OptionError(f"{name} cannot be read ({error.strerror}): name an arena file") from error
    source, data, problems = given(name, settings)
    if "case" not in data:
        return _world(source, data, problems)
    return of_scenario(load(name, settings))


def of_scenario(scenario: Scenario) -> Served:
    """What a scenario says whose robots live in the world."""
    from devs_robotics.scenarios.case import case_of

    return _served(case_of(scenario).resolve(scenario), with_robots=True)


def _world(name: str, data: Mapping[str, Any], problems: Sequence[Problem]) -> Served:
    """What a scenario says that names no case study."""
    further = sorted(set(data) - WORLD)
    if further:
        raise OptionError(
            f"{name} names no case study, and says more than a world needs: {', '.join(further)}: leave that out, or "
            "name the case study whose robots are to live there (case = ...)"
        )
    mistakes = [str(problem) for problem in problems]
    try:
        scenario = Scenario.model_validate(tuples(data))
    except ValidationError as error:
        mistakes += sentences_of(error)
    else:
        sizes = {"width": scenario.field.width, "height": scenario.field.height}
        mistakes += [f"field.{key} must be given, such as '180 cm'" for key, size in sizes.items() if size is None]
        if scenario.field.walls:
            mistakes.append(
                "field.walls must be false: the bounds of an arena are no walls (let obstacles stand there)"
            )
    if mistakes:
        raise OptionError("\n".join(f"{name}: {mistake}" for mistake in mistakes))
    return _served(scenario, with_robots=False)


def _served(scenario: Scenario, *, with_robots: bool) -> Served:
    presence, radio, sensing = scenario.presence, scenario.radio, scenario.sensing
    if mistake := channel_mistake(presence.channel):
        raise OptionError(f"presence.channel {mistake}")
    rules = Rules(
        silence=presence.silence,
        radius=USUAL.radius,
        reach=radio.reach,
        sensing=sensing.rules,
        half_angle=sensing.half_angle,
        colour_reach=sensing.colour_reach,
        proximity_colour_reach=sensing.proximity_colour_reach,
        robots_coloured=sensing.robots_coloured,
        radio_delay=radio.delay,
        radio_loss=radio.loss,
        seed=scenario.run.seed,
    )
    arena = arena_of(scenario.field, presence.channel, presence.left, presence.bottom)
    file = ArenaFile(arena, tuple(_obstacles(scenario.field)))
    return Served(file, rules, getattr(presence, "await"), scenario if with_robots else None)


def arena_of(field: FieldTable, channel: str, left: float | None, bottom: float | None) -> WireArena:
    """The arena of a field, as the wire has it."""
    assert field.width is not None, "the scenario is resolved"
    assert field.height is not None
    x_min = centimetres(-0.5 * field.width if left is None else left)
    y_min = centimetres(-0.5 * field.height if bottom is None else bottom)
    return WireArena(x_min, x_min + centimetres(field.width), y_min, y_min + centimetres(field.height), channel)


def _obstacles(field: FieldTable) -> Iterator[ArenaObstacle]:
    """What viewers are told of the obstacles of a field; polygons of other shapes they cannot draw."""
    for number, each in enumerate(field.obstacles, 1):
        found = _obstacle(each, f"obstacle {number}")
        if found is not None:
            yield found


def _obstacle(obstacle: Obstacle, name: str) -> ArenaObstacle | None:
    told = {"name": name, "reality": obstacle.reality, "colour": obstacle.colour, "height": 0.1}
    if isinstance(obstacle, CircleObstacle):
        return ArenaObstacle(kind="cylinder", x=obstacle.x, y=obstacle.y, radius=obstacle.radius, **told)  # type: ignore[arg-type]
    if isinstance(obstacle, BoxObstacle):
        size = {"length": obstacle.width, "depth": obstacle.height, "heading": obstacle.heading}
        return ArenaObstacle(kind="box", x=obstacle.x, y=obstacle.y, **size, **told)  # type: ignore[arg-type]
    return None


def on_channel(what: Served, channel: str) -> Served:
    """The same on another channel."""
    return replace(what, file=replace(what.file, arena=replace(what.file.arena, channel=channel)))
