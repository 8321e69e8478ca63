"""Leaves of behaviour trees that go by what a decision model hears, and by simulated time.

All are *quiet*: a tick that nothing has happened before does nothing in them. Their status follows from the board,
answers, and deadlines that were set when they were entered; they send when they are entered, and never while they run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from devs_robotics import Exchange, Port

if TYPE_CHECKING:
    from devs_robotics.models.trees.tree import BehaviourTree

T = TypeVar("T")


class TreeLeaf(Behaviour):
    """Base of leaves that know the model that they are in; any other behaviour of py_trees may be a leaf, too.

    Attributes:
        tree: the decision model; there is none before a simulation starts
        quiet: whether a tick without news does nothing in it; leaves that are not are ticked at every instant of the
            grid while they are reached
    """

    tree: BehaviourTree
    quiet = True

    def callables(self) -> tuple[Any, ...]:
        """What it was given that may be a function, to be checked at assembly."""
        return ()


class Check(TreeLeaf):
    """A condition: success where a test holds, else failure.

    Args:
        test: of nothing; it may read the board, and ask `BehaviourTree.passed` and `fresh`
        polls: whether the test reads anything else that changes, and has to be made at every tick
    """

    def __init__(self, name: str, test: Callable[[], bool], *, polls: bool = False) -> None:
        super().__init__(name)
        self.test = test
        self.quiet = not polls

    def update(self) -> Status:
        """Test."""
        return Status.SUCCESS if self.test() else Status.FAILURE

    def callables(self) -> tuple[Any, ...]:
        """The test."""
        return (self.test,)


class Perform(TreeLeaf):
    """Asks a sensor, or commands an actuator, when it is entered, and runs until the answer comes.

    Every question and command has one answer, in their order. One that is interrupted is not waited for any more; its
    answer, if it comes still, is nobody's.

    Args:
        exchange: a `Sensor` or an `Actuator` of the decision model, ``self.motor`` say
        message: what is said, or a function of nothing that makes it
        accept: whether an answer is a success; each is, where nothing is given
        cancel: what is said when it is interrupted, if anything
    """

    def __init__(
        self,
        name: str,
        exchange: Exchange[Any, Any],
        message: Any,
        accept: Callable[[Any], bool] | None = None,
        cancel: Any = None,
    ) -> None:
        super().__init__(name)
        self.exchange, self.message, self.accept, self.cancel = exchange, message, accept, cancel
        self.behind = 0
        """How many answers come still until its own has come."""
        self.answer: Any = None

    def initialise(self) -> None:
        """Ask, or command."""
        self.answer = None
        self.behind = self.tree.ask(self.exchange, _made(self.message))

    def update(self) -> Status:
        """Success or failure by the answer; running until it is there."""
        if self.behind > 0:
            return Status.RUNNING
        return Status.SUCCESS if self.accept is None or self.accept(self.answer) else Status.FAILURE

    def terminate(self, new_status: Status) -> None:
        """Cancel what is under way."""
        if new_status is Status.INVALID and self.status is Status.RUNNING and self.behind > 0:
            self.behind = 0
            if self.cancel is not None:
                self.tree.ask(self.exchange, _made(self.cancel))

    def hear(self, answer: Any) -> bool:
        """Take an answer of its exchange; returns whether it is its own."""
        if self.behind <= 0:
            return False
        self.behind -= 1
        if self.behind == 0:
            self.answer = answer
        return self.behind == 0

    def callables(self) -> tuple[Any, ...]:
        """What makes the messages, and the test of answers."""
        return (self.message, self.accept, self.cancel)


class Deliver(TreeLeaf):
    """Sends a message through an output port when it is ticked, and succeeds.

    Args:
        port: an output port of the decision model
        message: what is sent, or a function of nothing that makes it
    """

    def __init__(self, name: str, port: Port[Any], message: Any) -> None:
        super().__init__(name)
        self.port, self.message = port, message

    def update(self) -> Status:
        """Send."""
        self.tree.send(self.port, _made(self.message))
        return Status.SUCCESS

    def callables(self) -> tuple[Any, ...]:
        """What makes the message."""
        return (self.message,)


class Pause(TreeLeaf):
    """Runs for some simulated time, and then succeeds.

    Args:
        seconds: from the tick at which it is entered (s)
    """

    def __init__(self, name: str, seconds: float) -> None:
        super().__init__(name)
        self.seconds = seconds
        self.until = 0.0

    def initialise(self) -> None:
        """Set the deadline."""
        self.until = self.tree.now + self.seconds

    def update(self) -> Status:
        """Success from the deadline on."""
        return Status.SUCCESS if self.tree.passed(self.until) else Status.RUNNING


class TimeLimit(Decorator):
    """Fails, and interrupts its child, when the child has run for some simulated time.

    Args:
        child: any node
        seconds: from the tick at which it is entered (s); a child that is done at that very tick is done
    """

    tree: BehaviourTree
    quiet = True

    def __init__(self, name: str, child: Behaviour, seconds: float) -> None:
        super().__init__(name, child)
        self.seconds = seconds
        self.until = 0.0

    def initialise(self) -> None:
        """Set the deadline."""
        self.until = self.tree.now + self.seconds

    def update(self) -> Status:
        """The child's status, and failure where it still runs at the deadline."""
        running = self.decorated.status is Status.RUNNING
        return Status.FAILURE if running and self.tree.passed(self.until) else self.decorated.status


def _made(message: Any) -> Any:
    return message() if callable(message) else message
