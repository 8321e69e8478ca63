"""What fails in the process of a view is told, and what libraries say there is not."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from devs_robotics.view.server.process import FAILURE, ViewProcess
from devs_robotics.view.server.serving import Serving
from devs_robotics.view.shared import SharedBlock

PROGRAM = """
import sys
sys.stdin.readline()
print('{"port": 0}', flush=True)
sys.stderr.write("domain: selected interface is not multicast-capable\\n" + MORE)
sys.stdin.read()
"""


@pytest.fixture
def block() -> Iterator[SharedBlock]:
    made = SharedBlock.create()
    yield made
    made.remove()


@pytest.mark.parametrize(
    ("more", "trouble"), [("", ""), (f"{FAILURE}ZError: no time stamps\n", "ZError: no time stamps")]
)
def test_a_failure_is_told_at_the_end(
    more: str, trouble: str, block: SharedBlock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "devs_robotics.view.server.process.COMMAND", (sys.executable, "-c", PROGRAM.replace("MORE", repr(more)))
    )
    process = ViewProcess(Serving(page=False), block.path)
    assert process.start() == ""
    process.stop()
    assert process.trouble == trouble
