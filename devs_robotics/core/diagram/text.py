"""The model tree as text, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from xdevs.models import Component

from devs_robotics.core.diagram.numbered import fold, told
from devs_robotics.core.diagram.outline import FEWEST_FOLDED, ModelView, PortView, link_text, outline, printable

NARROWEST_LINE = 40
"""Smallest width of a line, however deep it stands (columns)."""

LABEL = 5
"""Width of the labels before ports and couplings (columns)."""


def tree_text(model: Component, *, depth: int | None = None, everything: bool = False, width: int = 100) -> str:
    """The model tree: a line for each model with its class, then its ports, its couplings and its components.

    Siblings of one shape whose names differ by numbers only are shown once, and so are such ports and couplings.

    Args:
        model: atomic or coupled, ours or anyone's for xdevs
        depth: how many levels of coupled models are opened; None for all
        everything: whether each model, port and coupling is shown, siblings of one shape too
        width: where lines of ports are wrapped (columns)

    Raises:
        DevsRoboticsError: the depth is not positive
    """
    root = outline(model, depth=depth, everything=everything)
    lines = [_title(root), *_facts(root, "", width, everything)]
    pending = _branches(root, "")
    while pending:
        block, others, before, last = pending.pop()
        inner = before + ("    " if last else "│   ")
        lines.append(f"{before}{'└── ' if last else '├── '}{_title_of_others(block) if others else _title(block)}")
        if others:
            lines += _labelled("but", _wrapped(block.differences, _room(f"{inner}    ", width)), f"{inner}    ")
        else:
            lines += _facts(block, inner, width, everything)
            pending += _branches(block, inner)
    return "\n".join(lines)


def _branches(block: ModelView, before: str) -> list[tuple[ModelView, bool, str, bool]]:
    """What stands below a block, last first: each child, and the siblings that it is shown for."""
    entries = [(child, others) for child in block.children for others in (False, True)[: len(child.models)]]
    return [(*entry, before, number == 0) for number, entry in enumerate(reversed(entries))]


def _title(block: ModelView) -> str:
    title = f"{printable(block.model.name)}: {block.class_name}"
    if block.hidden:
        title += f" ({block.hidden} component{'s' if block.hidden > 1 else ''} not shown)"
    elif block.coupled and not block.children:
        title += " (no components)"
    return title


def _title_of_others(block: ModelView) -> str:
    return f"{told([printable(model.name) for model in block.models[1:]])}: as {printable(block.model.name)}"


def _facts(block: ModelView, before: str, width: int, everything: bool) -> Iterator[str]:
    """Ports and couplings."""
    before += "│   " if block.children else "    "
    room = _room(before, width)
    for label, ports in (("in", block.inputs), ("out", block.outputs)):
        yield from _labelled(label, _wrapped([_port(port) for port in ports], room), before)
    for kind in ("EIC", "IC", "EOC"):
        texts = [link_text(block.model, link) for link in block.links if link.kind == kind]
        if not everything:
            texts = [folded.text for folded in fold(texts, FEWEST_FOLDED)]
        yield from _labelled(kind, texts, before)


def _room(before: str, width: int) -> int:
    return max(NARROWEST_LINE, width - cell_len(before)) - LABEL


def _port(port: PortView) -> str:
    return f"{port.name}: {port.type} ({port.loose})" if port.loose else f"{port.name}: {port.type}"


def _wrapped(items: Sequence[str], room: int) -> list[str]:
    """Items with commas between them, as many in a line as there is room for."""
    lines: list[str] = []
    for item in items:
        if lines and cell_len(lines[-1]) + cell_len(item) + len(", ,") <= room:
            lines[-1] += f", {item}"
        else:
            if lines:
                lines[-1] += ","
            lines.append(item)
    return lines


def _labelled(label: str, texts: Sequence[str], before: str) -> Iterator[str]:
    for number, text in enumerate(texts):
        yield f"{before}{label if number == 0 else '':<{LABEL}}{text}"
