"""What bodies are called in ROS: their namespaces, and the frames of REP 105 in them.

``map`` is the field (``PREFIX/map`` where all have a prefix). Each body has ``NAMESPACE/odom``, which lies on the map
since a model's odometry does not drift, and ``NAMESPACE/base_link``. A robot that is seen from outside has
``NAMESPACE/base_link`` alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from devs_robotics.core.observe.mcap_ros2 import ros_name
from devs_robotics.view.foxglove import FIELD
from devs_robotics.view.scene import SceneBody

SUFFIXES = {"real": "real", "counterpart": "counterpart"}
"""What names of these kinds end in, so that robots themselves may be called robot1, robot2 and so on."""


class BodyNames:
    """Gives each body a namespace of its own.

    Args:
        prefix: namespace of all of them; may be empty

    Attributes:
        field: frame of the field
    """

    def __init__(self, prefix: str = "") -> None:
        self._prefix = prefix
        self.field = self._in(FIELD)
        self._bodies: dict[str, SceneBody] = {}
        self._namespaces: dict[str, str] = {}
        """By the name of the body in the scene."""

    def learn(self, bodies: Iterable[SceneBody]) -> None:
        """These are there, too."""
        for body in bodies:
            if body.name in self._namespaces:
                continue
            name = ros_name(body.name)
            head, _, tail = name.rpartition("_")
            if head and tail.isdigit():  # robot 3
                name = head + tail
            if body.robot and body.kind in SUFFIXES:
                name = f"robot{body.robot}_{SUFFIXES[body.kind]}"
            if self._in(name) in self._namespaces.values():
                name = f"{name}_{body.slot}"
            self._bodies[body.name] = body
            self._namespaces[body.name] = self._in(name)

    def namespace(self, body: str) -> str:
        """The namespace of a body, by its name in the scene, without a slash at its ends."""
        if body not in self._namespaces:
            self._namespaces[body] = self._in(ros_name(body))
        return self._namespaces[body]

    def body(self, name: str) -> SceneBody | None:
        """A body by its name in the scene."""
        return self._bodies.get(name)

    def of_robot(self, number: int) -> SceneBody | None:
        """The body of a robot in the model; None where there is none."""
        found = (body for body in self._bodies.values() if body.robot == number and body.kind != "real")
        return next(found, None)

    def frame(self, name: str) -> str:
        """The frame of something in the scene: of the field, or a body's ``base_link``."""
        return self.field if name == FIELD else f"{self.namespace(name)}/base_link"

    def topic(self, name: str) -> str:
        """A topic of all bodies together: in the prefix."""
        return f"/{self._in(name)}"

    def _in(self, name: str) -> str:
        return f"{self._prefix}/{name}" if self._prefix else name
