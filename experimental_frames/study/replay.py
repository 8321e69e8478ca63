"""Continuity by replay: what a decision model heard in a stage, played to a fresh one, makes it say the same.

It holds of every case study and every stage: robots whose motions noise has touched go other ways, and still each
decision model must say what it says by what it hears, and by nothing else. A model that reads the wall clock, or random
numbers that are not its own, fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from xdevs.models import Atomic, Port

from devs_robotics import Activity
from devs_robotics.core.errors import ModelError
from devs_robotics.core.observe import Observer
from devs_robotics.core.observe.describing import value_text
from devs_robotics.core.observe.observer import TransitionKind
from devs_robotics.core.user_code import user_code
from devs_robotics.experimental_frames.study.decisions import path_from_robot

Bags = dict[str, tuple[Any, ...]]
"""Values by the name of a port."""


class HeardTransition(Struct):
    """One transition of a decision model, with what it had said just before, and what it heard.

    Attributes:
        kind: internal, external or confluent
        time: simulated (s)
        elapsed: since the last transition, as it was given to the model (s)
        said: by its output function, before an internal or a confluent transition
        heard: the bags of an external or a confluent transition
    """

    kind: TransitionKind
    time: float
    elapsed: float
    said: Bags = field(default_factory=dict)
    heard: Bags = field(default_factory=dict)


class Hearing(Observer):
    """Records of each decision model all transitions, what it heard and what it said.

    Attributes:
        transitions: by the model's path from its robot on, in their order
    """

    def __init__(self) -> None:
        self.transitions: dict[str, list[HeardTransition]] = {}
        self._paths: dict[Atomic, str] = {}
        self._said: dict[Atomic, Bags] = {}
        self._heard: dict[Atomic, Bags] = {}

    def started(self, time: float, models: Sequence[Atomic]) -> None:
        """Learn of the models that are there."""
        for model in models:
            self.joined(time, model)

    def joined(self, time: float, model: Atomic) -> None:
        """Learn of one more model."""
        if not isinstance(model, Activity):
            self._paths[model] = path_from_robot(model)
            self.transitions.setdefault(self._paths[model], [])

    def sent(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Keep what a decision model says until its transition."""
        if model in self._paths:
            self._said.setdefault(model, {})[port.name] = values

    def received(self, time: float, model: Atomic, port: Port[Any], values: tuple[Any, ...]) -> None:
        """Keep what a decision model hears until its transition."""
        if model in self._paths:
            self._heard.setdefault(model, {})[port.name] = values

    def changed(self, time: float, model: Atomic, kind: TransitionKind, elapsed: float) -> None:
        """Record a transition."""
        path = self._paths.get(model)
        if path is not None:
            said, heard = self._said.pop(model, {}), self._heard.pop(model, {})
            self.transitions[path].append(HeardTransition(kind, time, elapsed, said, heard))


class ReplayDifference(Struct, frozen=True):
    """The first thing that a decision model said otherwise when it heard the same again.

    Attributes:
        model: its path, from the robot on
        time: simulated, in the run (s)
        port: its name; empty where the model failed
        then, now: the values in words; empty where there were none
    """

    model: str
    time: float
    port: str
    then: str
    now: str

    def __str__(self) -> str:
        if not self.port:
            return f"{self.model}, played what it heard until {self.time:.3f} s, {self.now}"
        place = f"{self.model}.{self.port} at {self.time:.3f} s"
        return f"{place} said {self.then or 'nothing'}, and {self.now or 'nothing'} when it heard the same again"


class ReplayedDecisions(Struct, frozen=True):
    """What came of playing a run's decision models what they heard.

    Attributes:
        models: how many there were
        outputs: how many values were held against each other
        difference: the first one, by time; None if there is none
    """

    models: int
    outputs: int
    difference: ReplayDifference | None

    @property
    def holds(self) -> bool:
        """Whether there was something to be held against each other, and it was the same."""
        return self.difference is None and self.outputs > 0


def replayed(heard: Mapping[str, Iterable[HeardTransition]], fresh: Mapping[str, Atomic]) -> ReplayedDecisions:
    """Play fresh decision models, alone and without any clock, what those of a run heard.

    Args:
        heard: the transitions of each model of a run, by its path from the robot on
        fresh: new models, as a new run begins with, by the same paths; they are used up
    """
    outputs, differences = 0, []
    for path, transitions in heard.items():
        model = fresh.get(path)
        if model is None:
            differences.append(ReplayDifference(path, 0.0, "", "", "is not there in the stage fast"))
            continue
        values, difference = _play(path, model, transitions)
        outputs += values
        if difference is not None:
            differences.append(difference)
    first = min(differences, key=lambda each: each.time, default=None)
    return ReplayedDecisions(len(heard), outputs, first)


def _play(path: str, model: Atomic, transitions: Iterable[HeardTransition]) -> tuple[int, ReplayDifference | None]:
    """One model; returns how many values were the same, and the first difference."""
    outputs, time = 0, 0.0
    try:
        with user_code(lambda why: ModelError(f"fails: {why}")):
            model.initialize()
            for each in transitions:
                time = each.time
                if each.kind != "external":
                    said = _said(model)
                    outputs += sum(map(len, each.said.values()))
                    for port in sorted({*said, *each.said}):
                        then, now = each.said.get(port, ()), said.get(port, ())
                        if then != now:
                            return outputs, ReplayDifference(path, time, port, _words(then), _words(now))
                _transition(model, each)
    except ModelError as exc:
        return outputs, ReplayDifference(path, time, "", "", str(exc))
    return outputs, None


def _said(model: Atomic) -> Bags:
    """What its output function says now."""
    for port in model.out_ports:
        port.clear()
    model.lambdaf()
    said = {port.name: tuple(port.values) for port in model.out_ports if port}
    for port in model.out_ports:
        port.clear()
    return said


def _transition(model: Atomic, each: HeardTransition) -> None:
    for name, values in each.heard.items():
        port = model.input[name]
        port.clear()
        for value in values:
            port.add(value)
    if each.kind == "internal":
        model.deltint()
    elif each.kind == "external":
        model.deltext(each.elapsed)
    else:
        model.deltcon()
    for name in each.heard:
        model.input[name].clear()


def _words(values: tuple[Any, ...]) -> str:
    return ", ".join(map(value_text, values))
