"""The stages of a study (Hu & Zeigler, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Stage = Literal["fast", "realtime", "distributed", "loop", "real"]
STAGES: tuple[Stage, ...] = get_args(Stage)

Lab = Literal["process", "inside"]
LABS: tuple[Lab, ...] = get_args(Lab)
"""Where stand-ins live: in a process of their own, or inside the run, without threads or waiting."""

USED_IN: Mapping[str, tuple[Stage, ...]] = {
    "rate": ("realtime", "distributed", "loop", "real"),
    "nodes": ("realtime", "distributed", "loop", "real"),
    "await": ("realtime", "distributed", "loop", "real"),
    "broker": ("distributed", "loop", "real"),
    "certificate": ("loop", "real"),
    "accept-risk": ("loop", "real"),
    "lab": ("loop", "real"),
    "pace": ("fast",),
}
"""Options of commands, and the stages in which they have an effect; with nodes, `broker` has one wherever they do."""
