"""Puts observers round the functions of the models that they watch; all other models run as if there were none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from xdevs.models import Atomic, Port

from devs_robotics.core.errors import DevsRoboticsError, ObserverError
from devs_robotics.core.model_node import ModelNode
from devs_robotics.core.observe.observer import Observer, TransitionKind
from devs_robotics.core.observe.patterns import Selection
from devs_robotics.core.ports import component_path
from devs_robotics.core.user_code import described_with_place


class Observation:
    """One observer, and what it watches.

    Args:
        observer: who is told
        patterns: of paths, see `patterns`; none means everything

    Attributes:
        models: the atomic models of which something is watched
        failed: whether the observer has failed
    """

    def __init__(self, observer: Observer, patterns: Iterable[str]) -> None:
        self.observer = observer
        self.selection = Selection(patterns)
        self.models: set[Atomic] = set()
        self.failed = False

    def tell(self, hook: str, *what: Any) -> None:
        """Call one of the observer's hooks; one that has failed, with an ObserverError, hears no more."""
        if self.failed:
            return
        try:
            getattr(self.observer, hook)(*what)
        except BaseException as exc:
            self.fail(what[0], exc)

    def fail(self, time: float, error: BaseException) -> NoReturn:
        """The observer has failed at a time (s): say so, and tell it nothing more."""
        if isinstance(error, KeyboardInterrupt):
            raise error
        self.failed = True
        why = str(error) if isinstance(error, DevsRoboticsError | OSError) else described_with_place(error)
        raise ObserverError(f"{type(self.observer).__name__} failed at {time:.9g} s: {why}") from error

    def wants(self, hook: str) -> bool:
        """Whether the observer does anything in this hook."""
        return getattr(type(self.observer), hook, None) is not getattr(Observer, hook) or hook in vars(self.observer)

    def sees(self, path: str, model: Atomic) -> bool:
        """Whether anything of the model of this path is watched."""
        return self.selection.has_model(path) or bool(self.selection.ports(path, (*model.in_ports, *model.out_ports)))


def watch(node: ModelNode, watches: Sequence[Observation], clock: Callable[[], float]) -> None:
    """Let the observers that watch a model hear of its functions; `clock` tells the simulated time."""
    if node.watched:
        node.call_directly()
        node.watched, node.heard = False, ()
    if not watches:
        return
    path, model = component_path(node.model), node.model
    seeing = [each for each in watches if each.sees(path, model)]
    node.watched = bool(seeing)
    for each in seeing:
        each.models.add(model)
    sent = _port_hooks(seeing, "sent", path, model.out_ports)
    received = _port_hooks(seeing, "received", path, model.in_ports)
    changed = [each for each in seeing if each.wants("changed") and each.selection.has_model(path)]
    if sent:
        node.heard = {port for _, port in sent}
        node.output = _output(node, sent, clock)
    if received or changed:
        kinds: list[tuple[TransitionKind, Callable[..., None]]] = [
            ("internal", node.internal),
            ("external", node.external),
            ("confluent", node.confluent),
        ]
        for kind, function in kinds:
            setattr(node, kind, _transition(node, kind, function, received, changed, clock))


PortHooks = list[tuple[Observation, Port[Any]]]


def _port_hooks(watches: list[Observation], hook: str, path: str, ports: list[Port[Any]]) -> PortHooks:
    return [(each, port) for each in watches if each.wants(hook) for port in each.selection.ports(path, ports)]


def _output(node: ModelNode, sent: PortHooks, clock: Callable[[], float]) -> Callable[[], None]:
    model = node.model
    function: Callable[[], None] = model.lambdaf
    hooks = [(each, each.observer.sent, port) for each, port in sent]

    def output() -> None:
        function()
        for each, tell, port in hooks:  # as `Observation.tell` does it, without a call more
            if port._values and not each.failed:
                try:
                    tell(clock(), model, port, tuple(port._values))
                except BaseException as exc:
                    each.fail(clock(), exc)

    return output


def _transition(
    node: ModelNode,
    kind: TransitionKind,
    function: Callable[..., None],
    received: PortHooks,
    changed: list[Observation],
    clock: Callable[[], float],
) -> Callable[..., None]:
    model, hears = node.model, kind != "internal"

    def transition(*elapsed: float) -> None:
        now = clock()
        since = now - node.last
        node.last = now  # the simulator leaves this out when the next transition comes at the same time
        if hears:
            for each, port in received:
                if port._values:
                    each.tell("received", now, model, port, tuple(port.values))
        function(*elapsed)
        if kind == "external":
            node.settle(now)
        for each in changed:
            each.tell("changed", now, model, kind, since)

    return transition
