"""What came of a level as a page, and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from devs_robotics.experimental_frames.convoy.conformance.records import LEVELS, Conformance
from devs_robotics.experimental_frames.convoy.conformance.violations import RULES
from devs_robotics.experimental_frames.report.rendering import template

_BADGES = {"conforms so far": "interrupted", "does not conform": "rejected", "broken off": "broken"}
"""Classes of the style sheet, by what has become of a level."""


def conformance_html(done: Conformance) -> str:
    """A page that needs nothing else."""
    return template("conformance.html", Path(__file__).parent).render(
        done=done, meaning=LEVELS[done.level], rules=RULES, badge=_BADGES.get(done.ending, "")
    )


def conformance_json(done: Conformance) -> str:
    """All of it, with the verdict first."""
    return json.dumps({"ending": done.ending, **msgspec.to_builtins(done)}, indent=2) + "\n"
