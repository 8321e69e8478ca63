"""How the marks of a live run have changed, for those who look, and for those who come later."""

from __future__ import annotations

from msgspec.structs import replace

from devs_robotics.view.replay import MarkChange
from devs_robotics.view.scene import Mark, Scene
from devs_robotics.view.shared import MarksNow

MOST = 5000
"""Number of changes that are kept to look back in; of older ones only what came of them."""


class Markings:
    """Keeps changes of marks.

    Args:
        most: number of changes that are kept

    Attributes:
        changes: that are kept, in the order of time
    """

    def __init__(self, most: int = MOST) -> None:
        self.changes: list[MarkChange] = []
        self._most = most
        self._differing: dict[str, Mark | None] = {}
        self._older: dict[str, Mark | None] = {}
        """What came of the changes that are kept no longer."""

    def begun(self, scene: Scene) -> Scene:
        """A scene with the marks that it had before the changes that are kept."""
        if not self._older:
            return scene
        marks = {**scene.marks, **self._older}
        return replace(scene, marks={name: mark for name, mark in marks.items() if mark is not None})

    def take(self, now: MarksNow, scene: Scene) -> list[MarkChange]:
        """Marks are so now; returns what has changed.

        Args:
            now: how they differ from those of the scene
            scene: of the run as it began
        """
        before, after = self._differing, now.changed
        names = [name for name in after if name not in before or before[name] != after[name]]
        back = [name for name in before if name not in after]  # as they were at first
        found = [MarkChange(now.time, name, after[name]) for name in names]
        found += [MarkChange(now.time, name, scene.marks.get(name)) for name in back]
        self._differing = after
        self.changes += found
        if len(self.changes) > self._most:
            old, self.changes = self.changes[: -self._most // 2], self.changes[-self._most // 2 :]
            self._older.update((change.name, change.mark) for change in old)
        return found
