"""The readable log."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

from devs_robotics.core.observe import CutShort, Failed, TextLog
from tests.devs_robotics.core.observe.pair import observe

TEXT = """\
      0.000000  trace of world: 2 models
      2.000000  world/beacon    sent       call <- Call(number=0, loudness=inf), Call(number=0, loudness=0.5)
                world/beacon    internal   -> silent for 2 s
                world/listener  received   heard <- Call(number=0, loudness=inf), Call(number=0, loudness=0.5)
                world/listener  external   -> awake for 1 s
      3.000000  world/listener  internal   -> awake for 3 s
                ended
"""


def test_a_log_shows_each_time_once_and_is_aligned(tmp_path: Path) -> None:
    stream, path = StringIO(), tmp_path / "log.txt"
    observe(TextLog(stream), TextLog(path), until=3.0)
    assert stream.getvalue() == TEXT
    assert path.read_text() == TEXT


def test_how_a_trace_broke_off_is_told() -> None:
    stream = StringIO()
    log = TextLog(stream)
    log.see(Failed(1.5, "a/b at 1.5 s: oh"))
    log.see(CutShort(1.5))
    assert stream.getvalue() == (
        "      1.500000  failed: a/b at 1.5 s: oh\n                the trace is cut short: its writer was stopped\n"
    )
