"""The mutants of a module: the operators of cosmic-ray that make subtle mistakes, and one that forgets a statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import count
from typing import Any

from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from parso.python.tree import PythonLeaf

NAMES = (
    *(f"ReplaceBinaryOperator_{swap}" for swap in ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Div")),
    *(f"ReplaceBinaryOperator_{swap}" for swap in ("Mod_Mul", "Pow_Mul", "LShift_RShift", "RShift_LShift")),
    *(f"ReplaceBinaryOperator_{swap}" for swap in ("BitAnd_BitOr", "BitOr_BitAnd")),
    *(f"ReplaceComparisonOperator_{swap}" for swap in ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_Gt", "Gt_Lt")),
    *(f"ReplaceComparisonOperator_{swap}" for swap in ("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is")),
    *("ReplaceUnaryOperator_Delete_USub", "ReplaceUnaryOperator_Delete_Not", "AddNot"),
    *("ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ExceptionReplacer", "NumberReplacer"),
    *("RemoveDecorator", "ZeroIterationForLoop"),
)
"""Of the operators of cosmic-ray; others make mistakes that nobody makes."""


class ForgetStatement:
    """Replaces an assignment or a call that stands by itself by ``pass``: a forgotten reset, a step left out."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Where a statement could be forgotten."""
        if node.type == "expr_stmt" or (node.type == "atom_expr" and node.parent.type == "simple_stmt"):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> PythonLeaf:
        """Forget it."""
        return PythonLeaf("pass", node.start_pos, node.get_first_leaf().prefix)


@dataclass(frozen=True)
class Mutant:
    """A module with one mistake in it.

    Attributes:
        module: path of the file, from the project's root
        operator: what made it
        line: where it is, from 1
        before, after: the line as it should be, and as it is
        text: of the whole module
    """

    module: str
    operator: str
    line: int
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.before}  ->  {self.after}"


def mutants(module: str, text: str) -> list[Mutant]:
    """Each mutant of a module once, without those that mean the same as the module."""
    seen = {_meaning(text)}
    found = []
    for name, operator in _operators().items():
        for changed in _changed(text, operator):
            try:
                meaning = _meaning(changed)
            except SyntaxError:  # what no interpreter takes, nobody has to notice
                continue
            if meaning not in seen:
                seen.add(meaning)
                found.append(Mutant(module, name, *_difference(text, changed), changed))
    return sorted(found, key=lambda mutant: (mutant.line, mutant.operator, mutant.after))


def _changed(text: str, operator: Any) -> Iterator[str]:
    """What an operator makes of a text, one occurrence after the other."""
    for occurrence in count():
        try:
            changed = mutate_code(text, operator, occurrence)
        except AttributeError:  # of cosmic-ray, where one of several exceptions is named with its module
            continue
        if changed is None:
            return
        yield changed


@cache
def _operators() -> dict[str, Any]:
    return {name: get_operator(f"core/{name}")() for name in NAMES} | {"ForgetStatement": ForgetStatement()}


def _difference(text: str, changed: str) -> tuple[int, str, str]:
    before, after = text.splitlines(), changed.splitlines()
    for kind, first, last, other_first, other_last in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if kind != "equal":
            lines, others = before[first:last], after[other_first:other_last]
            return first + 1, " ".join(line.strip() for line in lines), " ".join(line.strip() for line in others)
    raise AssertionError("a mutant whose meaning differs has another text")


class _Bare(ast.NodeTransformer):
    """Leaves out what no run depends on: annotations and types, documentation, and what only type checkers read."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        """A star that makes arguments keywords is no multiplication."""
        self.generic_visit(node)
        node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        node.defaults += [default for default in node.kw_defaults if default is not None]
        node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        node.decorator_list = [each for each in node.decorator_list if not _is_abstract(each)]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        node.annotation = ast.Constant(None)
        says_only_its_type = node.value is None and isinstance(node.target, ast.Attribute)
        return ast.Pass() if says_only_its_type else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        return ast.Pass() if _names_a_type(node) else self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return ast.Pass() if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        typing_only = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return ast.Pass() if typing_only else self.generic_visit(node)


def _is_abstract(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in ("abstractmethod", "override", "overload")


def _names_a_type(node: ast.Assign) -> bool:
    """Whether it is an alias or a type variable: one that runs depend on is missed as soon as it is forgotten."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not target.id[0].isupper():
        return False
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("TypeVar", "ParamSpec")
    return isinstance(value, ast.Subscript) and not target.id.isupper()


def _meaning(text: str) -> str:
    """A text that is the same for modules that do the same, as far as their syntax tells."""
    return ast.dump(_Bare().visit(ast.parse(text)))
