"""Parts of experimental frames that a scenario names: generators, transducers and acceptors of anybody's."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from math import inf, isinf
from numbers import Real
from typing import Any, get_type_hints

import msgspec
import numpy as np
from msgspec.structs import replace
from xdevs.models import Atomic, Component, Coupled

from devs_robotics import DevsRoboticsError, Port
from devs_robotics.core.naming import load_class
from devs_robotics.core.user_code import printable, user_code
from devs_robotics.experimental_frames.frame.experiment import Experiment
from devs_robotics.experimental_frames.frame.metric import Metric, Result, measured_by, metrics_of
from devs_robotics.experimental_frames.frame.taps import TapError, drive, tap
from devs_robotics.experimental_frames.frame.verdict import Verdict

Patterns = Mapping[str, Sequence[str]]
"""Patterns of ports by the name of a part's own port."""

SHOWN = 80
"""Characters of a wrong result that are told."""


class PartError(DevsRoboticsError):
    """A part that cannot be what a scenario wants it to be.

    Attributes:
        key: dotted, of the part's table, where the mistake is
        sentence: what it is, and the remedy
        kept: of results, those that are in order
    """

    def __init__(self, name: str, key: str, sentence: str, kept: Mapping[str, Result] = {}) -> None:
        super().__init__(name, key, sentence, kept)
        self.kept = kept
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

    def unmade(why: str) -> PartError:
        return PartError(name, "", f"{cls.__name__} cannot be made, its __init__ raises {why}: mend the class")

    with user_code(unmade):
        try:
            part = cls(name, **{key: _converted(value, hints.get(key, Any)) for key, value in keys.items()})
        except (TypeError, ValueError, DevsRoboticsError) as exc:
            why = printable(exc.__str__)
            raise PartError(name, "", f"{cls.__name__} cannot be made with these keys: {why}") from exc
    if not isinstance(part, Component) or getattr(part, "name", None) != name:
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


def metrics_of_parts(parts: Mapping[str, Component]) -> tuple[Metric, ...]:
    """The metrics that a frame's parts declare, by the names of their columns: ``frames.<part>.<metric>``.

    Where several parts have a metric of the same title, each title also names its part.
    """
    found = [(part, each) for part, model in parts.items() for each in metrics_of(type(model))]
    titles = Counter(each.title for _, each in found)
    return tuple(
        replace(
            each,
            name=f"frames.{part}.{each.name}",
            title=each.title if titles[each.title] == 1 else f"{each.title} ({part})",
        )
        for part, each in found
    )


def results_of(part: Component) -> dict[str, Result]:
    """What a part has to say when a run is over: its declared metrics, and what its method ``result()`` returns.

    Returns:
        what can be written down, by its names

    Raises:
        PartError: it failed, or returned something else than numbers and words by name; `kept` has the rest of it
    """
    with user_code(lambda why: PartError(part.name, "", f"a metric of it failed: {why}")):
        declared = measured_by(part)
    with user_code(lambda why: PartError(part.name, "", f"result() failed: {why}")):
        result = getattr(part, "result", None)
        given = result() if callable(result) else {}
        try:
            items = [*declared.items(), *dict(given).items()]
        except (TypeError, ValueError):
            raise _no_result(part, given) from None
    kept: dict[str, Result] = {}
    wrong: list[tuple[Any, Any]] = []
    for key, value in items:
        plain = _plain(value) if isinstance(key, str) and key.isidentifier() else None
        if plain is None:
            wrong.append((key, value))
        else:
            kept[str(key)] = plain
    for key, value in wrong:
        if key in declared and value is declared[key]:
            sentence = f"its metric {key} must be a finite number, NaN or a word, not {_in_short(value)[:SHOWN]}"
            raise PartError(part.name, "", sentence, kept)
    if wrong:
        raise _no_result(part, dict(wrong), kept)
    return kept


def _no_result(part: Component, given: Any, kept: Mapping[str, Result] = {}) -> PartError:
    shown = _in_short(given)
    if isinstance(given, dict):
        shown = f"{{{', '.join(f'{_in_short(key)}: {_in_short(value)}' for key, value in given.items())}}}"
    shown = shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 3]}..."
    sentence = f"result() must give numbers and words by name, such as {{'jerk_m': 0.1}}, not {shown}"
    return PartError(part.name, "", sentence, kept)


def _in_short(value: Any) -> str:
    return printable(lambda: repr(value)) or f"a {type(value).__name__}"


def _plain(value: Any) -> Result | None:
    """A number or a word as results have them; None where it is neither, or is one that no file can hold."""
    if isinstance(value, np.generic | np.ndarray) and value.ndim == 0:
        value = value.item()
    try:
        if isinstance(value, str):
            return str(value.encode(), "utf-8")
        number = float(value) if isinstance(value, Real | Decimal) else inf
    except (TypeError, ValueError, ArithmeticError):  # a lone surrogate, or an integer beyond all floats
        return None
    return None if isinf(number) else number


def _check_keys(name: str, cls: type, keys: Mapping[str, Any]) -> Iterator[PartError]:
    """Hold the keys of a part's table against the arguments of its class, but for the first, which is its name."""
    try:
        parameters = inspect.signature(cls).parameters
    except (TypeError, ValueError):  # a class in C, say, or one that hides them
        yield PartError(name, "model", f"{cls.__name__} does not say which arguments it takes: give it an __init__")
        return
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
    except msgspec.ValidationError:
        raise
    except Exception:  # an annotation that has no plain values, or whatever somebody's type raises
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
