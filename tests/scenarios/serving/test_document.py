"""What docs/mixed-reality.md shows: its arena is read, and its robot hears what the document says."""

from __future__ import annotations

import json
import re
from pathlib import Path

from devs_robotics.hil.pera_swarm import topics
from devs_robotics.hil.pera_swarm.arena import WireArena
from devs_robotics.hil.pera_swarm.arena_files import read_arena
from devs_robotics.models.outsiders import Rules
from devs_robotics.scenarios.serving.served_file import served
from tests.paths import ROOT
from tests.scenarios.serving.wire import Wire

DOCUMENT = (ROOT / "docs" / "mixed-reality.md").read_text(encoding="utf-8")


def test_the_robot_in_ten_lines_hears_what_the_document_says() -> None:
    (arena,) = re.findall(r"```json\n(.*?)```", DOCUMENT, flags=re.S)
    wire = Wire(read_arena(arena))
    (program,) = re.findall(r"```py\n(.*?)```", DOCUMENT, flags=re.S)
    said = re.findall(r'robot\.publish\("v1/([^"]+)", json\.dumps\((.*)\)\)', program)
    assert [topic for topic, _ in said] == [topics.POSES, topics.DISTANCE]
    answers = [line for topic, payload in said for line in wire.put((topic, payload))]
    (promised,) = re.findall(r"# v1/(\S+) (\d+)", program)
    assert answers == [promised]


def test_what_robots_say_by_the_table_is_understood() -> None:
    wire = Wire()
    for name, payload in re.findall(r"^\| `([a-z/]+)`(?:, `[a-z/]+`)? \| `([^`]+)`", DOCUMENT, flags=re.M):
        wire.put((name, payload))
        assert wire.world.dropped == {}, name
    assert json.loads(wire.put((topics.SNAPSHOT_WANTED, '{"id":7}'))[0][1])["coordinates"]["x"] == 5


def test_the_scenario_of_the_document_is_served(tmp_path: Path) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", DOCUMENT, flags=re.S)
    path = tmp_path / "world.toml"
    path.write_text(text)
    what = served(str(path))
    assert what.rules == Rules(), "the keys are shown with their defaults"
    assert (what.awaited, what.file.arena) == (0, WireArena())
    assert [each.kind for each in what.file.obstacles] == ["box", "cylinder"]
