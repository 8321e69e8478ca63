"""A recording, as its viewers see it."""

from __future__ import annotations

from secrets import token_hex

from devs_robotics.view.replay import Replay, rounded
from devs_robotics.view.server.messages import VERSION, scene_text, written
from devs_robotics.view.server.viewers import Hub, Thinned, Viewer


class RecordingHub(Hub):
    """A recording.

    Args:
        replay: that is shown
    """

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self._replay = replay
        self._session = token_hex(8)
        self._series: dict[str, Thinned] = {}
        for name, (times, values) in replay.series.items():
            self._series.setdefault(name, Thinned()).extend(list(zip(times, values, strict=True)))

    def history(self) -> tuple[float, dict[str, list[tuple[float, float]]]]:
        """Values over time, thinned."""
        return self._replay.timeline.end, {name: list(series.values) for name, series in self._series.items()}

    def hello(self, viewer: Viewer) -> str:
        """Which recording it is."""
        scene, timeline = self._replay.scene, self._replay.timeline
        return written(
            "hello",
            version=VERSION,
            kind="recording",
            session=self._session,
            title=scene.title,
            stage=scene.stage,
            rate=0.0,
            pace=0.0,
            control=(),
            refused="",
            follow=scene.follow,
            begin=timeline.begin,
            now=timeline.begin,
            end=timeline.end,
            chunks=len(timeline.chunks),
            series=self.history()[1],
        )

    def opening(self, viewer: Viewer) -> list[str]:
        """All but the timeline, which the page fetches."""
        return [
            self.hello(viewer),
            scene_text(1, self._replay.scene, changes=[rounded(change) for change in self._replay.marks]),
        ]

    def status(self, viewer: Viewer) -> str:
        """It has ended."""
        return written(
            "status",
            state="ended",
            t=self._replay.timeline.end,
            pace=0.0,
            late_ms=None,
            dropped=0,
            viewers=len(self.viewers),
            reason="",
        )

    def chunk(self, number: int) -> bytes | None:
        """Of the timeline."""
        chunks = self._replay.timeline.chunks
        return chunks[number] if 0 <= number < len(chunks) else None
