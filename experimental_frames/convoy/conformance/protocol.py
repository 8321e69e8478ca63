"""The robots' protocol as a state machine (Hu & Zeigler, section 4.1): the tables, and how to read them.

It is written from what robots say and hear, and knows nothing of how models decide. No robot moves before its front
robot has moved; each waits for its back robot; a round is predict and turn, move, adjust, inform; Avoid may take the
motor over at any time. What a robot does in answer to what it hears, it does at the same instant.

Each `Rule` is a line of a table: in this state, hearing this, under these conditions, the robot does that and is then
in that state. What no rule names is out of protocol: the robot stays as it is and does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Kind = Literal["leader", "scripted leader", "follower"]

# What a robot can be doing

BOTH, FRONT, BACK = "waits for both", "waits for its front", "waits for its back"
HELD_BOTH, HELD_FRONT, HELD_BACK = f"held, {BOTH}", f"held, {FRONT}", f"held, {BACK}"
HELD_READY, HELD_ROUND = "held, ready to go", "held in its round"
START, TURNING, MOVING, LOOKING, ADJUSTING, LOST = "at the start", "turning", "moving", "looking", "adjusting", "lost"

WAITING = (BOTH, FRONT, BACK)
HELD = (HELD_BOTH, HELD_FRONT, HELD_BACK, HELD_READY, HELD_ROUND)
"""Avoid has the motor."""

# What it can hear, in the order in which it takes what comes at one instant

HEARD = ("begin", "taken over", "handed back", "front moved", "caught up", "driven", "seen")
DETAILS = {
    "front moved": ("ahead", "aside", "not at all"),
    "driven": ("all the way", "blocked"),
    "seen by a follower": ("in place", "too close", "nothing"),
    "seen by a leader": ("free", "taken"),
}
"""What it may say: how the front robot moved, how a motion ended, what is ahead. A watcher may not know: empty."""

# What it can do: one thing at an instant

DRIVES = ("turn", "move", "drive", "back up", "go on")
DONE = (*DRIVES, "look", "inform", "give up")


class Limits(Struct, frozen=True):
    """How often a robot may do what it may not do for ever.

    Attributes:
        looks: turns of one scan of a follower
        recoveries: scans that it begins anew, a little further on, in one round
        back_ups: in one round
        centres: whether it turns to the centre of what it finds aside: "always", "never", or "it depends"
        turns: a leader's turns that lead so often round that it may give up
    """

    looks: int = 0
    recoveries: int = 0
    back_ups: int = 2
    centres: Literal["always", "never", "it depends"] = "always"
    turns: int = 0


class ProtocolMemory(Struct, frozen=True):
    """A state with what the protocol counts in it, from the beginning of the round; `way` is where the front went."""

    state: str
    looks: int = 0
    recoveries: int = 0
    back_ups: int = 0
    centred: bool = False
    turns: int = 0
    swung: bool = False
    way: str = ""


class Rule(Struct, frozen=True):
    """A line of the protocol's table.

    Attributes:
        state: in which the robot is
        heard: what it hears
        detail: what that says; empty for anything
        does: what it does at once; empty for nothing
        then: the state afterwards
        only_if: conditions, keys of `CONDITIONS`
        sets: what is remembered, keys of `EFFECTS`
        sought: tests try to bring it about; it is only allowed otherwise
    """

    state: str
    heard: str
    detail: str
    does: str
    then: str
    only_if: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    sought: bool = True

    def __str__(self) -> str:
        what = f"{self.heard} ({self.detail})" if self.detail else self.heard
        conditions = f" [{', '.join(self.only_if)}]" if self.only_if else ""
        return f"{self.state}: {what}{conditions} -> {self.does or 'nothing'}, {self.then}"


CONDITIONS: dict[str, Callable[[ProtocolMemory, Limits], bool]] = {
    "it went ahead": lambda m, limits: m.way in ("", "ahead"),
    "it went aside": lambda m, limits: m.way in ("", "aside"),
    "it did not go": lambda m, limits: m.way in ("", "not at all"),
    "looks left": lambda m, limits: m.looks < limits.looks,
    "no looks left": lambda m, limits: m.looks >= limits.looks,
    "recoveries left": lambda m, limits: m.recoveries < limits.recoveries,
    "no recoveries left": lambda m, limits: m.recoveries >= limits.recoveries,
    "back-ups left": lambda m, limits: m.back_ups < limits.back_ups,
    "no back-ups left": lambda m, limits: m.back_ups >= limits.back_ups,
    "found aside": lambda m, limits: bool(m.looks) and not m.centred and limits.centres != "never",
    "faced": lambda m, limits: not (m.looks and not m.centred and limits.centres == "always"),
    "not yet right round": lambda m, limits: m.turns <= limits.turns,
    "right round": lambda m, limits: m.turns >= limits.turns,
    "turned": lambda m, limits: bool(m.turns) and not m.swung,
    "no turn left to make": lambda m, limits: not m.turns or m.swung,
}

EFFECTS: dict[str, Callable[[ProtocolMemory], ProtocolMemory]] = {
    "a look more": lambda m: replace(m, looks=m.looks + 1),
    "a new scan": lambda m: replace(m, looks=0),
    "a recovery more": lambda m: replace(m, recoveries=m.recoveries + 1),
    "a back-up more": lambda m: replace(m, back_ups=m.back_ups + 1),
    "centred": lambda m: replace(m, centred=True),
    "a turn more": lambda m: replace(m, turns=m.turns + 1),
    "swung out": lambda m: replace(m, swung=True),
    "a new round": lambda m: ProtocolMemory(m.state),
}


def _quiet(state: str, **heard_then: str) -> tuple[Rule, ...]:
    """What a robot hears without doing anything: what, with blanks as underscores, and the state afterwards."""
    return tuple(Rule(state, heard.replace("_", " "), "", "", then) for heard, then in heard_then.items())


def _go(state: str, heard: str) -> tuple[Rule, ...]:
    """A follower begins a round: predict and turn, or move at once, or look at once where it stands right already."""
    return (
        Rule(state, heard, "", "turn", TURNING, ("it went aside",), ("a new round",)),
        Rule(state, heard, "", "move", MOVING, ("it went ahead",), ("a new round",)),
        Rule(state, heard, "", "look", LOOKING, ("it did not go",), ("a new round",)),
    )


def _inform(state: str, heard: str, detail: str, then: str, *only_if: str) -> Rule:
    return Rule(state, heard, detail, "inform", then, only_if, ("a new round",))


def _taken_over(*states: str) -> tuple[Rule, ...]:
    return tuple(Rule(state, "taken over", "", "", HELD_ROUND) for state in states)


FOLLOWER: tuple[Rule, ...] = (
    *_quiet(BOTH, front_moved=BACK, caught_up=FRONT, taken_over=HELD_BOTH),
    *_go(FRONT, "front moved"),
    *_quiet(FRONT, taken_over=HELD_FRONT),
    *_go(BACK, "caught up"),
    *_quiet(BACK, taken_over=HELD_BACK),
    *_quiet(HELD_BOTH, front_moved=HELD_BACK, caught_up=HELD_FRONT, handed_back=BOTH),
    *_quiet(HELD_FRONT, front_moved=HELD_READY, handed_back=FRONT),
    *_quiet(HELD_BACK, caught_up=HELD_READY, handed_back=BACK),
    *_go(HELD_READY, "handed back"),
    Rule(TURNING, "driven", "", "move", MOVING),
    Rule(TURNING, "driven", "", "look", LOOKING, sought=False),  # it stands right after the turn alone
    Rule(MOVING, "driven", "", "look", LOOKING),
    Rule(LOOKING, "seen", "nothing", "turn", ADJUSTING, ("looks left",), ("a look more",)),
    Rule(
        LOOKING, "seen", "nothing", "go on", ADJUSTING, ("no looks left", "recoveries left"),
        ("a new scan", "a recovery more"),
    ),
    Rule(LOOKING, "seen", "nothing", "give up", LOST, ("no looks left", "no recoveries left")),
    Rule(LOOKING, "seen", "in place", "turn", ADJUSTING, ("found aside",), ("centred", "a new scan")),
    Rule(LOOKING, "seen", "too close", "turn", ADJUSTING, ("found aside",), ("centred", "a new scan")),
    Rule(
        LOOKING, "seen", "too close", "back up", ADJUSTING, ("faced", "back-ups left"), ("a new scan", "a back-up more")
    ),
    _inform(LOOKING, "seen", "in place", BOTH, "faced"),
    _inform(LOOKING, "seen", "too close", BOTH, "faced", "no back-ups left"),
    Rule(ADJUSTING, "driven", "", "look", LOOKING),
    *_taken_over(TURNING, MOVING, LOOKING, ADJUSTING),
    Rule(HELD_ROUND, "handed back", "", "look", LOOKING, (), ("a new scan",)),
)  # fmt: skip

LEADER: tuple[Rule, ...] = (
    Rule(START, "begin", "", "look", LOOKING),
    Rule(LOOKING, "seen", "free", "move", MOVING, ("no turn left to make",)),
    Rule(LOOKING, "seen", "free", "turn", TURNING, ("turned",), ("swung out",)),
    Rule(LOOKING, "seen", "taken", "turn", TURNING, ("not yet right round",), ("a turn more",)),
    Rule(LOOKING, "seen", "taken", "give up", LOST, ("right round",)),
    Rule(TURNING, "driven", "", "look", LOOKING),
    _inform(MOVING, "driven", "all the way", BACK),
    Rule(MOVING, "driven", "blocked", "look", LOOKING),
    *_taken_over(TURNING, MOVING, LOOKING),
    Rule(HELD_ROUND, "handed back", "", "look", LOOKING),
    Rule(BACK, "caught up", "", "look", LOOKING),
    *_quiet(BACK, taken_over=HELD_BACK),
    *_quiet(HELD_BACK, caught_up=HELD_READY, handed_back=BACK),
    Rule(HELD_READY, "handed back", "", "look", LOOKING),
)

SCRIPTED_LEADER: tuple[Rule, ...] = (
    Rule(START, "begin", "", "drive", MOVING),
    _inform(MOVING, "driven", "", BACK),
    Rule(LOOKING, "seen", "free", "move", MOVING),
    Rule(LOOKING, "seen", "taken", "turn", MOVING),
    *_taken_over(MOVING, LOOKING),
    Rule(HELD_ROUND, "handed back", "", "look", LOOKING),
    Rule(BACK, "caught up", "", "drive", MOVING),
    *_quiet(BACK, taken_over=HELD_BACK),
    *_quiet(HELD_BACK, caught_up=HELD_READY, handed_back=BACK),
    Rule(HELD_READY, "handed back", "", "drive", MOVING),
)

_TABLES: dict[Kind, tuple[Rule, ...]] = {"leader": LEADER, "scripted leader": SCRIPTED_LEADER, "follower": FOLLOWER}


class Machine:
    """The protocol of one robot.

    Args:
        kind: of the robot
        last: no robot follows it, so that it waits for none
        limits: of its counts

    Attributes:
        rules: its table
        start: the state in which it begins, before it has heard anything
    """

    def __init__(self, kind: Kind, limits: Limits, *, last: bool = False) -> None:
        self.kind = kind
        self.limits = limits
        self.last = last
        self.rules = _without_back(_TABLES[kind]) if last else _TABLES[kind]
        self.start = ProtocolMemory(FRONT if kind == "follower" else START)
        self._answers: dict[tuple[str, str], list[Rule]] = {}
        for rule in self.rules:
            self._answers.setdefault((rule.state, rule.heard), []).append(rule)

    def answers(self, memory: ProtocolMemory, heard: str, detail: str = "") -> Iterator[tuple[Rule, ProtocolMemory]]:
        """What the robot may do when it hears something, and what is then remembered; nothing if out of protocol."""
        if heard == "front moved":
            memory = replace(memory, way=detail)
        for rule in self._answers.get((memory.state, heard), ()):
            if (not rule.detail or not detail or rule.detail == detail) and all(
                CONDITIONS[condition](memory, self.limits) for condition in rule.only_if
            ):
                after = replace(memory, state=rule.then)
                for effect in rule.sets:
                    after = EFFECTS[effect](after)
                yield rule, after


def _without_back(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The table of a robot that no robot follows."""
    kept = (rule for rule in rules if rule.state not in (BOTH, BACK, HELD_BOTH, HELD_BACK))
    return tuple(replace(rule, then=FRONT) if rule.does == "inform" else rule for rule in kept)
