"""What fails in the process of a view is told at once, and the run goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator
from queue import Queue

import pytest
from websockets.sync.client import connect

from devs_robotics.view.scene import Scene
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import SUBPROTOCOL, Want
from devs_robotics.view.server.picture_follower import PictureFollower
from devs_robotics.view.server.process import ViewProcess
from devs_robotics.view.server.serving import Serving, ServingError
from devs_robotics.view.shared import About, RunStatus, SharedBlock, encode
from tests.real_components import PATIENCE, free_port

pytestmark = pytest.mark.wall_clock

PROGRAM = """
import sys
sys.stdin.readline()
print(SAID, flush=True)
sys.stderr.write("domain: selected interface is not multicast-capable\\n")
sys.stdin.read()
"""

READY, FAILED = '{"port": 0}', '{"failed": "--ros2", "why": "ZError: no time stamps"}'

Program = Callable[[str], None]


@pytest.fixture
def block() -> Iterator[SharedBlock]:
    made = SharedBlock.create()
    yield made
    made.remove()


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Program:
    def be(text: str) -> None:
        monkeypatch.setattr("devs_robotics.view.server.process.COMMAND", (sys.executable, "-c", text))

    return be


@pytest.mark.parametrize("said", [f"{READY}\n{FAILED}", f"{FAILED}\n{READY}", f"a library\n[1]\n{READY}\n8\n{FAILED}"])
def test_a_failure_is_told_at_once_whenever_it_comes(said: str, program: Program, block: SharedBlock) -> None:
    program(PROGRAM.replace("SAID", repr(said)))
    told: Queue[str] = Queue()
    process = ViewProcess(Serving(page=False), block.path, tell=told.put)
    assert process.start() == ""
    assert told.get(timeout=PATIENCE) == "--ros2 has failed (ZError: no time stamps), and shows nothing more"
    process.stop()
    assert told.empty()


def test_what_libraries_say_is_not_told(program: Program, block: SharedBlock) -> None:
    program(PROGRAM.replace("SAID", repr(READY)))
    told: Queue[str] = Queue()
    process = ViewProcess(Serving(page=False), block.path, tell=told.put)
    process.start()
    process.stop()
    process.stop()
    assert told.empty()


def test_one_that_ends_before_it_is_ready_is_told_once(program: Program, block: SharedBlock) -> None:
    program("import sys; sys.exit('no memory')")
    told: Queue[str] = Queue()
    with pytest.raises(ServingError, match=r"^the view ended \(no memory\)$"):
        ViewProcess(Serving(page=False), block.path, tell=told.put).start()
    assert told.empty()


def test_a_view_that_is_killed_is_told_at_once(block: SharedBlock) -> None:
    told: Queue[str] = Queue()
    process = ViewProcess(Serving(port=free_port()), block.path, tell=told.put)
    process.start()
    os.kill(process.pid, signal.SIGKILL)
    assert told.get(timeout=PATIENCE) == "the view has ended, and shows nothing more"
    process.stop()
    assert told.empty()


def test_viewers_are_told_that_the_view_itself_has_failed(block: SharedBlock) -> None:
    told: Queue[str] = Queue()
    block.about.write(encode(About("session", os.getpid(), "a run", "fast", 0.0)))
    block.status.write(encode(RunStatus(state="running")))
    process = ViewProcess(Serving(port=free_port()), block.path, tell=told.put)
    link = process.start().partition("#")[0]
    with connect(f"{link.replace('http', 'ws')}ws", subprotocols=[SUBPROTOCOL]) as viewer:  # type: ignore[list-item]
        block.scene.write(b"no scene at all")
        assert "the view has failed (ValidationError: " in told.get(timeout=PATIENCE)
        while "the run goes on" not in (said := str(viewer.recv(PATIENCE))):
            pass
    assert '"state":"failed"' in said
    process.stop()
    assert told.empty()


class Breaking(PictureFollower):
    """Fails at the first look."""

    option = "--breaking"

    def __init__(self) -> None:
        super().__init__(Want(rate=1.0))

    def close(self) -> None: ...

    def is_wanted(self) -> bool:
        return True

    def has_joined(self) -> bool:
        raise ValueError("broken")

    def begun(self, scene: Scene) -> None:  # type: ignore[override]
        ...

    def showing(self, state: object) -> None: ...

    def happened(self, kind: str, at: float, *what: object) -> None: ...


async def fails_in(hub: LiveHub) -> str:
    try:
        await Breaking().serve(hub)
    except ValueError as error:
        return str(error)
    return ""


def test_a_follower_that_fails_looks_no_longer(block: SharedBlock) -> None:
    hub = LiveHub(block)
    assert asyncio.run(fails_in(hub)) == "broken"
    assert not hub.viewers
