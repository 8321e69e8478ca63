"""Parts of experimental frames that a scenario names: generators, transducers and acceptors of anybody's."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_type_hints

import msgspec
from xdevs.models import Atomic, Component, Coupled

from devs_robotics import DevsRoboticsError, Port
from devs_robotics.naming import load_class
from experimental_frames.convoy.acceptor import Verdict
from experimental_frames.convoy.frame import Experiment
from experimental_frames.frames.taps import TapError, drive, tap

Result = float | str
"""What a transducer makes of its measurements: a number in SI units, or a word."""

Patterns = Mapping[str, Sequence[str]]
"""Patterns of ports by the name of a part's own port."""


class PartError(DevsRoboticsError):
    """A part that cannot be what a scenario wants it to be.

    Attributes:
        key: dotted, of the part's table, where the mistake is
        sentence: what it is, and the remedy
    """

    def __init__(self, name: str, key: str, sentence: str) -> None:
        super().__init__(name, key, sentence)
        self.key = f"frame.parts.{name}.{key}" if key else f"frame.parts.{name}"
        self.sentence = sentence

    def __str__(self) -> str:
        return f"{self.key}: {self.sentence}"


def check_part(name: str, target: str, keys: Mapping[str, Any]) -> Iterator[PartError]:
    """Every way in which there is no such part: its class is not there, or does not take its keys.

    Args:
        name: of the part
        target: ``module:Class`` of an atomic or a coupled model, whose first argument is the name
        keys: its other arguments, by their names
    """
    try:
        cls = load_class(target, "frame's part")
    except DevsRoboticsError as exc:
        yield PartError(name, "model", str(exc))
        return
    except Exception as exc:  # whatever somebody's module raises
        yield PartError(name, "model", f"{target!r} cannot be imported ({type(exc).__name__}: {exc}): mend the module")
        return
    if issubclass(cls, Atomic | Coupled):
        yield from _check_keys(name, cls, keys)
    else:
        yield PartError(
            name, "model", f"{target!r} is no model: derive it from devs_robotics.Atomic (docs/own-metrics.md)"
        )


def make_part(name: str, target: str, keys: Mapping[str, Any]) -> Component:
    """A part of a frame, from what `check_part` looks at.

    Raises:
        PartError: there is no such class, or it does not take these arguments
    """
    for mistake in check_part(name, target, keys):
        raise mistake
    cls = load_class(target, "frame's part")
    hints = _hints(cls)
    try:
        part = cls(name, **{key: _converted(value, hints.get(key, Any)) for key, value in keys.items()})
    except (TypeError, ValueError, DevsRoboticsError) as exc:
        raise PartError(name, "", f"{cls.__name__} cannot be made with these keys: {exc}") from exc
    except Exception as exc:  # whatever somebody's class raises
        raise PartError(
            name, "", f"{cls.__name__} cannot be made, its __init__ raises {type(exc).__name__}: {exc}: mend the class"
        ) from exc
    assert isinstance(part, Component)
    if getattr(part, "name", None) != name:
        raise PartError(
            name, "", f"{cls.__name__} does not take its name: call super().__init__(name) first in its __init__"
        )
    return part


def add_part(model: Experiment, part: Component, taps: Patterns, drives: Patterns) -> None:
    """Add a part to an experiment, and couple it.

    An output port of the type `Verdict` is coupled to the experiment's own, so that the part may end the run.

    Args:
        model: as yet without a simulator
        part: of a frame
        taps: patterns of output ports, by the part's input port that takes their values
        drives: patterns of input ports, by the part's output port that drives them

    Raises:
        PartError: the name is taken, the part has no such port, or no port fits a pattern or takes its values
    """
    for mistake in couple_part(model, part, taps, drives):
        raise mistake


def couple_part(model: Experiment, part: Component, taps: Patterns, drives: Patterns) -> list[PartError]:
    """The same as `add_part`, as far as it can be done; returns every mistake."""
    if any(component.name == part.name for component in model.components):
        return [PartError(part.name, "", f"{model.name} already has a model of this name: choose another one")]
    model.add_component(part)
    model.parts[part.name] = part
    mistakes: list[PartError] = []
    for kind, patterns, ports, couple in (("taps", taps, part.input, tap), ("drives", drives, part.output, drive)):
        for own, named in patterns.items():
            key, port = f"{kind}.{own}", ports.get(own)
            if not isinstance(port, Port):
                mistakes.append(PartError(part.name, key, _no_port(part, kind, list(ports))))
                continue
            try:
                couple(model, named, port)
            except TapError as exc:
                mistakes.append(PartError(part.name, key, str(exc)))
    for port in part.output.values():
        if port.p_type is Verdict:
            model.add_coupling(port, model.verdict)
    return mistakes


def results_of(part: Component) -> dict[str, Result]:
    """What a part has to say when a run is over: what its method ``result()`` returns, or nothing without one.

    Raises:
        PartError: it failed, or returned something else than numbers and words by name
    """
    result = getattr(part, "result", None)
    if not callable(result):
        return {}
    try:
        given = result()
    except Exception as exc:  # whatever somebody's class raises
        raise PartError(part.name, "", f"result() failed: {type(exc).__name__}: {exc}") from exc
    try:
        return {key: _plain(value) for key, value in dict(given).items() if _check_name(key)}
    except (TypeError, ValueError) as exc:
        raise PartError(
            part.name, "", f"result() must give numbers and words by name, such as {{'jerk_m': 0.1}}, not {given!r:.80}"
        ) from exc


def _check_name(key: object) -> bool:
    if not isinstance(key, str) or not key.isidentifier():
        raise TypeError(key)
    return True


def _plain(value: Any) -> Result:
    return value if isinstance(value, str) else float(value)


def _check_keys(name: str, cls: type, keys: Mapping[str, Any]) -> Iterator[PartError]:
    """Hold the keys of a part's table against the arguments of its class, but for the first, which is its name."""
    parameters = inspect.signature(cls).parameters
    if not parameters:
        yield PartError(name, "model", f"{cls.__name__} must take a name as its first argument, as models do")
        return
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    own = {
        key: parameter
        for key, parameter in list(parameters.items())[1:]
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    hints = _hints(cls)
    for key, value in keys.items():
        if key not in own and not takes_all:
            yield PartError(name, key, _no_key(cls, key, list(own)))
            continue
        try:
            _converted(value, hints.get(key, Any))
        except msgspec.ValidationError:
            yield PartError(name, key, f"must be {_in_words(hints[key])}, not {_shown(value)}")
    for key, parameter in own.items():
        if parameter.default is parameter.empty and key not in keys:
            yield PartError(name, key, f"is missing: {cls.__name__} needs it")


def _hints(cls: type) -> dict[str, Any]:
    """The types of the arguments that a class takes, as far as they are annotated."""
    try:
        return get_type_hints(cls.__init__)  # type: ignore[misc]
    except Exception:  # annotations that are there for type checkers only may raise anything
        return {}


def _converted(value: Any, wanted: Any) -> Any:
    """A value out of a scenario as an annotation wants it: a list, not a tuple; a float, not an int."""
    try:
        return msgspec.convert(value, wanted)
    except TypeError:  # an annotation that has no plain values
        return value


def _in_words(wanted: Any) -> str:
    known = {float: "a number", int: "a whole number", str: "a text", bool: "true or false"}
    return known[wanted] if wanted in known else getattr(wanted, "__name__", str(wanted))


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str | int | float | bool) else f"a {type(value).__name__}"


def _no_key(cls: type, key: str, own: list[str]) -> str:
    known = ["model", "taps", "drives", *own]
    near = get_close_matches(key, known, 1, 0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    takes = ", ".join(own) or "no keys of its own"
    return f"there is no such key: {hint}{cls.__name__} takes {takes}"


def _no_port(part: Component, kind: str, known: list[str]) -> str:
    direction = "input" if kind == "taps" else "output"
    there = f"it has {', '.join(known)}" if known else "it has none"
    return f"{type(part).__name__} has no such {direction} port: {there}"
