"""The top view of a report shows what a case study declares, as the replay does at its end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon

from devs_robotics.experimental_frames.report.field_view import FieldView, top_view
from devs_robotics.scenarios.case import case_of, resolve
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.running.summary import summary
from devs_robotics.scenarios.settings.loading import load
from devs_robotics.scenarios.viewing.showing import marks_at_the_end

ORANGE = "#e69f00"


def outcome_of(name: str, *settings: str) -> AnyOutcome:
    return run(resolve(load(name, list(settings))), Means(), Hooks(replay=True))


def drawn(outcome: AnyOutcome, width: float, height: float) -> Figure:
    figure = Figure(figsize=(5, 5 * height / width))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0.0, width), ylim=(0.0, height))
    more = marks_at_the_end(outcome)
    assert more is not None
    more(axes)
    return figure


def test_zones_carriers_and_their_legs_are_there_and_names_cover_nothing() -> None:
    outcome = outcome_of("logistics", "run.duration=20")
    assert outcome.scenario.field.width is not None
    figure = drawn(outcome, outcome.scenario.field.width, outcome.scenario.field.width)
    (axes,) = figure.axes
    colours = Counter(to_hex(patch.get_edgecolor()) for patch in axes.patches if isinstance(patch, Polygon))
    assert colours[ORANGE] == 5
    assert sum(isinstance(patch, Circle) for patch in axes.patches) == 20
    assert {text.get_text() for text in axes.texts} == {"search zone", "drop zone"}
    boxes = [text.get_window_extent() for text in axes.texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    high = axes.get_window_extent().y1
    assert all(high - 30.0 < box.y1 <= high for box in boxes)  # at the upper edges of zones, away from their middles


def test_items_that_are_held_lie_over_robots_and_the_others_below() -> None:
    outcome = outcome_of("forage", "run.duration=60")
    assert outcome.replay is not None
    (axes,) = drawn(outcome, 6.0, 6.0).axes
    items = [patch.zorder for patch in axes.patches if to_hex(patch.get_facecolor()) == ORANGE]
    held = {name for name in _marks_at(outcome) if name.startswith("held by ")}
    lying = {name for name in _marks_at(outcome) if name.startswith("item ")}
    assert held
    assert lying
    assert (sum(order > 4.0 for order in items), sum(order < 1.0 for order in items)) == (len(held), len(lying))


def _marks_at(outcome: AnyOutcome) -> set[str]:
    """Names of the marks at the end, by the changes alone."""
    assert outcome.replay is not None
    found = set(outcome.replay.scene.marks)
    for change in outcome.replay.marks:
        (found.discard if change.mark is None else found.add)(change.name)
    return found


def test_the_report_has_them() -> None:
    outcome = outcome_of("forage", "run.duration=5")
    page = case_of(outcome.scenario).report(summary(outcome), outcome)
    top = page[page.index("Top view") :]
    assert ORANGE in top[: top.index("</figure>")]


def test_a_white_ground_stays_white_where_pages_are_dark() -> None:
    outcome = outcome_of("line_following", "run.duration=2")
    view = FieldView(1.6, 1.2, 0.035, [(0.5, 0.5, 0.0)], [[]])
    plain, marked = top_view(view), top_view(view, more=marks_at_the_end(outcome))
    assert "#fffffe" in marked
    assert "#fffffe" not in plain


@pytest.mark.parametrize("replay", [True, False])
def test_without_a_replay_there_is_nothing_to_draw(*, replay: bool) -> None:
    outcome = run(resolve(load("wander", ["run.duration=2"])), Means(), Hooks(replay=replay))
    assert (marks_at_the_end(outcome) is not None) is replay
