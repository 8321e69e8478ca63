"""What came of a level, as a page and as data."""

from __future__ import annotations

import json

import pytest

from devs_robotics.experimental_frames.conformance.page import conformance_html, conformance_json
from devs_robotics.experimental_frames.conformance.records import Conformance, Finding


@pytest.mark.parametrize(
    ("finding", "badge"),
    [
        (Finding("one", None, "so"), "interrupted"),
        (Finding("one", False, "so"), "rejected"),
        (Finding("one", False, "so", fault=True), "broken"),
    ],
)
def test_a_page_shows_by_its_colour_what_has_become_of_a_level(finding: Finding, badge: str) -> None:
    assert f'class="verdict {badge}"' in conformance_html(Conformance("team", "it", (finding,)))


def test_data_begin_with_the_ending_and_end_with_a_line() -> None:
    text = conformance_json(Conformance("team", "it", (Finding("one", True, "so"),)))
    assert text.startswith('{\n  "ending": "conforms",\n')
    assert text.endswith("}\n")
    assert json.loads(text)["findings"] == [{"title": "one", "holds": True, "note": "so", "fault": False}]
