"""Holds what one robot says and hears against the protocol, as it happens."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from math import cos, hypot, inf, pi, remainder, sin
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from devs_robotics import Drive, Driven, Ranges
from devs_robotics.experimental_frames.conformance.violations import Violation
from devs_robotics.experimental_frames.convoy.conformance.messages import (
    HEARD_AT,
    INFORMS,
    SAID_AT,
    Sight,
    ValuesByPort,
    driven_detail,
    fits,
)
from devs_robotics.experimental_frames.convoy.conformance.protocol import (
    ADJUSTING,
    BACK,
    BOTH,
    DRIVES,
    FRONT,
    HELD,
    LOOKING,
    LOST,
    MOVING,
    WAITING,
    Machine,
    ProtocolMemory,
    Rule,
)
from devs_robotics.experimental_frames.convoy.conformance.violations import RULES
from devs_robotics.models.convoy.messages import Release, RoundDone, Sync

KEPT = 8
"""So many of a robot's last messages are told with a violation."""

EXACT = 1e-6
"""What a robot tells of its motions may differ by so much from what its motor says (m, rad)."""

_AFTER = {**dict.fromkeys(DRIVES, MOVING), "look": LOOKING, "give up": LOST}
"""Where a robot is taken to be after something that it should not have done."""

_DID = {
    "turn": "turned", "move": "moved", "drive": "drove", "back up": "backed up", "go on": "went on", "look": "looked",
    "inform": "told that it had completed a round", "give up": "gave up", "": "did nothing",
}  # fmt: skip


class ProtocolRole(Struct, frozen=True):
    """Who a robot is.

    Attributes:
        robot: its number
        machine: its protocol
        sight: how it tells what it sees, if it is a follower
    """

    robot: int
    machine: Machine
    sight: Sight | None = None


class Path:
    """Where motions lead, one after the other: from (0, 0) along the x axis (m, rad)."""

    def __init__(self, *motions: tuple[float, float]) -> None:
        self.x = self.y = self.heading = 0.0
        for turn, distance in motions:
            self.go(turn, distance)

    def go(self, turn: float, distance: float) -> None:
        """A turn and then a drive."""
        self.heading += turn
        self.x += distance * cos(self.heading)
        self.y += distance * sin(self.heading)

    def leads_with(self, other: Path) -> bool:
        """Whether both lead to the same place and heading."""
        turned = abs(remainder(self.heading - other.heading, 2.0 * pi))
        return hypot(self.x - other.x, self.y - other.y) < EXACT and turned < EXACT


class RobotMonitor:
    """What a robot may be doing by the protocol, followed message by message.

    Where the protocol leaves it open what a robot has decided, all that it may be doing is followed.

    Args:
        part: who it is
        report: called with each violation

    Attributes:
        memories: all that it may be doing now
        made: rules that it has followed
        unexpected: what it heard out of protocol, how often
        informed: when it completed each round (s)
        messages: that it has said and heard
        spent: time in each state (s)
    """

    def __init__(self, part: ProtocolRole, report: Callable[[Violation], None]) -> None:
        self.part = part
        self.memories: frozenset[ProtocolMemory] = frozenset({part.machine.start})
        self.made: set[Rule] = set()
        self.unexpected: Counter[str] = Counter()
        self.informed: list[float] = []
        self.messages = 0
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._report = report
        self._due: list[tuple[Rule, ProtocolMemory]] = []
        """What it has to do at once, one of these, and where it is then."""
        self._transition = ""
        """At which it is, for people."""
        self._time = 0.0
        self._path = Path()
        self._adjustments = 0
        self._last: deque[str] = deque(maxlen=KEPT)

    @property
    def state(self) -> str:
        """What it is doing, as far as that is known."""
        return min(memory.state for memory in self.memories)

    @property
    def rounds(self) -> int:
        """How many it has completed."""
        return len(self.informed)

    @property
    def is_due(self) -> bool:
        """Whether it has to do something at once."""
        return bool(self._due)

    def begin(self, time: float) -> None:
        """The simulation starts."""
        self._time = time
        if self.part.machine.kind != "follower":
            self._hear("begin", "")

    def step(self, time: float, said: ValuesByPort, heard: ValuesByPort, details: dict[str, str] | None = None) -> None:
        """What the robot said, and then heard, at one step of the simulation.

        Args:
            time: simulated (s)
            said: values by output port
            heard: values by input port
            details: what is known of the values at an input port beyond what they show
        """
        self.wait(time)
        values = {port: tuple(said[port]) for port in SAID_AT if said.get(port)}
        if values:
            for port, some in values.items():
                self._note(time, "said", port, some)
            self._say(values)
        for port, word in HEARD_AT.items():
            self._note(time, "heard", port, heard.get(port, ()))
            for value in heard.get(port, ()):
                self._account(value)
                self._hear(word, (details or {}).get(port) or self._detail(value))

    def wait(self, time: float) -> None:
        """Time passes, and with it the instant at which something was due."""
        if time <= self._time:
            return
        if self._due:
            self._transition = _transition(rule for rule, _ in self._due)
            self.tell("silence", f"did nothing, where it had to {self._due_words()}")
            self._settle(after for _, after in self._due)
        if time < inf:
            self.spent[self.state] += time - self._time
            self._time = time

    # what it hears

    def _hear(self, heard: str, detail: str) -> None:
        machine = self.part.machine
        found = [answer for memory in self.memories for answer in machine.answers(memory, heard, detail)]
        if self._due or not found:
            self.unexpected[f"{heard} ({self.state})"] += 1
            if heard == "front moved":  # its newest word counts
                self.memories = frozenset(replace(each, way=each.way and detail) for each in self.memories)
            return
        quiet = [(rule, after) for rule, after in found if not rule.does]
        self._due = [(rule, after) for rule, after in found if rule.does]
        if quiet:
            self.made.update(rule for rule, _ in quiet)
            self.memories = frozenset(after for _, after in quiet)

    def _account(self, value: Any) -> None:
        """Keep account of how it has moved since it last informed."""
        awaits = not self._due and self.state in ("turning", MOVING, ADJUSTING)
        if isinstance(value, Release) or (isinstance(value, Driven) and awaits):
            self._path.go(value.turn, value.distance)

    def _detail(self, value: Any) -> str:
        if isinstance(value, Driven):
            return driven_detail(value)
        if isinstance(value, Ranges) and self.part.sight is not None and value.values:
            return self.part.sight.detail(value.values[len(value.values) // 2])
        return ""

    # what it says

    def _say(self, values: dict[str, tuple[Any, ...]]) -> None:
        informs = not values.keys().isdisjoint(INFORMS)
        drive = values.get("motor_ask", (None,))[0]
        done = "inform" if informs else "look" if "infrared_ask" in values else "give up" if "lost" in values else ""
        followed = [(rule, after) for rule, after in self._due if _is(rule, done, drive)]
        self._transition = self._made_or_due([rule for rule, _ in followed], done, drive)
        self._check_once(values)
        if not followed:
            self._blame(done or _name(drive))
        if informs:
            self._check_inform(values)
            self._path, self._adjustments = Path(), 0
        elif self._follows and any(rule.state == LOOKING and rule.does in DRIVES for rule, _ in followed):
            self._adjustments += 1
        self.made.update(rule for rule, _ in followed)
        self._settle([after for _, after in followed] or [ProtocolMemory(_AFTER.get(done or "move", self._rest))])

    def _made_or_due(self, followed: Sequence[Rule], done: str, drive: Any) -> str:
        """The transition that it makes by what it says, or should have made, or for which it had heard nothing."""
        rules = followed or [rule for rule, _ in self._due]
        if not rules:
            rules = [rule for rule in self.part.machine.rules if rule.state == self.state and _is(rule, done, drive)]
        return _transition(rules) if rules else f"{self.state}: no transition has it {done or _name(drive)}"

    def _settle(self, memories: Iterable[ProtocolMemory]) -> None:
        self.memories, self._due = frozenset(memories), []

    @property
    def _rest(self) -> str:
        """Its state when it has completed a round."""
        return next(rule.then for rule in self.part.machine.rules if rule.does == "inform")

    def _check_once(self, values: dict[str, tuple[Any, ...]]) -> None:
        things = len(values.keys() - set(INFORMS)) + (not values.keys().isdisjoint(INFORMS))
        if things > 1:
            self.tell("once", f"did more than one thing at once: {', '.join(sorted(values))}")
        twice = [port for port, some in values.items() if len(some) > 1]
        if twice:
            self.tell("once", f"said more than one thing at once: {', '.join(twice)}")

    @property
    def _follows(self) -> bool:
        return self.part.machine.kind == "follower"

    def _check_inform(self, values: dict[str, tuple[Any, ...]]) -> None:
        """Whether everybody is told who must be, and the truth."""
        needed = {"round_done": "the frame"}
        if not self.part.machine.last:
            needed["f_ready_out"] = "its back robot"
        if self._follows:
            needed["b_ready_out"] = "its front robot"
        forgotten = [who for port, who in needed.items() if port not in values]
        if forgotten:
            self.tell("all", f"completed a round and did not tell {' and '.join(forgotten)}")
        for value in (value for port in INFORMS for value in values.get(port, ())[:1]):
            if value.robot != self.part.robot:
                self.tell("count", f"called itself robot {value.robot}")
            if isinstance(value, Sync):
                told = Path((value.alpha, value.distance), (value.beta, 0.0))
                if not told.leads_with(self._path):
                    self.tell("motion", f"told {_place(told)}, and its motor {_place(self._path)}")
            elif isinstance(value, RoundDone):
                self._check_counts(value)
        self.informed.append(self._time)

    def _check_counts(self, done: RoundDone) -> None:
        if done.round != self.rounds + 1:
            self.tell("count", f"called its round {self.rounds + 1} its round {done.round}")
        if done.adjustments != self._adjustments:
            self.tell("count", f"told of {done.adjustments} adjustments and made {self._adjustments}")

    def _blame(self, done: str) -> None:
        """Tell by which rule it should not have done that."""
        state, did = self.state, _DID[done]
        if self._due:
            self.tell("order", f"{did}, where it had to {self._due_words()}")
        elif state in HELD and done in DRIVES:
            self.tell("held", f"{did} while Avoid had its motor")
        elif state in (FRONT, BOTH) and done not in ("inform", "give up"):
            self.tell("front", f"{did} before its front robot had moved")
        elif state == BACK and done not in ("inform", "give up"):
            self.tell("back", f"{did} before its back robot had caught up")
        elif state in WAITING and done == "inform":
            self.tell("once", f"{did}, and had not moved since it last told so")
        else:
            self.tell("order", f"{did}, where it had nothing to do")

    def _due_words(self) -> str:
        return " or ".join(sorted({rule.does for rule, _ in self._due}))

    def tell(self, rule: str, words: str, time: float | None = None, heard: str = "") -> None:
        """Report a violation of this robot.

        Args:
            rule: key of `RULES`
            words: go on after its name
            time: simulated (s); absent: of its last message
            heard: what it is about, if it is not about what the robot has done
        """
        time = self._time if time is None else time
        transition = self._when_heard(heard) if heard else self._transition
        sentence = f"robot {self.part.robot} {words}, at {time:.6g} s, in '{transition}'"
        self._report(Violation(time, self.part.robot, rule, sentence, tuple(self._last), RULES[rule]))

    def _when_heard(self, heard: str) -> str:
        """What the protocol has it do now when it hears this."""
        rules = [rule for memory in self.memories for rule, _ in self.part.machine.answers(memory, heard)]
        return _transition(rules) if rules else f"{self.state}: {heard} -> nothing"

    def _note(self, time: float, how: str, port: str, values: Sequence[Any]) -> None:
        self.messages += len(values)
        self._last.extend(f"{time:.6g} s: {how} {value} ({port})" for value in values)


def _is(rule: Rule, done: str, drive: Any) -> bool:
    """Whether a transition does what a robot did: something by name, or a command to its motor."""
    return rule.does == done if done else isinstance(drive, Drive) and fits(rule.does, drive)


def _transition(rules: Iterable[Rule]) -> str:
    """One of these lines of the table, for people."""
    some = list(dict.fromkeys(rules))
    if len(some) == 1:
        return str(some[0])
    heard = " or ".join(dict.fromkeys(f"{rule.state}: {rule.heard}" for rule in some))
    return f"{heard} -> {' or '.join(sorted({rule.does or 'nothing' for rule in some}))}"


def _name(drive: Drive | None) -> str:
    """What to call a command that was not due."""
    if drive is None:
        return ""
    return "turn" if not drive.distance else "drive" if drive.turn else "move"


def _place(path: Path) -> str:
    heading = 180.0 / pi * remainder(path.heading, 2.0 * pi)
    return f"that it went {100.0 * path.x:.1f} cm ahead, {100.0 * path.y:.1f} cm to the left and {heading:.1f}° round"
