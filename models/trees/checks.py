"""What a tree must not have in it: the wall clock, and random numbers that are not its model's."""

from __future__ import annotations

import datetime
import dis
import inspect
import random
import time
from collections.abc import Iterator
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

from py_trees import behaviours, composites, decorators, timers
from py_trees.behaviour import Behaviour

from devs_robotics import ModelError

if TYPE_CHECKING:
    from devs_robotics.models.trees.tree import BehaviourTree

INSTEAD_OF_CLOCKS = "take a Pause, a TimeLimit, or the tree's passed(), which go by simulated time"
INSTEAD_OF_CHANCE = "draw from a Stream that the model was given, system.stream(robot, 'what') in a case study"

REFUSED: dict[type, tuple[str, str]] = {
    timers.Timer: ("reads the wall clock", INSTEAD_OF_CLOCKS),
    decorators.Timeout: ("reads the wall clock", INSTEAD_OF_CLOCKS),
    behaviours.ProbabilisticBehaviour: ("draws global random numbers", INSTEAD_OF_CHANCE),
}

CLOCKS = frozenset(
    f"{name}{unit}"
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")
    for unit in ("", "_ns")
) | {"sleep", "localtime", "gmtime"}
"""Functions of the module `time`."""

CHANCE = frozenset(name for name in vars(random) if isinstance(getattr(random, name), MethodType)) | {
    name for name in ("random", "getrandbits") if hasattr(random, name)
}
"""Functions of the module `random` that draw from the one generator of the process."""

QUIET: frozenset[type] = frozenset(
    {
        behaviours.Success,
        behaviours.Failure,
        behaviours.Running,
        behaviours.Dummy,
        composites.Sequence,
        composites.Selector,
        composites.Parallel,
        decorators.Condition,
        decorators.FailureIsRunning,
        decorators.FailureIsSuccess,
        decorators.Inverter,
        decorators.OneShot,
        decorators.PassThrough,
        decorators.Repeat,
        decorators.Retry,
        decorators.RunningIsFailure,
        decorators.RunningIsSuccess,
        decorators.SuccessIsFailure,
        decorators.SuccessIsRunning,
    }
)
"""Nodes of py_trees whose status follows from that of others, and from what a tree compares."""


def nodes_of(root: Behaviour) -> list[Behaviour]:
    """All nodes, children first."""
    return list(root.iterate())


def polls(node: Behaviour) -> bool:
    """Whether a tick may do something in a node although nothing is new."""
    return type(node) not in QUIET and not getattr(node, "quiet", False)


def check_tree(tree: BehaviourTree, root: object) -> None:
    """See that a tree goes by what it hears alone.

    Raises:
        ModelError: it does not, or it is no tree; the message names the node, and what to take instead
    """
    if not isinstance(root, Behaviour):
        raise ModelError(f"grow() returned {root!r}: return the root of a py_trees tree")
    nodes = nodes_of(root)
    if len(set(map(id, nodes))) < len(nodes):
        twice = next(node for node in nodes if sum(node is each for each in nodes) > 1)
        raise ModelError(f"{_where(twice)} is in the tree twice: make one for each place")
    seen: set[int] = set()  # what one node may run, all may
    for node in nodes:
        for refused, (does, instead) in REFUSED.items():
            if isinstance(node, refused):
                raise ModelError(f"{_where(node)} is a {type(node).__name__}, which {does}: {instead}")
        if node.blackboards:
            raise ModelError(
                f"{_where(node)} uses py_trees' blackboard, which all trees of the process share: read and write "
                "the tree's own, self.board and self.write()"
            )
        if tree.tick == 0.0 and polls(node):
            raise ModelError(
                f"{_where(node)} ({type(node).__name__}) has to be ticked all the time: give the tree a tick, as "
                "0.1 s, or say quiet = True in its class where a tick without news does nothing in it"
            )
        for function in _functions_of(node):
            _check_code(_where(node), function, seen)
    for function in _own_methods(type(tree)):
        _check_code(function.__qualname__, function, seen)


def _where(node: Behaviour) -> str:
    return f"node {node.name!r}"


def _functions_of(node: Behaviour) -> Iterator[FunctionType]:
    """What a node runs that somebody has written for it."""
    yield from _own_methods(type(node))
    given = node.callables() if hasattr(node, "callables") else vars(node).values()
    for each in given:
        function: Any = each
        while isinstance(function, partial):
            function = function.func
        function = getattr(function, "__func__", function)
        if isinstance(function, FunctionType):
            yield function


def _own_methods(cls: type) -> Iterator[FunctionType]:
    """Of the classes that are neither ours nor py_trees'."""
    for base in cls.__mro__:
        if base.__module__.partition(".")[0] in ("py_trees", "abc", "xdevs", "builtins"):
            continue
        if base.__module__.startswith(("devs_robotics.models.trees.", "devs_robotics.core.")):
            continue
        for value in vars(base).values():
            function = inspect.unwrap(value) if callable(value) else getattr(value, "fget", None)
            if isinstance(function, FunctionType):
                yield function


def _check_code(where: str, function: FunctionType, seen: set[int]) -> None:
    """Refuse a function that names a clock or a global generator; with those of its module that it calls."""
    if id(function) in seen:
        return
    seen.add(id(function))
    for name, value in _used(function):
        found = forbidden_call(value)
        if isinstance(value, ModuleType) and value.__name__ in ("numpy.random", "secrets"):
            found = name, INSTEAD_OF_CHANCE
        if found is not None:
            place = f"{Path(function.__code__.co_filename).name}:{function.__code__.co_firstlineno}"
            raise ModelError(f"{where} uses {found[0]} ({place}): {found[1]}")
        if isinstance(value, FunctionType) and value.__module__ == function.__module__:
            _check_code(where, value, seen)


def _used(function: FunctionType) -> Iterator[tuple[str, object]]:
    """What the names in a function stand for, and what is taken from modules and classes: text, and object."""
    closure = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for is_global, loaded, taken in _names_in(function.__code__):
        name = loaded
        if is_global and name in function.__globals__:
            value = function.__globals__[name]
        elif not is_global and _is_full(closure.get(name)):
            value = closure[name].cell_contents
        else:
            continue
        yield name, value
        for each in taken:
            if not isinstance(value, ModuleType | type):
                break
            name, value = f"{name}.{each}", getattr(value, each, None)
            yield name, value


@cache
def _names_in(code: CodeType) -> list[tuple[bool, str, list[str]]]:
    """Names that code loads: whether global, or else of a function around; the name; what may be taken from it then."""
    found: list[tuple[bool, str, list[str]]] = []
    for each in _codes(code):
        steps = [step for step in dis.get_instructions(each) if step.opname != "EXTENDED_ARG"]
        for number, step in enumerate(steps):
            is_global = step.opname.startswith("LOAD_GLOBAL")
            if is_global or step.opname == "LOAD_DEREF":
                following = takewhile(lambda then: then.opname in ("LOAD_ATTR", "LOAD_METHOD"), steps[number + 1 :])
                found.append((is_global, str(step.argval), [str(then.argval) for then in following]))
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Code, and that of the functions in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _is_full(cell: CellType | None) -> bool:
    """Whether a variable of a function around has a value already."""
    try:
        return cell is not None and bool([cell.cell_contents])
    except ValueError:
        return False


def forbidden_call(function: Any) -> tuple[str, str] | None:
    """What a function of Python's library is that no tree may call; None for all others."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if owner is time and name in CLOCKS:
        return f"time.{name}", INSTEAD_OF_CLOCKS
    if owner is random.random.__self__ and name in CHANCE:  # type: ignore[attr-defined]
        return f"random.{name}", INSTEAD_OF_CHANCE
    if owner is datetime.datetime and name in ("now", "utcnow", "today"):
        return f"datetime.{name}", INSTEAD_OF_CLOCKS
    return None
