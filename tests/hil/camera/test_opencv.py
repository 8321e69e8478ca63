"""OpenCV is an extra."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from devs_robotics.hil.camera.opencv import CameraError, opencv


def test_where_it_is_missing_it_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(
        CameraError, match=r"cameras need OpenCV, which is not installed: pip install 'devs-robotics\[ca"
    ):
        opencv()


def test_where_it_is_too_old_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", ModuleType("cv2"))
    with pytest.raises(CameraError, match=r"cameras need OpenCV 4.7 or newer"):
        opencv()


def test_it_is_loaded_when_it_is_used_and_not_before() -> None:
    modules = "filming", "localiser", "sources", "calibration", "printing", "publishing"
    lines = [f"import devs_robotics.hil.camera.{module}" for module in modules]
    lines += [
        "import devs_robotics.scenarios.commands.camera",
        "import devs_robotics.hil.lab.overhead_view",
        "import sys",
    ]
    code = "\n".join([*lines, "assert 'cv2' not in sys.modules"])
    subprocess.run([sys.executable, "-c", code], check=True)
