"""Saves a simulation between two events, and resumes it in another process.

A checkpoint is a line of JSON that says what it holds, and a pickle of the model with the times of its events. Resume
only files that you trust: a pickle can run code.
"""

from __future__ import annotations

import hashlib
import pickle
import platform
from pathlib import Path
from typing import Any

import msgspec
from xdevs.models import Component, Coupled, Port

from devs_robotics.core.errors import DevsRoboticsError, ModelError
from devs_robotics.core.files import write_atomically
from devs_robotics.core.ports import component_path, port_path
from devs_robotics.core.sources import source_hashes
from devs_robotics.core.wiring import atomic_models, components
from devs_robotics.version import __version__

CHECKPOINT_FORMAT = "devs-robotics checkpoint 1"
"""In the first line of every checkpoint; a file that says something else is refused."""


class Header(msgspec.Struct, frozen=True):
    """The first line of a checkpoint: what has to be the same where it is resumed.

    Attributes:
        format: of the file
        version: of devs-robotics
        python: version of Python, as far as pickles depend on it
        time: simulated time (s)
        structure: hash of the model tree: names, classes, ports and couplings
        sources: hash of the source of each class in the model tree, by name
        payload: hash of the pickle
    """

    format: str
    version: str
    python: str
    time: float
    structure: str
    sources: dict[str, str]
    payload: str


def write(path: Path, model: Component, time: float, state: Any) -> None:
    """Write a checkpoint, whole or not at all.

    Args:
        path: of the file
        model: the root of the model tree
        time: simulated time (s)
        state: anything that is pickled together with the model, such as what refers to its ports

    Raises:
        ModelError: a model holds something that cannot be saved
        DevsRoboticsError: the file cannot be written
    """
    payload = _pickled(model, state)
    header = Header(
        CHECKPOINT_FORMAT,
        __version__,
        _python(),
        time,
        structure(model),
        source_hashes(components(model)),
        _hash(payload),
    )
    try:
        write_atomically(path, msgspec.json.encode(header) + b"\n" + payload)
    except OSError as exc:
        raise DevsRoboticsError(f"the checkpoint {path} cannot be written: {exc.strerror}") from exc


def read(path: Path, like: Component | None) -> tuple[Component, float, Any]:
    """The model, the time and the state of a checkpoint.

    Args:
        path: of the file
        like: a model whose structure that of the saved one must have

    Raises:
        DevsRoboticsError: there is no such file, it is damaged or no checkpoint, or it is of another version of Python,
            of devs-robotics or of the model
    """
    try:
        line, _, payload = path.read_bytes().partition(b"\n")
    except OSError as exc:
        raise DevsRoboticsError(f"the checkpoint {path} cannot be read: {exc.strerror}") from exc
    try:
        header = msgspec.json.decode(line, type=Header)
    except (ValueError, RecursionError) as exc:  # of msgspec, which lets some of Python's through
        raise DevsRoboticsError(f"{path} is no checkpoint: save one with Simulator.save") from exc
    _check(path, header, payload, like)
    try:
        model, state = pickle.loads(payload)
    except Exception as exc:  # the payload is whole, so it is what it asks for that is missing
        raise DevsRoboticsError(
            f"{path} needs what is not there now ({exc}): bring that source back, or run anew"
        ) from exc
    changed = [name for name, source in source_hashes(components(model)).items() if header.sources.get(name) != source]
    if changed:
        raise DevsRoboticsError(
            f"{path} was saved with another version of {', '.join(changed)}: bring that source back, or run anew"
        )
    return model, header.time, state


def structure(model: Component) -> str:
    """A hash of a model tree: names, classes, ports and couplings, but not the states of its models."""
    return _hash("\n".join(_lines(model)).encode())


def _check(path: Path, header: Header, payload: bytes, like: Component | None) -> None:
    if header.format != CHECKPOINT_FORMAT:
        raise DevsRoboticsError(
            f"{path} is a {header.format!r}, and this version reads {CHECKPOINT_FORMAT!r}: run anew"
        )
    if header.version != __version__:
        raise DevsRoboticsError(
            f"{path} was saved by devs-robotics {header.version}, this is {__version__}: resume it with that one"
        )
    if header.python != _python():
        raise DevsRoboticsError(
            f"{path} was saved under Python {header.python}: resume it there, not under {_python()}"
        )
    if header.payload != _hash(payload):
        raise DevsRoboticsError(f"{path} is damaged or cut short: take an earlier checkpoint")
    if like is not None and header.structure != structure(like):
        raise DevsRoboticsError(
            f"{path} holds another model than {component_path(like)}: its models, ports or couplings are not the same"
        )


def _pickled(model: Component, state: Any) -> bytes:
    try:
        return pickle.dumps((model, state), protocol=5)
    except RecursionError as exc:
        raise ModelError(
            f"{component_path(model)} is nested too deeply to be saved: raise the limit with sys.setrecursionlimit"
        ) from exc
    except Exception as exc:
        for atomic in atomic_models(model):
            for name, value in vars(atomic).items():
                if name not in ("parent", "input", "output", "in_ports", "out_ports") and not _saveable(value):
                    raise ModelError(
                        f"{component_path(atomic)} cannot be saved, since its {name} is {value!r} ({exc}): keep in a "
                        f"model what can be pickled"
                    ) from exc
        raise ModelError(f"{component_path(model)} cannot be saved: {exc}") from exc


def _saveable(value: Any) -> bool:
    """Whether a value by itself can be pickled; models and ports can."""
    if isinstance(value, Component | Port):
        return True
    try:
        pickle.dumps(value, protocol=5)
    except Exception:
        return False
    return True


def _lines(model: Component) -> list[str]:
    lines: list[str] = []
    for component in components(model):
        lines.append(f"{component_path(component)} {_type_text(type(component))}")
        lines += [f"in {port.name} {_type_text(port.p_type)}" for port in component.in_ports]
        lines += [f"out {port.name} {_type_text(port.p_type)}" for port in component.out_ports]
        if isinstance(component, Coupled):
            for couplings in (component.eic, component.ic, component.eoc):
                lines += [f"{port_path(source)} {port_path(end)}" for source, ends in couplings.items() for end in ends]
    return lines


def _type_text(p_type: Any) -> str:
    """A type with its module, since two modules may have classes of one name."""
    return f"{p_type.__module__}.{p_type.__qualname__}" if isinstance(p_type, type) else str(p_type)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _python() -> str:
    return ".".join(platform.python_version_tuple()[:2])
