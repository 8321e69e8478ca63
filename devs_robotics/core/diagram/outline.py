"""What a diagram of a model shows: models, ports and couplings, repeated siblings told once.

Text and picture are two ways to write down the same outline; `devs_robotics.drawing` draws the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import UnionType
from typing import Any, Literal

from msgspec import Struct
from xdevs.models import Component, Coupled, Port

from devs_robotics.core.diagram.numbered import fold, told
from devs_robotics.core.errors import DevsRoboticsError
from devs_robotics.core.ports import type_name, types_agree

FEWEST_FOLDED = 3
"""Smallest number of siblings, ports or couplings, differing by numbers only, that are told in one."""

CouplingKind = Literal["EIC", "IC", "EOC"]


class PortView(Struct, frozen=True, eq=False):
    """A port as it is shown, or several that differ by numbers only.

    Attributes:
        ports: the ports of the first model of the block
        name: for instance ``motor{1..30}_ask``
        type: what they carry
        loose: where nothing is coupled to them, as words, or empty
    """

    ports: tuple[Port[Any], ...]
    name: str
    type: str
    loose: str


class CouplingView(Struct, frozen=True, eq=False):
    """A coupling of a coupled model.

    Attributes:
        kind: external input, internal, or external output coupling
        source: the port that values come from
        target: the port that they go to
        fault: what keeps it from working, as words, or empty
    """

    kind: CouplingKind
    source: Port[Any]
    target: Port[Any]
    fault: str


class ModelView(Struct, eq=False):
    """A model as it is shown, or siblings of one shape, of which the first is shown for all.

    Attributes:
        models: the siblings, or just one model
        name: of the model, or of all siblings
        level: 0 for the root
        inputs: of the first model
        outputs: of the first model
        children: the components of the first model
        links: its couplings
        hidden: how many components it has that are not shown
        differences: where other siblings differ from the first outside: which port, and how it is coupled
    """

    models: tuple[Component, ...]
    name: str
    level: int
    inputs: list[PortView]
    outputs: list[PortView]
    children: list[ModelView] = []
    links: list[CouplingView] = []
    hidden: int = 0
    differences: list[str] = []

    @property
    def class_name(self) -> str:
        """The class of the models."""
        return printable(type(self.model).__name__)

    @property
    def coupled(self) -> bool:
        """Whether the models are coupled models."""
        return isinstance(self.model, Coupled)

    @property
    def model(self) -> Component:
        """The model that is shown for all."""
        return self.models[0]

    def walk(self) -> Iterator[ModelView]:
        """This block and all below it, depth first, in order."""
        pending = [self]
        while pending:
            block = pending.pop()
            yield block
            pending.extend(reversed(block.children))


def outline(model: Component, *, depth: int | None = None, everything: bool = False) -> ModelView:
    """What a diagram of `model` shows.

    Args:
        model: atomic or coupled, ours or anyone's for xdevs
        depth: how many levels of coupled models are opened; None for all
        everything: whether each model, port and coupling is shown, siblings of one shape too
    """
    if depth is not None and depth < 1:
        raise DevsRoboticsError(f"a model tree cannot be opened {depth} levels deep: make the depth 1 or more")
    fewest = None if everything else FEWEST_FOLDED
    shapes = {} if everything else _shapes(model)
    root = _block((model,), 0, _Couplings([]), fewest)
    pending = [root]
    while pending:
        block = pending.pop()
        if not isinstance(block.model, Coupled):
            continue
        if depth is not None and block.level >= depth:
            block.hidden = len(block.model.components)
            continue
        block.links = links(block.model)
        couplings = _Couplings(block.links)
        block.children = [
            _block(siblings, block.level + 1, couplings, fewest)
            for siblings in _siblings(block.model.components, shapes, fewest)
        ]
        pending += block.children
    return root


def links(model: Coupled) -> list[CouplingView]:
    """All couplings of a coupled model, in order: EIC, IC, EOC."""
    present = {id(model), *map(id, model.components)}
    kinds: list[tuple[CouplingKind, Any]] = [("EIC", model.eic), ("IC", model.ic), ("EOC", model.eoc)]
    return [
        CouplingView(kind, source, target, _fault(model, present, source, target))
        for kind, couplings in kinds
        for source, targets in couplings.items()
        for target in targets
    ]


def printable(name: str) -> str:
    """A name that can stand in a line and in XML: what cannot be printed is written as an escape."""
    if name.isprintable():
        return name
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in name)


def end_name(model: Component, port: Port[Any]) -> str:
    """One end of a coupling of `model`: ``motor.done``, or ``done`` where it is the model's own port."""
    owner = port.parent
    name = printable(port.name)
    return name if owner is None or owner is model else f"{printable(owner.name)}.{name}"


def link_text(model: Component, link: CouplingView) -> str:
    """A coupling in a few words: ``generator.job → processor.job``."""
    text = f"{end_name(model, link.source)} → {end_name(model, link.target)}"
    return f"{text} ({link.fault})" if link.fault else text


class _Couplings:
    """Which ports something is coupled to, at one level of the tree."""

    def __init__(self, couplings: Iterable[CouplingView]) -> None:
        self.sources: set[Port[Any]] = set()
        self.targets: set[Port[Any]] = set()
        for link in couplings:
            self.sources.add(link.source)
            self.targets.add(link.target)


def _fault(model: Coupled, present: set[int], source: Port[Any], target: Port[Any]) -> str:
    """xdevs itself lets ports be coupled that do not fit, and components be taken away without their couplings."""
    for port in (source, target):
        if id(port.parent) not in present:
            return f"{end_name(model, port)} is not there"
    if not _holds(source, "input" if source.parent is model else "output"):
        return "cannot send: an input" if source.parent is not model else "cannot send: an output"
    if not _holds(target, "output" if target.parent is model else "input"):
        return "cannot receive: an output" if target.parent is not model else "cannot receive: an input"
    known = all(port.p_type is None or isinstance(port.p_type, type | UnionType) for port in (source, target))
    if known and not types_agree(source.p_type, target.p_type):
        return f"sends {type_name(source.p_type)}, takes {type_name(target.p_type)}"
    return ""


def _holds(port: Port[Any], side: str) -> bool:
    ports: dict[str, Port[Any]] = getattr(port.parent, side)
    return ports.get(port.name) is port


def _block(models: tuple[Component, ...], level: int, around: _Couplings, fewest: int | None) -> ModelView:
    """A block that is not opened yet; `around` are the couplings of the model that it is part of."""
    first = models[0]
    marks = [_marks(model, level == 0, around) for model in models]
    return ModelView(
        models=models,
        name=told([printable(model.name) for model in models]),
        level=level,
        inputs=_port_views(first.in_ports, marks[0], fewest),
        outputs=_port_views(first.out_ports, marks[0], fewest),
        differences=_differences(models, marks),
    )


def _marks(model: Component, root: bool, around: _Couplings) -> dict[Port[Any], str]:
    """For each port where nothing is coupled to it; the root's ports are not to be coupled outside."""
    inside = _Couplings(links(model)) if isinstance(model, Coupled) else None
    marks: dict[Port[Any], str] = {}
    for ports, outer, inner in (
        (model.in_ports, around.targets, inside.sources if inside else None),
        (model.out_ports, around.sources, inside.targets if inside else None),
    ):
        for port in ports:
            out, within = root or port in outer, inner is None or port in inner
            marks[port] = _MARKS[out, within] if inner is not None else _MARKS[out, out]
    return marks


_MARKS = {
    (True, True): "",
    (True, False): "nothing coupled inside",
    (False, True): "nothing coupled outside",
    (False, False): "nothing coupled",
}


def _differences(models: Sequence[Component], marks: Sequence[dict[Port[Any], str]]) -> list[str]:
    texts: list[str] = []
    for first, first_mark in marks[0].items():
        side = models[0].input.get(first.name) is first
        for model, own in zip(models, marks, strict=True):
            port = (model.input if side else model.output)[first.name]
            if own[port] != first_mark:
                texts.append(f"{end_name(models[0], port)}: {own[port] or 'coupled'}")
    return [folded.text for folded in fold(texts, FEWEST_FOLDED)]


def _port_views(ports: Sequence[Port[Any]], marks: dict[Port[Any], str], fewest: int | None) -> list[PortView]:
    alike: dict[tuple[str, str], list[Port[Any]]] = {}
    for index, port in enumerate(ports):
        key = (type_name(port.p_type), marks[port]) if fewest is not None else (str(index), "")
        alike.setdefault(key, []).append(port)
    views = [
        PortView(
            tuple(members[index] for index in folded.members),
            folded.text,
            printable(type_name(members[0].p_type)),
            mark,
        )
        for members in alike.values()
        for mark in [marks[members[0]]]
        for folded in fold([printable(port.name) for port in members], fewest or 1)
    ]
    order = {port: index for index, port in enumerate(ports)}
    return sorted(views, key=lambda view: order[view.ports[0]])


def _siblings(
    components: Sequence[Component], shapes: dict[int, int], fewest: int | None
) -> list[tuple[Component, ...]]:
    """Components in order, those of one shape whose names differ by numbers only together."""
    if fewest is None:
        return [(component,) for component in components]
    alike: dict[int, list[int]] = {}
    for index, component in enumerate(components):
        alike.setdefault(shapes[id(component)], []).append(index)
    groups = [
        [members[index] for index in folded.members]
        for members in alike.values()
        for folded in fold([printable(components[index].name) for index in members], fewest)
    ]
    return [tuple(components[index] for index in group) for group in sorted(groups)]


def _shapes(root: Component) -> dict[int, int]:
    """A number for each model of a tree, by id: the same for models of one class with the same inner structure."""
    order = [root]
    for model in order:
        if isinstance(model, Coupled):
            order += model.components
    numbers: dict[object, int] = {}
    shapes: dict[int, int] = {}
    for model in reversed(order):
        ports = [
            tuple((port.name, type_name(port.p_type)) for port in side) for side in (model.in_ports, model.out_ports)
        ]
        inner: tuple[object, ...] = ()
        if isinstance(model, Coupled):
            inner = (
                tuple((component.name, shapes[id(component)]) for component in model.components),
                tuple(sorted(link_text(model, link) for link in links(model))),
            )
        shapes[id(model)] = numbers.setdefault((type(model), *ports, inner), len(numbers))
    return shapes
