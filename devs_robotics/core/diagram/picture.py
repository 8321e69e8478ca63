"""The model tree as a picture: each model of the outline becomes a block, each port a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len
from xdevs.models import Component, Port

from devs_robotics.core.diagram.notes import IN_PART, WireEnd, note
from devs_robotics.core.diagram.numbered import fold
from devs_robotics.core.diagram.outline import FEWEST_FOLDED, CouplingView, ModelView, PortView, outline, printable
from devs_robotics.core.ports import component_path, port_path
from devs_robotics.drawing import LONGEST_NAME, Block, Connection, Side, Terminal, block_diagram


def tree_svg(model: Component, *, depth: int | None = None, everything: bool = False) -> str:
    """A picture of the model tree: nested boxes, ports on their edges, couplings as lines; details where one points.

    Siblings of one shape whose names differ by numbers only are one box on a stack, and such ports are one port.

    Args:
        model: atomic or coupled, ours or anyone's for xdevs
        depth: how many levels of coupled models are opened; None for all
        everything: whether each model, port and coupling is shown, siblings of one shape too

    Raises:
        DevsRoboticsError: the depth is not positive
    """
    return block_diagram(picture(outline(model, depth=depth, everything=everything)))


def picture(root: ModelView) -> Block:
    """The block that shows an outline."""
    shown: dict[int, _Shown] = {}
    for view in reversed(list(root.walk())):
        shown[id(view)] = _Shown(view, [shown.pop(id(child)) for child in view.children])
    return shown[id(root)].block


class _Shown:
    """A model of the outline with its block, whose terminals stand for the view's ports.

    Args:
        view: the model
        children: its components
    """

    def __init__(self, view: ModelView, children: Sequence[_Shown]) -> None:
        self.view = view
        self.children = children
        self.ports = {_terminal("in", port): port for port in view.inputs}
        self.ports |= {_terminal("out", port): port for port in view.outputs}
        cls = type(view.model)
        paths = [printable(component_path(model)) for model in view.models]
        self.block: Block = Block(
            name=view.name,
            caption=view.class_name,
            kind=cls,
            composite=view.coupled,
            details=[*_folded(paths), printable(f"{cls.__module__}.{cls.__qualname__}")],
            count=len(view.models),
            hidden=view.hidden,
            terminals=list(self.ports),
            components=[child.block for child in children],
            connections=self._connections(),
        )

    def _connections(self) -> list[Connection]:
        """The couplings of the model, in one connection all that begins at one shown port."""
        own, ends = self.view.model, self._ends()
        ports = {terminal: port for owner in (self, *self.children) for terminal, port in owner.ports.items()}
        links: dict[Terminal, list[CouplingView]] = {}
        meant: dict[tuple[Terminal, Terminal], list[CouplingView]] = {}
        for link in self.view.links:
            source = _end(ends, link.source, "in" if link.source.parent is own else "out")
            target = _end(ends, link.target, "out" if link.target.parent is own else "in")
            if source is None or target is None:  # no longer there; a line would lead nowhere
                continue
            links.setdefault(source, []).append(link)
            meant.setdefault((source, target), []).append(link)
        self._add_notes(ports, meant)
        targets: dict[Terminal, list[Terminal]] = {}
        for source, target in meant:
            targets.setdefault(source, []).append(target)
        return [Connection(end, targets[end], *_about(begun, ports[end])) for end, begun in links.items()]

    def _ends(self) -> dict[tuple[int, str, str], Terminal]:
        """The terminal of each port here and of the components, by its model's id, its side and its name."""
        return {
            (id(model), terminal.side, port.name): terminal
            for owner in (self, *self.children)
            for model in owner.view.models
            for terminal, view in owner.ports.items()
            for port in view.ports
        }

    def _add_notes(
        self, ports: dict[Terminal, PortView], meant: dict[tuple[Terminal, Terminal], list[CouplingView]]
    ) -> None:
        """Write at terminals which of several models or ports the couplings mean that end there."""
        owners = {terminal: child.view.models for child in self.children for terminal in child.ports}
        notes: dict[Terminal, list[str]] = {}
        for ends, links in meant.items():
            first, last = (WireEnd(owners.get(end, (self.view.model,)), ports[end].ports) for end in ends)
            target = ends[1]
            if (target.side == "in") == (target in owners):  # else it is no coupling of DEVS
                notes.setdefault(target, []).append(note(first, last, links))
        for target, texts in notes.items():
            text = ", ".join(dict.fromkeys(filter(None, texts)))
            target.note = text if cell_len(text) <= LONGEST_NAME else IN_PART


def _terminal(side: Side, view: PortView) -> Terminal:
    paths = [printable(port_path(port)) for port in view.ports]
    about = f"{'input' if side == 'in' else 'output'}, {view.type}"
    return Terminal(side, view.name, [*_folded(paths), about, *filter(None, [view.loose])], bool(view.loose))


def _about(links: Iterable[CouplingView], source: PortView) -> tuple[list[str], bool]:
    """The details of a connection that stands for some couplings, and whether one of them cannot work."""
    couplings = [printable(f"{port_path(link.source)} → {port_path(link.target)}") for link in links]
    faults = list(dict.fromkeys(link.fault for link in links if link.fault))
    return [*_folded(couplings), source.type, *faults], bool(faults)


def _end(ends: dict[tuple[int, str, str], Terminal], port: Port[Any], side: str) -> Terminal | None:
    """Where a coupling ends in the picture; xdevs lets one begin at an input, and end at an output, too."""
    other = "in" if side == "out" else "out"
    return ends.get((id(port.parent), side, port.name)) or ends.get((id(port.parent), other, port.name))


def _folded(texts: list[str]) -> list[str]:
    return [folded.text for folded in fold(texts, FEWEST_FOLDED)]
