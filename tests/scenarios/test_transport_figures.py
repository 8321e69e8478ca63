"""The page beside the published values is made by one command, and says what came."""

from __future__ import annotations

from pathlib import Path

from devs_robotics.experimental_frames.transport.published import ROWS, alone_s, meeting_cost
from devs_robotics.experimental_frames.transport.sections import items_section, published_section, time_section
from devs_robotics.scenarios.transport_figures import main, points_of
from tests.approximately import near


def test_one_command_makes_page_and_pictures(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path), "--quick"]) == 0
    page = (tmp_path / "transport-results.md").read_text()
    assert all(row.head(100) in page for row in ROWS)
    assert "| time for 100 deliveries (min) | more than 2.5 | ~70 | more than 2.5 | ~51 | more" in page
    for name in ("items", "paths", "delivered", "exchanges", "meetings", "lengths", "law"):
        assert (tmp_path / "images" / f"transport-{name}.svg").read_text().startswith("<svg")


def test_the_published_round_trips_give_the_published_cost_of_a_meeting() -> None:
    assert meeting_cost(434.0, 199.0, 15) == near(8.39, 1e-2)
    assert alone_s(3.0, 0.6, 0.59) == near(20.6496, 1e-3)


def test_sections_hold_what_came_against_what_is_published() -> None:
    measured = {row.key: 1.0 for row in ROWS} | {"path_length": 30.0, "round_trip_s": 390.65, "talking": 0.01}
    measured |= {"deliveries": 4.0, "returns": 3.0}
    frames = {"transport": measured, "paths": {"distinct": 1.0}}
    (table,) = published_section(frames, "full", 4, comparable=True).tables
    assert [cell.text for cell in table.rows[0]] == [
        "time for 4 deliveries (min), published: 100",
        "1.0",
        "~70",
        "more than 67.2",
    ]
    assert [row[1].text for row in table.rows[1:3]] == ["more than 1.0", "1.0"]
    (section, other) = (published_section(frames, "none", 4, comparable=each) for each in (False, True))
    assert section.says
    assert not other.says
    (items,) = items_section([2, 1, 2], 3).tables
    assert [cell.text for cell in items.rows[0]] == ["items", "1", "2", "0"]
    says = " ".join(time_section(frames, 15, 0.6, 0.59).says)
    assert "c = 10.0 s" in says
    nothing = {"transport": {**measured, "round_trip_s": float("nan")}, "paths": {"distinct": 0.0}}
    assert "no round trip" in time_section(nothing, 15, 0.6, 0.59).says[0]


def test_a_path_has_points_at_most_so_far_apart() -> None:
    assert points_of(((0.0, 0.0), (2.5, 0.0), (2.5, 1.0)), 1.0)[1] == [near(2.5 / 3.0), 0.0]
    assert len(points_of(((0.0, 0.0), (2.5, 0.0), (2.5, 1.0)), 1.0)) == 5
