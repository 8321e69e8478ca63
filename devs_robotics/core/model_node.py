"""What the simulator keeps for each atomic model, and where that model's outputs lead."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import inf
from typing import Any

from xdevs.models import Atomic as XdevsAtomic

from devs_robotics.core.model import Atomic
from devs_robotics.core.times import plain_time

TIME_ROUNDING = 2.0**-50
"""Largest relative difference between floating-point sums that mean one time."""

PortValues = Any
"""What a port keeps its values in: a list, or any other sequence that appends, extends and clears."""


class ModelNode:
    """One atomic model as the simulator sees it; the model's functions are looked up once.

    Attributes:
        model: the atomic model
        order: its place among all atomic models of the tree
        last: time of its last transition (s); kept up while the next one is due later
        next: time of its next internal event (s); infinite when it is passive
        receives: whether its bags hold something in this step
        watched: whether an observer watches it
        heard: its outputs of which observers are told: these share no list with outputs of others
        asks: whether its time advance is a function of its own, and not just sigma
        output, internal, external, confluent: its functions, or what watches them
        looked: the routes of its outputs that do not say when they are written
        values, route: of the only output of that kind, when there is but one; with more of them `values` is true and
            there is no `route`
    """

    __slots__ = (
        "asks",
        "confluent",
        "external",
        "heard",
        "internal",
        "last",
        "looked",
        "model",
        "next",
        "order",
        "output",
        "receives",
        "route",
        "values",
        "watched",
    )

    def __init__(self, model: Any, now: float) -> None:
        self.model = model
        self.order = 0
        self.last = now
        self.next = inf
        self.receives = False
        self.watched = False
        self.heard: Collection[Any] = ()
        self.asks = getattr(model.ta, "__func__", None) is not XdevsAtomic.ta
        model._sigma_left = None
        self.call_directly()
        self.forget_outputs()

    def call_directly(self) -> None:
        """Call the model's own functions, with nothing round them."""
        model = self.model
        self.output: Callable[[], None] = model.lambdaf
        self.internal: Callable[[], None] = model.deltint
        self.external: Callable[[float], None] = _overheard(model) if _has_own_continuef(model) else model.deltext
        self.confluent: Callable[[], None] = model.deltcon

    def plain(self, advance: Any) -> float:
        """A time advance of the model as a plain float, and so its sigma; raises ModelError when it is no number."""
        model = self.model
        plain = plain_time(advance, "the time advance")
        if model.sigma is advance:
            model.sigma = plain
        return plain

    def continues(self, advance: float, now: float) -> bool:
        """Whether a time advance that `continuef` has left stands for the event that was planned already.

        Sigma is then made what is left until that event. Nothing else is planned at times that rounding alone tells
        from it: `continuef` may have been given something else than the elapsed time.
        """
        due = self.next
        if not abs(now + advance - due) <= TIME_ROUNDING * due < inf:
            return False
        self.model.sigma = self.model._sigma_left = due - now
        return True

    def settle(self, now: float) -> None:
        """Make sigma after an external transition what the simulator will make it, before observers see it."""
        model = self.model
        if self.asks:
            return
        sigma = model.sigma if type(model.sigma) in (float, int) else self.plain(model.sigma)
        if sigma is model._sigma_left:
            self.continues(sigma, now)

    def forget_outputs(self) -> None:
        """Look at no output."""
        self.looked: Sequence[Route] = ()
        self.values: PortValues = ()
        self.route: Route | None = None

    def look_at(self, route: Route) -> None:
        """Look, after each output, whether something was written that takes this route."""
        self.looked = (*self.looked, route)
        alone = len(self.looked) == 1
        self.values, self.route = (route[0], route) if alone else (True, None)


def _has_own_continuef(model: XdevsAtomic) -> bool:
    """Whether a model has another `continuef` than ours, and calls it."""
    if getattr(model.continuef, "__func__", None) is Atomic.continuef:
        return False
    functions = (value for base in type(model).__mro__ for value in vars(base).values())
    return any("continuef" in code.co_names for value in functions if (code := getattr(value, "__code__", None)))


def _overheard(model: Any) -> Callable[[float], None]:
    """The external transition function of a model whose `continuef` is not ours: what that leaves is noted for it."""
    deltext, continuef = model.deltext, model.continuef

    def continued(e: float) -> None:
        continuef(e)
        model._sigma_left = model.sigma

    def external(e: float) -> None:
        model.continuef = continued
        try:
            deltext(e)
        finally:
            del model.continuef

    return external


class Nowhere:
    """Stands for the receiver of what nobody receives."""

    __slots__ = ()
    receives = True  # as if it had been told already


More = tuple[list[ModelNode], list[PortValues]]
"""Further receivers of an output, and the bags to be emptied after the step."""

Route = tuple[PortValues, ModelNode | Nowhere, More | None]
"""Where an output leads: the list that its values are written to, a receiver, and more where there are more."""
