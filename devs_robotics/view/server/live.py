"""A run that goes on, as its view sees it: what the run puts into the memory that both share, for all viewers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec

from devs_robotics.core.processes import is_there
from devs_robotics.view.replay import Replay
from devs_robotics.view.scene import Scene
from devs_robotics.view.server.camera_window import CameraWindow
from devs_robotics.view.server.contact_finder import ContactFinder
from devs_robotics.view.server.event_words import told
from devs_robotics.view.server.lookback import LookBack
from devs_robotics.view.server.markings import Markings
from devs_robotics.view.server.messages import AGAIN, VERSION, ControlRequest, joined_text, scene_text, written
from devs_robotics.view.server.viewers import Hub, Thinned, Viewer
from devs_robotics.view.shared import (
    BATCHES,
    About,
    MarksNow,
    ObservationBatch,
    RunStatus,
    SceneNow,
    SharedBlock,
    Wish,
    encode,
)
from devs_robotics.view.states import HEAD, unpacked

BEAT = 0.25
"""Time between two signs of life to the run (s)."""

SOON, LATER = 0.012, 0.1
"""Time between two looks at the shared memory while somebody looks, and else (s)."""

SECOND = 1.0
"""Time between two messages of how the run is (s)."""

ANSWER = 3.0
"""Longest time in which a run obeys (s)."""

_about = msgspec.msgpack.Decoder(About).decode
_status = msgspec.msgpack.Decoder(RunStatus).decode
_wish = msgspec.msgpack.Decoder(Wish).decode
_scene = msgspec.msgpack.Decoder(SceneNow).decode
_batch = msgspec.msgpack.Decoder(tuple[int, ObservationBatch]).decode
_marks = msgspec.msgpack.Decoder(MarksNow).decode
_replay = msgspec.msgpack.Decoder(Replay).decode


class LiveHub(Hub):
    """A run that goes on.

    Args:
        block: that it shares with this
        replaced: is called with what was recorded of the run, once that is there
        control: whether viewers with the token may control it
        kept: most that is kept to look back in (MB)
        camera: follows the pictures of a camera above the field, if there is one
        monotonic: tells the time (s)
    """

    def __init__(
        self,
        block: SharedBlock,
        replaced: Callable[[Replay], None] = lambda replay: None,
        *,
        control: bool = False,
        kept: int = 64,
        camera: CameraWindow | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.lookback = LookBack(kept << 20)
        self._block = block
        self._replaced = replaced
        self._control = control
        self._camera = camera
        self._camera_trouble = ""
        self._monotonic = monotonic
        self.about: About | None = None
        self.run = RunStatus()
        self._scene: SceneNow | None = None
        self._markings = Markings()
        self._contacts = ContactFinder()
        self._beams: dict[int, tuple[float, ...]] = {}
        self._state: bytes | None = None
        self._read = dict.fromkeys(("about", "status", "state", "scene", "marks"), 0)
        self._batches = 0
        self._cells = [0] * BATCHES
        self._series: dict[str, Thinned] = {}
        self._beat_at = self._second_at = 0.0
        self._stirred = asyncio.Event()
        self._asking = asyncio.Lock()
        self._answered = asyncio.Event()
        self._gone = ""
        found = block.wish.read()
        self._command = Wish() if found is None else Wish(command=_wish(found[1]).command)

    @property
    def latest(self) -> bytes | None:
        """The newest state."""
        return self._state

    @property
    def latest_picture(self) -> bytes | None:
        """The newest picture of the camera."""
        return None if self._camera is None else self._camera.latest

    def history(self) -> tuple[float, dict[str, list[tuple[float, float]]]]:
        """Values over time, thinned."""
        return self.run.time, {name: list(series.values) for name, series in self._series.items()}

    def changed(self) -> None:
        """Let the run know what viewers want."""
        self._beat_at = 0.0
        self._stirred.set()

    def hello(self, viewer: Viewer) -> str:
        """Which run it is, and what the viewer may do."""
        about = self.about or About("", 0, "", "", 0.0)
        allowed = about.control if self._control and viewer.may_control else ()
        return written(
            "hello",
            version=VERSION,
            kind="live",
            session=about.session,
            title=about.title,
            stage=about.stage,
            rate=about.pictures,
            pace=self.run.pace,
            control=allowed,
            refused=about.refused,
            follow=about.follow,
            begin=0.0,
            now=self.run.time,
            end=None,
            chunks=self.lookback.chunks,
            camera=self._camera is not None,
        )

    def opening(self, viewer: Viewer) -> list[str]:
        """What there is, if the run has begun; else it comes when it does."""
        if self.about is None or self._scene is None:
            return []
        scene = self._markings.begun(self._scene.scene)
        found = [self.hello(viewer), scene_text(self._scene.revision, scene, changes=self._markings.changes)]
        if self._scene.gone:
            found.append(written("left", revision=self._scene.revision, t=self._scene.time, slots=self._scene.gone))
        return found

    def status(self, viewer: Viewer) -> str:
        """How the run is."""
        run = self.run
        return written(
            "status",
            state="failed" if self._gone else run.state,
            t=run.time,
            pace=run.pace,
            late_ms=None if run.late is None else [1e3 * late for late in run.late],
            dropped=viewer.flow.dropped,
            viewers=len(self.viewers),
            reason=self._gone or run.reason,
            looks=run.looks,
        )

    def chunk(self, number: int) -> bytes | None:
        """Of what is kept."""
        return self.lookback.chunk(number)

    async def obey(self, ask: ControlRequest) -> str:
        """Have the run do what a viewer wants."""
        if not self._control or self.about is None:
            return "this view controls nothing: the run was started without --view-control"
        async with self._asking:
            number = self.order(ask.do, ask.value)
            self._answered.clear()
            until = self._monotonic() + ANSWER
            while self.run.answered < number and not self._gone and self.run.state not in ("ended", "failed"):
                left = until - self._monotonic()
                if left <= 0.0:
                    return "the run has not answered: it is busy, or it is over"
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._answered.wait(), left)
                self._answered.clear()
            if self.run.answered < number:
                return "the run is over"
            return self.run.refusal

    def order(self, do: str, value: float | str | None = None) -> int:
        """Tell the run to do something; returns the number of the command, which the run's status will have."""
        self._command = Wish(command=self._command.command + 1, do=do, value=value)
        self.changed()
        return self._command.command

    async def serve(self) -> None:
        """Look at what the run gives, again and again."""
        while True:
            self.tick()
            looked_at = any(viewer.flow.want.rate for viewer in self.viewers)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stirred.wait(), SOON if looked_at or self._asking.locked() else LATER)
            self._stirred.clear()

    def tick(self) -> None:
        """Look at what the run gives, and tell it what viewers want."""
        now = self._monotonic()
        if now - self._beat_at >= BEAT:
            self._beat_at = now
            self._tell_wish(now)
        self._see_scene()
        self._see_marks()
        self._see_state()
        self._see_picture()
        self._see_batches()
        news = self._see_status()
        if news or now - self._second_at >= SECOND:
            self._second_at = now
            self.tell_status()
        if self.run.replay:
            self._hand_over()

    def run_is_gone(self) -> None:
        """The run's process has ended."""
        if not self._gone:
            self.tick()
        if self.run.state not in ("ended", "failed"):
            self._gone = "the run's process has ended without a word"
        self.tell_status()

    def fail(self, why: str) -> None:
        """This view itself has failed: whoever looks is told why nothing more is seen."""
        self._gone = f"the view has failed ({why}), and shows nothing more: the run goes on"
        self.tell_status()

    @property
    def is_over(self) -> bool:
        """Whether the run is over, or its process has ended."""
        return bool(self._gone) or self.run.state in ("ended", "failed")

    @property
    def process_is_there(self) -> bool:
        """Whether the run's process is there."""
        return self.about is None or is_there(self.about.pid)

    def _tell_wish(self, now: float) -> None:
        wants = [viewer.flow.want for viewer in self.viewers]
        self._block.wish.write(
            encode(
                Wish(
                    beat=now,
                    rate=max((want.rate for want in wants), default=0.0),
                    events=any(want.events for want in wants),
                    metrics=any(want.metrics for want in wants),
                    command=self._command.command,
                    do=self._command.do,
                    value=self._command.value,
                )
            )
        )

    def _new(self, name: str) -> bytes | None:
        """What has come into a cell since the last look."""
        cell = getattr(self._block, name)
        if cell.written() == self._read[name]:
            return None
        found = cell.read()
        if found is None:
            return None
        self._read[name] = found[0]
        data: bytes = found[1]
        return data

    def _see_scene(self) -> None:
        """See who is there. Viewers are told when it is known which run it is, too, whichever comes first."""
        about, data = self._new("about"), self._new("scene")
        if about is not None:
            self.about = _about(about)
        before = self._scene
        if data is not None:
            self._scene = _scene(data)
            self._contacts.learn(self._scene.scene.bodies)
            self._beams = {body.robot: body.beams for body in reversed(self._scene.scene.bodies) if body.robot}
        if self.about is None or self._scene is None or (about is None and data is None):
            return
        for viewer in self.viewers:
            if before is None or about is not None:
                for text in self.opening(viewer):
                    viewer.flow.say(text)
            else:
                self._tell_changes(viewer, before, self._scene)
            viewer.wake.set()

    def _tell_changes(self, viewer: Viewer, before: SceneNow, now: SceneNow) -> None:
        new: Scene = now.scene
        bodies = new.bodies[len(before.scene.bodies) :]
        gone = [slot for slot in now.gone if slot not in before.gone]
        if bodies:
            viewer.flow.say(joined_text(now.revision, now.time, list(bodies)))
        if gone:
            viewer.flow.say(written("left", revision=now.revision, t=now.time, slots=gone))

    def _see_marks(self) -> None:
        if self._scene is None or (data := self._new("marks")) is None:
            return
        changes = self._markings.take(_marks(data), self._scene.scene)
        for viewer in self.viewers:
            viewer.flow.tell_marks(changes)
            viewer.wake.set()

    def _see_state(self) -> None:
        data = self._new("state")
        if data is None:
            return
        self._state = data
        simulated, looked = HEAD.unpack_from(data)[4:6]
        self.lookback.add(data, simulated)
        if self._camera is not None:
            self._camera.saw(looked, simulated)
        if any(viewer.flow.want.events for viewer in self.viewers):
            state = unpacked(data)
            contacts = [("contact", state.time, *pair) for pair in self._contacts.find(state)]
            for viewer in self.viewers if contacts else ():
                viewer.flow.tell_events(state.time, contacts, 0)
        for viewer in self.viewers:
            viewer.flow.show(data)
            viewer.wake.set()

    def _see_picture(self) -> None:
        """Look at what the camera sees, if somebody wants to know."""
        camera = self._camera
        if camera is None or not any(viewer.flow.want.pictures for viewer in self.viewers):
            return
        picture = camera.look()
        if picture is not None:
            for viewer in self.viewers:
                viewer.flow.show_picture(picture)
                viewer.wake.set()
        if camera.trouble != self._camera_trouble:
            self._camera_trouble = camera.trouble
            for viewer in self.viewers if camera.trouble else ():
                viewer.flow.tell_events(self.run.time, [("log", self.run.time, camera.trouble)], 0)
                viewer.wake.set()

    def _see_batches(self) -> None:
        fresh = []
        for place, cell in enumerate(self._block.batches):
            if cell.written() != self._cells[place] and (found := cell.read()) is not None:
                self._cells[place] = found[0]
                fresh.append(_batch(found[1]))
        for number, batch in sorted(fresh, key=lambda each: each[0]):
            if number <= self._batches:
                continue
            missed = number - self._batches - 1 if self._batches else 0
            self._batches = number
            for name, values in batch.series.items():
                self._series.setdefault(name, Thinned()).extend(values)
            items = told(batch.items, self._beams)
            for viewer in self.viewers:
                viewer.flow.tell_events(batch.time, items, batch.skipped + missed)
                viewer.flow.tell_metrics(batch.time, batch.series)
                viewer.wake.set()

    def _see_status(self) -> bool:
        data = self._new("status")
        if data is None:
            return False
        before, self.run = self.run, _status(data)
        self._answered.set()
        return (before.state, before.pace, before.reason) != (self.run.state, self.run.pace, self.run.reason)

    def _hand_over(self) -> None:
        """The run is over, and what was recorded of it is there: that is shown from now on."""
        try:
            replay = _replay(self._block.replay_path.read_bytes())
        except (OSError, msgspec.MsgspecError):
            return
        self._replaced(replay)
        self.send_away(AGAIN, "the run is over: what was recorded of it is shown")
