"""What in a twin's source may give other bits on another processor, or than its model's loop does."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import numpy as np
from msgspec import Struct

from devs_robotics.core.population.population import Population

BY_PROCESSOR = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "logaddexp2", "power", "float_power"),
    *("tan", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh"),
    *("hypot", "cbrt"),
)
"""Functions of numpy whose last bits depend on the vector instructions that it finds."""

EXACT = {"exp": "exp", "log": "log", "arctan2": "atan2", "hypot": "hypot"}
"""By the name in numpy: what there is in `exact`."""

IN_ANOTHER_ORDER = ("dot", "vdot", "inner", "matmul", "einsum", "tensordot")
"""Functions of numpy that add in another order than a loop does."""


class Inexact(Struct, frozen=True):
    """A place in a twin's source.

    Attributes:
        file, line: where
        twin: name of the class
        why: what is there, and what to write instead
    """

    file: str
    line: int
    twin: str
    why: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.twin} {self.why}"


def inexact_in(twin: type[Population]) -> list[Inexact]:
    """Where the source of a twin, and of those that it is derived from, may make other bits than its models do.

    What it calls outside of these classes is not looked at, and nothing where there is no source.
    """
    found: list[Inexact] = []
    for cls in twin.__mro__:
        if cls is Population:
            break
        try:
            lines, first = inspect.getsourcelines(cls)
            file = inspect.getsourcefile(cls) or cls.__module__
        except (OSError, TypeError):  # it was written where nothing keeps the source
            continue
        space = vars(inspect.getmodule(cls) or object())
        tree = ast.parse(dedent("".join(lines)))
        expressions = (node for node in ast.walk(tree) if isinstance(node, ast.expr | ast.stmt))
        places = ((node.lineno, why) for node in expressions for why in _whys(node, space))
        found += [Inexact(file, first + line - 1, cls.__name__, why) for line, why in sorted(set(places))]
    return found


def _whys(node: ast.AST, space: Any) -> Iterator[str]:
    """What is inexact about a node itself."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
        yield "multiplies by @, which adds in another order than its model: add the columns one by one"
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_constant(node):
        yield "takes a power by **, which arrays multiply out, and numbers do not: multiply in both"
    elif isinstance(node, ast.Attribute | ast.Name):
        yield from _of_function(_object(node, space))
    elif isinstance(node, ast.Call) and _is_sum_over_the_last_axis(node):
        yield "sums over the last axis, in another order than its model: add the columns one by one"


def _of_function(function: Any) -> Iterator[str]:
    if not callable(function):
        return
    for name in BY_PROCESSOR:
        if function is getattr(np, name):
            there = f"take exact.{EXACT[name]} in both" if name in EXACT else "take + - * / sqrt sin cos and exact's"
            yield f"calls numpy.{name}, whose last bits depend on the processor: {there}"
    for name in IN_ANOTHER_ORDER:
        if function is getattr(np, name):
            yield f"calls numpy.{name}, which adds in another order than its model: add the columns one by one"
    if function == np.add.reduceat:
        yield "calls numpy.add.reduceat, which adds in another order than its model: take numpy.bincount"
    elif getattr(function, "__module__", "") == "numpy.linalg":
        yield f"calls numpy.linalg.{function.__name__}, whose last bits depend on the processor: write it out"


def _object(node: ast.AST, space: Any) -> Any:
    """What a name, or a dotted one, stands for in a module; None: nothing that is known there."""
    if isinstance(node, ast.Name):
        return space.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _object(node.value, space)
        return None if owner is None else getattr(owner, node.attr, None)
    return None


def _is_constant(node: ast.AST) -> bool:
    return not any(isinstance(each, ast.Name | ast.Attribute | ast.Call | ast.Subscript) for each in ast.walk(node))


def _is_sum_over_the_last_axis(call: ast.Call) -> bool:
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in ("sum", "mean", "cumsum"):
        return False
    axes = [keyword.value for keyword in call.keywords if keyword.arg == "axis"]
    return any(ast.unparse(axis) in ("1", "-1") for axis in axes)
