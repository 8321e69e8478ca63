"""Which of several models or ports a wire means: what is written where it ends, if it does not simply mean all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdevs.models import Component, Port

from devs_robotics.core.diagram.numbered import Numbers, split
from devs_robotics.core.diagram.outline import CouplingView, printable

IN_PART = "in part"
"""Said where some are meant, by no simple rule."""


class WireEnd:
    """One end of a wire, where several couplings may begin or end.

    Args:
        models: that its box stands for
        ports: of the first of these models that its mark stands for
    """

    def __init__(self, models: Sequence[Component], ports: Sequence[Port[Any]]) -> None:
        self.several_models = len(models) > 1
        self.size = len(models) * len(ports)
        """How many couplings can begin or end here at one other port."""
        self._model_numbers = _differing([_numbers(model.name) for model in models])
        self._port_numbers = _differing([_numbers(port.name) for port in ports])

    def numbers(self, port: Port[Any]) -> Numbers:
        """What tells a port from the others at this end; for a single port, the numbers in its model's name."""
        of_model, of_port = _numbers(_owner(port).name), _numbers(port.name)
        if self.size == 1:
            return of_model
        return (*(of_model[place] for place in self._model_numbers), *(of_port[place] for place in self._port_numbers))

    def member(self, port: Port[Any]) -> str:
        """The name that tells a port from the others at this end."""
        return printable(_owner(port).name if self.several_models else port.name)


def note(source: WireEnd, target: WireEnd, links: Sequence[CouplingView]) -> str:
    """What to write where a wire ends.

    Nothing where it means all models and ports at both ends, and where robot 3 is coupled to port 3 and so on;
    ``k → k+1`` where each is coupled to the next; otherwise the name of the one that is meant, or ``in part``.
    """
    if source.size == target.size == 1:
        return ""
    if len(links) == source.size * target.size:
        return "all → all" if source.size > 1 and target.size > 1 else ""
    steps = {_step(source.numbers(link.source), target.numbers(link.target)) for link in links}
    if steps == {0}:
        return ""
    if len(steps) == 1 and None not in steps and (len(links) > 1 or _alike(links[0])):
        return f"k → k{steps.pop():+}"
    if len(links) == 1:
        link = links[0]
        return f"to {target.member(link.target)}" if target.size > 1 else f"from {source.member(link.source)}"
    return IN_PART


def _step(first: Numbers, second: Numbers) -> int | None:
    """By how much the second number is greater; None where these are not single numbers."""
    if first == second:
        return 0
    return second[0] - first[0] if len(first) == len(second) == 1 else None


def _alike(link: CouplingView) -> bool:
    """Whether the models at both ends have the same name but for numbers, so that these can be compared."""
    first, second = (split(_owner(port).name)[0] for port in (link.source, link.target))
    return first == second


def _owner(port: Port[Any]) -> Component:
    assert port.parent is not None
    return port.parent


def _numbers(name: str) -> Numbers:
    return split(printable(name))[1]


def _differing(numbers: Sequence[Numbers]) -> list[int]:
    """At which places numbers differ."""
    columns = zip(*numbers, strict=True)
    return [place for place, column in enumerate(columns) if len(set(column)) > 1]
