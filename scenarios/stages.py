"""The stages of a study (Hu & Zeigler, section 3.2)."""

from __future__ import annotations

from typing import Literal, get_args

Stage = Literal["fast", "realtime", "distributed", "loop", "real"]
STAGES: tuple[Stage, ...] = get_args(Stage)
