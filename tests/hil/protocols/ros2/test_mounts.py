"""Where sensors are on a body, by chains of static transforms."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.hil.protocols.ros2.fixes import Pose
from devs_robotics.hil.protocols.ros2.messages import PlanarTransform
from devs_robotics.hil.protocols.ros2.mounts import MIDDLE, SensorMounts

poses = st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(-3.0, 3.0))


def matrix(pose: Pose) -> npt.NDArray[np.float64]:
    """Of a pose on a plane."""
    x, y, heading = pose
    cos, sin = np.cos(heading), np.sin(heading)
    return np.array([[cos, -sin, x], [sin, cos, y], [0.0, 0.0, 1.0]])


def frame(parent: str, child: str, pose: Pose) -> PlanarTransform:
    return PlanarTransform(parent=parent, child=child, x=pose[0], y=pose[1], heading=pose[2])


@given(poses, poses, poses)
def test_a_sensor_is_where_matrices_say_whichever_way_leads_to_it(foot: Pose, shell: Pose, lidar: Pose) -> None:
    """Above the body's frame, and on another branch than it; whatever is told first."""
    told = frame("foot", "base", foot), frame("foot", "shell", shell), frame("shell", "lidar", lidar)
    for order in permutations(told):
        mounts = SensorMounts()
        mounts.learn(order)
        for base, expected in (
            ("foot", matrix(shell) @ matrix(lidar)),
            ("base", np.linalg.inv(matrix(foot)) @ matrix(shell) @ matrix(lidar)),
            ("/shell", matrix(lidar)),
        ):
            assert matrix(mounts.of("/lidar", base)) == pytest.approx(expected, abs=1e-9)


def test_where_nothing_leads_from_one_to_the_other_it_is_in_the_middle() -> None:
    """Nor round a circle of frames."""
    mounts = SensorMounts()
    assert mounts.of("lidar", "base") == MIDDLE
    mounts.learn([frame("mast", "lidar", (0.1, 0.0, 1.0))])
    assert mounts.of("lidar", "base") == MIDDLE
    mounts.learn([frame("lidar", "mast", (0.1, 0.0, 1.0))])
    assert mounts.of("lidar", "mast") == MIDDLE
