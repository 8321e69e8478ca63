"""What viewers get of a camera: the newest picture, at its time, and never more than they take."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from devs_robotics.core.robots.overhead_picture import JPEG, Calibration, OverheadPicture, write_picture
from devs_robotics.view.server.camera_window import CALIBRATED, KIND, LENGTH, OLDEST, CameraWindow, packed_picture
from devs_robotics.view.server.flow import Flow
from devs_robotics.view.server.live import LiveHub
from devs_robotics.view.server.messages import Want
from devs_robotics.view.server.viewers import Viewer
from devs_robotics.view.shared import SharedBlock
from devs_robotics.view.states import HEAD, packed

STRAIGHT = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
CALIBRATION = Calibration(800.0, 801.0, 320.0, 240.0, (0.1, 0.2, 0.3, 0.4, 0.5), STRAIGHT, (0.9, 1.0, 2.3), 0.1)


class Hands:
    """Clocks that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def unix(self) -> float:
        return 1000.0 + self.now


def window(path: Path, hands: Hands, rate: float = 5.0) -> CameraWindow:
    return CameraWindow(path, rate, hands.monotonic, hands.unix)


def put(path: Path, exposed: float, mark: bytes = b"") -> None:
    write_picture(path, OverheadPicture(exposed, 640, 480, JPEG + mark, CALIBRATION))


def test_a_picture_is_a_message_of_its_own_kind() -> None:
    message = packed_picture(OverheadPicture(7.5, 640, 480, JPEG + b"rest", CALIBRATION), 3.25)
    kind, flags, version, _, simulated, exposed, *_ = HEAD.unpack_from(message)
    assert (kind, flags, version, simulated, exposed) == (KIND, CALIBRATED, 1, 3.25, 7.5)
    assert struct.unpack_from("<II", message, HEAD.size) == (640, 480)
    assert list(struct.unpack_from("<22d", message, HEAD.size + 8)) == CALIBRATION.numbers
    assert message[LENGTH:] == JPEG + b"rest"


def test_the_simulated_time_of_a_picture_is_that_of_its_exposure(tmp_path: Path) -> None:
    hands = Hands()
    seen = window(tmp_path / "seen.picture", hands)
    for tenth in range(50):  # the run goes twice as fast as the clock
        seen.saw(1095.0 + 0.1 * tenth, 2.0 * 0.1 * tenth)
    assert seen.simulated(1098.95) == pytest.approx(7.9)
    assert seen.simulated(2000.0) == pytest.approx(9.8)  # a run that stands: it is still that time
    assert seen.simulated(1000.0) == pytest.approx(2.0 * (4.9 - 2.0), abs=0.21)  # no more than 2 s are kept


def test_only_new_pictures_come_and_no_more_than_are_wanted(tmp_path: Path) -> None:
    path, hands = tmp_path / "seen.picture", Hands()
    seen = window(path, hands)
    put(path, hands.unix(), b"1")
    assert seen.look() is None  # nobody knows yet which time it is in the run
    seen.saw(hands.unix(), 5.0)
    first = seen.look()
    assert first is not None
    assert first.endswith(b"1")
    put(path, hands.unix(), b"2")
    put(path, hands.unix(), b"3")
    assert seen.look() is None
    hands.now += 0.2
    third = seen.look()
    assert third is not None
    assert third.endswith(b"3")
    hands.now += 1.0
    assert seen.look() is None
    put(path, hands.unix() - OLDEST - 1.0)
    assert seen.look() is None  # of another day


def test_one_picture_is_unanswered_and_the_newest_waits() -> None:
    flow = Flow()
    flow.show_picture(b"nobody wants it")
    flow.take_want(Want(rate=30.0, pictures=True), None)
    assert flow.next(0.0) is None
    pictures = [packed_picture(OverheadPicture(0.0, 4, 3, JPEG + bytes([n])), 0.0) for n in range(4)]
    for picture in pictures[:3]:
        flow.show_picture(picture)
        if picture is pictures[0]:
            waiting = flow.next(0.0)
            assert waiting is not None
            assert waiting.data[-1] == 0
            assert struct.unpack_from("<I", waiting.data, 4) == (1,)  # type: ignore[arg-type]
    assert flow.next(1.0) is None
    flow.show(packed(0, 1.0, 0.0, 1, np.zeros((3, 1)), np.ones(1)))
    state = flow.next(1.0)
    assert state is not None  # a picture that is unanswered holds up no state
    flow.answered(1)
    waiting = flow.next(1.0)
    assert waiting is not None
    assert waiting.data[-1] == 2  # the newest; the one between is gone
    flow.show_picture(pictures[3])
    flow.take_want(Want(rate=30.0), None)
    flow.answered(3)
    assert flow.next(2.0) is None  # it is wanted no more


def test_a_hub_gives_pictures_to_who_wants_them_and_tells_what_is_wrong(tmp_path: Path) -> None:
    path, hands = tmp_path / "seen.picture", Hands()
    with SharedBlock.create() as block:
        camera = window(path, hands)
        hub = LiveHub(block, camera=camera, monotonic=hands.monotonic)
        one, other, late = Viewer(), Viewer(), Viewer()
        for viewer in (one, other):
            hub.join(viewer)
        assert json.loads(hub.hello(one))["camera"] is True
        hub.want(one, Want(rate=30.0, events=True, pictures=True))
        hub.want(other, Want(rate=30.0))
        put(path, hands.unix())
        block.state.write(packed(1, 4.0, hands.unix(), 1, np.zeros((3, 1)), np.ones(1)))
        hub.tick()
        assert [kinds(viewer) for viewer in (one, other)] == [[1, 3], [1]]
        hub.join(late)
        hub.want(late, Want(rate=30.0, pictures=True))
        assert 3 in kinds(late)  # the newest, though it came before
        path.write_bytes(b"no picture")
        hands.now += 1.0
        hub.tick()
        hub.tick()
        one.flow.answered(2)
        told = [json.loads(text) for text in texts(one)]
        logs = [each["items"] for each in told if each["type"] == "events"]
        assert len(logs) == 1
        assert "holds no picture of devs-robotics camera --share" in logs[0][0][2]
        block.remove()


def kinds(viewer: Viewer) -> list[int]:
    """Of the binary messages that wait for somebody."""
    return [data[0] for data in messages(viewer) if isinstance(data, bytes)]


def texts(viewer: Viewer) -> list[str]:
    return [data for data in messages(viewer) if isinstance(data, str)]


def messages(viewer: Viewer) -> list[str | bytes]:
    found = []
    while (waiting := viewer.flow.next(0.0)) is not None:
        found.append(waiting.data)
    return found
