"""What a scenario may say of the parts of its frames: each mistake in a sentence."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.settings.loading import validate
from devs_robotics.scenarios.settings.problems import ScenarioError
from devs_robotics.scenarios.setup.setup import set_up

HERE = "tests.scenarios.frame_parts"


def problems(**frame: Any) -> list[str]:
    _, found = validate({"convoy": {"robots": 3}, "frame": frame})
    return [str(problem) for problem in found]


def part(**changes: Any) -> dict[str, Any]:
    return {"model": f"{HERE}:Turns", "taps": {"motion": "motor.world_ask"}, **changes}


@pytest.mark.parametrize(
    "table",
    [
        part(),
        part(weight=3),
        part(taps={"motion": ["motor.world_ask", "system.motion"]}),
        part(taps={}),
        {"model": f"{HERE}:Everything", "taps": {"values": "robot*/motor.drive_answer"}},
        {"model": f"{HERE}:Slope", "taps": {"motion": "*.motion"}, "drives": {"disturbance": "system.disturbance"}},
    ],
)
def test_what_is_right_passes(table: dict[str, Any]) -> None:
    assert problems(parts={"turns": table}) == []


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            part(model="nowhere:Turns"),
            "model: the frame's part 'nowhere:Turns' is not there: no module 'nowhere' can be",
        ),
        (part(model=f"{HERE}:Turnz"), f"model: the frame's part '{HERE}:Turnz' is not there: {HERE} has no class"),
        (part(model="Turns"), "model: 'Turns' can name no frame's part: write module:Class"),
        (part(model="json:JSONDecoder"), "model: 'json:JSONDecoder' is no model: derive it from devs_robotics.Atomic"),
        (part(model=3), "model: must be a text, not 3"),
        ({"taps": {}}, "model: is missing: add it"),
        (part(weight="heavy"), "weight: must be a number, not 'heavy'"),
        (part(least=1.5), "least: must be a whole number, not 1.5"),
        (part(weight=-1), ": Turns cannot be made with these keys: a weight of -1 is none: give a positive one"),
        (part(wieght=1), "wieght: there is no such key: did you mean 'weight'? Turns takes weight, least"),
        (part(tap={}), "tap: there is no such key: did you mean 'taps'? Turns takes weight, least"),
        (part(model=f"{HERE}:Referee", taps={}), "rounds: is missing: Referee needs it"),
        (part(taps={"motions": "system.motion"}), "taps.motions: Turns has no such input port: it has motion"),
        (part(drives={"motion": "system.disturbance"}), "drives.motion: Turns has no such output port: it has none"),
        (
            part(taps={"motion": "motr.world_ask"}),
            "taps.motion: no output port fits the pattern 'motr.world_ask': there",
        ),
        (
            part(taps={"motion": ["system.motion", "x.y"]}),
            "taps.motion: no output port fits the pattern 'x.y': there is",
        ),
        (part(taps={"motion": "motor"}), "taps.motion: 'motor' names no port: write one such as"),
        (part(taps={"motion": "a..b"}), "taps.motion: no output port fits the pattern 'a..b'"),
        (part(taps={"motion": "/.b"}), "taps.motion: '/.b' is no pattern of models or ports: write one such as"),
        (
            part(taps={"motion": "robot2.lost"}),
            "taps.motion: experiment/system/robot2.lost sends WayLost but experiment/",
        ),
        (part(taps={"motion": "system.disturbance"}), "taps.motion: experiment/system.disturbance, which"),
        (part(taps={"motion": 3}), "taps.motion: must be a pattern of ports, such as 'robot*/motor.world_ask', or a"),
        (part(taps={"motion": []}), "taps.motion: must have at least 1 entries, not 0"),
        (part(taps={"motion": [3]}), "taps.motion[1]: must be a text, not 3"),
        (part(taps=3), "taps: must be a table, not 3"),
    ],
)
def test_a_mistake_is_named_with_its_key_and_the_remedy(table: dict[str, Any], sentence: str) -> None:
    (found,) = problems(parts={"turns": table})
    assert found.startswith(f"frame.parts.turns{'' if sentence.startswith(':') else '.'}{sentence}"), found


def test_a_name_must_be_one_and_must_be_free() -> None:
    assert problems(parts={"a b": part()}) == [
        "frame.parts.a b: cannot name a part: write [frame.parts.NAME] with a name of letters, digits and underscores"
    ]
    assert problems(parts={"system": part()}) == [
        "frame.parts.system: experiment already has a model of this name: choose another one"
    ]
    assert problems(parts=3) == ["frame.parts: must be a table, not 3"]
    assert problems(approaches=1) == ["frame.approaches: must be true or false, not 1"]


def test_all_mistakes_are_told_at_once() -> None:
    wrong = {
        "first": part(weight="heavy", least="few"),
        "second": part(model="nowhere:Turns"),
    }
    keys = [problem.partition(": ")[0] for problem in problems(parts=wrong)]
    assert keys == ["frame.parts.first.weight", "frame.parts.first.least", "frame.parts.second.model"]
    taps = {"first": part(taps={"motion": "x.y", "m": "x.y"}), "second": part(taps={"motion": "y.z"})}
    keys = [problem.partition(": ")[0] for problem in problems(parts=taps)]
    assert keys == ["frame.parts.first.taps.motion", "frame.parts.first.taps.m", "frame.parts.second.taps.motion"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("class Turns(\n", "SyntaxError: "),
        ("import not_installed_anywhere\n", "ModuleNotFoundError: No module named"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
    ],
)
def test_a_module_with_a_fault_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, why: str) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "faulty_metrics.py").write_text(text)
    (found,) = problems(parts={"turns": part(model="faulty_metrics:Turns")})
    assert found.startswith(f"frame.parts.turns.model: 'faulty_metrics:Turns' cannot be imported ({why}")
    assert found.endswith("): mend the module")
    _, found_too = validate({"follower": {"model": "faulty_metrics:Turns"}})
    assert [str(each) for each in found_too] == [found.replace("frame.parts.turns", "follower")]
    sys.modules.pop("faulty_metrics", None)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "super().__init__(name); {}['limit']",
            "cannot be made, its __init__ raises KeyError: 'limit' ({file}, line 5): mend the class",
        ),
        ("pass", "does not take its name: call super().__init__(name) first in its __init__"),
        ("super().__init__('other')", "does not take its name: call super().__init__(name) first in its __init__"),
    ],
)
def test_a_class_with_a_fault_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, sentence: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "faulty_class.py").write_text(
        f"import sys\nfrom devs_robotics import Atomic\n"
        f"class Turns(Atomic):\n    def __init__(self, name: str, of: 'sys.nothing' = None):\n        {body}\n"
    )
    table = {"model": "faulty_class:Turns", "of": 1}
    assert problems(parts={"turns": table}) == [
        f"frame.parts.turns: Turns {sentence.format(file=tmp_path / 'faulty_class.py')}"
    ]
    sys.modules.pop("faulty_class", None)


def test_lists_and_numbers_come_as_the_class_wants_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from devs_robotics.scenarios.convoy.runs import experiment

    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "listing_metrics.py").write_text(
        "from devs_robotics import Atomic\n"
        "class Listing(Atomic):\n"
        "    def __init__(self, name: str, limits: list[float], robots: tuple[int, ...] = (), whatever=None):\n"
        "        super().__init__(name)\n"
        "        self.given = (limits, robots, whatever)\n"
    )
    model = experiment(
        set_up(
            load(
                "convoy",
                [
                    "convoy.robots=2",
                    "frame.parts.listing.model=listing_metrics:Listing",
                    "frame.parts.listing.limits=[1, 2.5]",
                    "frame.parts.listing.robots=[1, 2]",
                    "frame.parts.listing.whatever=[1]",
                ],
            )
        )
    )
    assert model.parts["listing"].given == ([1.0, 2.5], (1, 2), (1,))  # type: ignore[attr-defined]
    sys.modules.pop("listing_metrics", None)


def test_a_setting_on_the_command_line_is_named_as_one() -> None:
    with pytest.raises(ScenarioError, match=r"^--set: frame.parts.turns.model: the frame's part 'nowhere:Turns'"):
        load("convoy", ["frame.parts.turns.model=nowhere:Turns"])


def test_a_tap_is_a_mistake_only_where_no_stage_has_its_port() -> None:
    """Robot 1 has a line to its hardware in the stage real only, and a virtual motor in the others only."""
    one = {"model": "tests.scenarios.frame_parts:Everything", "taps": {"values": "robot1.fault"}}
    other = {"model": "tests.scenarios.frame_parts:Everything", "taps": {"values": "environment.motor1_answer"}}
    assert problems(parts={"one": one}) == []
    assert problems(parts={"other": other}) == []
    assert problems(parts={"one": one, "other": other}) == []
    nowhere = {**one, "taps": {"values": "robot1.nothing"}}
    (line,) = problems(parts={"one": one, "other": other, "nowhere": nowhere})
    assert line.startswith("frame.parts.nowhere.taps.values: ")
