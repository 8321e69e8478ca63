"""What a plain install has not: which extra brings it, and the sentence where it is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import NamedTuple

from devs_robotics.core.errors import DevsRoboticsError


class Package(NamedTuple):
    """A package that may be missing: what people call it, and the extra that brings it."""

    called: str
    extra: str


PACKAGES = {
    "SALib": Package("SALib", "sensitivity"),
    "PIL": Package("Pillow", "report"),
    "amqtt": Package("aMQTT", "mqtt"),
    "cv2": Package("OpenCV", "camera"),
    "cyclonedds": Package("Cyclone DDS", "ros2"),
    "distributed": Package("Dask", "dask"),
    "foxglove": Package("foxglove-sdk", "foxglove"),
    "hypothesis": Package("Hypothesis", "test"),
    "imageio_ffmpeg": Package("ffmpeg", "video"),
    "matplotlib": Package("Matplotlib", "report"),
    "paho": Package("paho-mqtt", "mqtt"),
    "pandas": Package("pandas", "notebook"),
    "py_trees": Package("py_trees", "trees"),
    "pyarrow": Package("pyarrow", "parquet"),
    "ray": Package("Ray", "ray"),
    "rosbags": Package("rosbags", "ros2"),
    "scipy": Package("SciPy", "report"),
    "serial": Package("pyserial", "serial"),
    "starlette": Package("starlette", "view"),
    "uvicorn": Package("uvicorn", "view"),
    "websockets": Package("websockets", "view"),
    "zenoh": Package("zenoh", "ros2"),
}
"""Each package that an extra brings, by the name by which it is imported."""


class MissingPackageError(DevsRoboticsError):
    """A package that is needed is not installed; the text names the extra that brings it."""


def available(module: str) -> bool:
    """Whether a package is installed; it is not imported."""
    return find_spec(module) is not None


def sentence(what: str, *modules: str) -> str:
    """What to do where packages are missing.

    Args:
        what: who needs them, and the verb: ``cameras need``
        modules: the names by which they are imported; all are of one extra
    """
    packages = [PACKAGES[module] for module in modules]
    verb = "is" if len(packages) == 1 else "are"
    called = ", ".join(package.called for package in packages)
    return f"{what} {called}, which {verb} not installed: pip install 'devs-robotics[{packages[0].extra}]'"


def remedy(error: ImportError, what: str) -> str:
    """The sentence for an import that has failed, or an empty text where it is of no package that an extra brings."""
    module = (error.name or "").partition(".")[0]
    missing = isinstance(error, ModuleNotFoundError) and module in PACKAGES and not available(module)
    return sentence(what, module) if missing else ""


@contextmanager
def needed(what: str, error: type[DevsRoboticsError] = MissingPackageError) -> Iterator[None]:
    """Imports packages that extras bring: ``with needed("cameras need"): import cv2``.

    Args:
        what: who needs them, and the verb
        error: what is raised with the sentence where one of them is missing

    Raises:
        DevsRoboticsError: `error`, where a package that an extra brings is missing
    """
    try:
        yield
    except ImportError as exc:
        if told := remedy(exc, what):
            raise error(told) from exc
        raise


def load(module: str, what: str, error: type[DevsRoboticsError] = MissingPackageError) -> ModuleType:
    """A module of such a package; see `needed`."""
    with needed(what, error):
        return import_module(module)
    raise AssertionError  # `needed` lets nothing pass
