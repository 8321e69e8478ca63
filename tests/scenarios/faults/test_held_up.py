"""The host does not keep up: it computes, it is stopped, or a robot sends more than it can read.

Two e-pucks, which have no watchdog of their own, stand still all the same.
"""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from devs_robotics.hil.protocols import Output
from devs_robotics.hil.protocols.epuck_binary import EpuckBinary
from devs_robotics.scenarios.convoy.runs import load
from devs_robotics.scenarios.running.means import Hooks, Means
from devs_robotics.scenarios.running.run import run
from devs_robotics.scenarios.running.summary import summary
from tests.scenarios.faults.flooder import GARBAGE, VALID, Flooder
from tests.scenarios.faults.labs import BUSY, Labs, Truth, set_to, wait_for
from tests.scenarios.faults.test_host import command, wait_for_in

pytestmark = pytest.mark.wall_clock

SPEED, STEP = 0.06, 0.2
"""Of the leader (m/s, m): a move takes more than three seconds."""

EPUCKS = (
    "convoy.robots=2",
    "run.rounds=1",
    "frame.transient_rounds=0",
    "noise.dnf=0",
    "convoy.distance=16 cm",
    "robot.radius=3.7 cm",
    f"robot.speed={SPEED} m/s",
    "robot.whisker_reach=2 cm",
    "robot.back_off=2 cm",
    "infrared.range=25 cm",
    f"leader.step={STEP} m",
    "leader.clearance=25 cm",
    "follower.nearest=9 cm",
    "follower.farthest=25 cm",
    "follower.tolerance=2 cm",
    "follower.recovery_step=4 cm",
    "real.1.protocol=epuck-binary",
    "real.1.infrared=virtual",
    "real.1.whiskers=virtual",
    "real.2.protocol=epuck2-wifi",
    "real.2.infrared=virtual",
    "real.2.whiskers=virtual",
)

MOTION = 0.5
"""A robot moves so long at most (s) after its host has stopped to look after it."""

PATIENCE = 60.0
"""A command on a busy machine takes so long at most (s)."""

HELD_UP = r"this program was held up for (\d+\.\d) s: its robots were told to stop meanwhile"


@contextmanager
def epucks(folder: Path) -> Iterator[Labs]:
    with Labs(load("convoy", EPUCKS), "mqtt://127.0.0.1:1", folder).running() as labs:
        yield labs


def arguments(*settings: str, out: Path | None = None) -> list[str]:
    words = ["run", "convoy", "--stage", "loop", "--accept-risk", *set_to(*EPUCKS, *settings)]
    return [*words, "--out", str(out)] if out else words


def at(labs: Labs, *robots: int) -> list[str]:
    return [f"real.{robot}.address='{labs.address(robot)}'" for robot in robots]


def distance(truth: Truth, since: float, until: float) -> float:
    """How far a robot has gone ahead between two times (m)."""
    wait_for(lambda: truth.records()[-1].unix > until)
    xs = [record.x for record in truth.records() if since <= record.unix <= until]
    return max(xs) - min(xs)


def is_under_way(truth: Truth) -> bool:
    """Whether a robot moves, and has not only begun to."""
    records = truth.records()
    return bool(records) and records[-1].speed > 0.0 and records[-1].x - records[0].x > 0.005


def moved_before(truth: Truth, unix: float) -> bool:
    """Whether a robot moved shortly before a time, so that there was something to stop."""
    return any(unix - 1.0 < record.unix <= unix + BUSY for record in truth.moving())


@contextmanager
def driving(labs: Labs, *words: str) -> Iterator[tuple[subprocess.Popen[str], Truth]]:
    """A command that drives the leader, which has moved a bit."""
    leader = labs.truths[1]
    with command(*words) as host:
        wait_for_in(host, lambda: is_under_way(leader))
        yield host, leader


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT])
def test_e_pucks_stop_when_the_terminal_has_gone_and_results_are_written(
    number: signal.Signals, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with epucks(tmp_path) as labs, driving(labs, *arguments(*at(labs, 1, 2), out=out)) as (host, leader):
        signalled_at = time.time()
        host.send_signal(number)
        said, _ = host.communicate(timeout=PATIENCE)
        assert moved_before(leader, signalled_at)
        assert leader.still_after(signalled_at + MOTION, signalled_at + 3.0)
    assert host.returncode == 130, said
    assert "interrupted: the user interrupted the run" in said
    assert {"summary.json", "rounds.csv", "report.html"} <= {file.name for file in out.iterdir()}


def test_ctrl_z_stops_e_pucks_and_then_the_host_and_the_run_goes_on_afterwards(tmp_path: Path) -> None:
    with epucks(tmp_path) as labs, driving(labs, *arguments(*at(labs, 1, 2))) as (host, leader):
        signalled_at = time.time()
        host.send_signal(signal.SIGTSTP)
        wait_for(lambda: Path(f"/proc/{host.pid}/stat").read_text().split()[2] == "T")
        assert moved_before(leader, signalled_at)
        assert leader.still_after(signalled_at + MOTION, signalled_at + 2.0)
        host.send_signal(signal.SIGCONT)
        said, _ = host.communicate(timeout=PATIENCE)
        assert distance(leader, 0.0, time.time()) == pytest.approx(STEP, abs=0.02)  # and no less
    assert host.returncode == 0, said
    held_up = re.search(HELD_UP, said)
    assert held_up
    assert float(held_up[1]) >= 2.0


@pytest.mark.parametrize("seconds", [3.0, 8.0])
def test_a_stopped_host_costs_nothing_but_time(seconds: float, tmp_path: Path) -> None:
    """An e-puck drives on meanwhile, which nobody can help; once the host is back it stops, and nobody blames it."""
    with epucks(tmp_path) as labs, driving(labs, *arguments(*at(labs, 1, 2))) as (host, leader):
        host.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        continued_at = time.time()
        host.send_signal(signal.SIGCONT)
        said, _ = host.communicate(timeout=PATIENCE)
        assert moved_before(leader, continued_at)
        # and then makes what is left of its move, if anything is
        stops = [record.unix - continued_at for record in leader.records() if record.speed == 0.0]
        assert any(0.0 < stop <= MOTION for stop in stops)
    assert host.returncode == 0, said
    held_up = re.search(HELD_UP, said)
    assert held_up
    assert seconds - 0.5 <= float(held_up[1]) <= seconds + 2.0


def test_e_pucks_stand_still_while_a_model_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    computed: list[float] = []
    feed = EpuckBinary.feed

    def compute(self: EpuckBinary, data: bytes) -> Iterable[Output]:
        if self.robot == 1 and not computed and labs.truths[1].moves():
            computed.append(time.time())
            while time.time() < computed[0] + 5.0:
                pass
        return feed(self, data)

    monkeypatch.setattr(EpuckBinary, "feed", compute)
    with epucks(tmp_path) as labs:
        outcome = run(labs.scenario, Means(stage="loop", accept_risk=True), Hooks(tell=notes.append))
        leader, (began,) = labs.truths[1], computed
        assert moved_before(leader, began)
        assert leader.still_after(began + MOTION + BUSY, began + 5.0)
        assert distance(leader, began, began + 5.0) <= SPEED * MOTION
        assert distance(leader, 0.0, time.time()) == pytest.approx(STEP, abs=0.02)
    assert outcome.ended == "accepted", outcome.reason
    (held_up,) = [found for note in notes if (found := re.fullmatch(HELD_UP, note)) and float(found[1]) > 1.0]
    assert 5.0 <= float(held_up[1]) <= 6.5
    assert float(held_up[1]) == pytest.approx(outcome.held_up_s, abs=0.06)
    assert summary(outcome)["clock"]["held_up_s"] == outcome.held_up_s
    assert outcome.lateness is not None
    assert outcome.lateness.maximum >= 5.0


@pytest.mark.parametrize("flood", [VALID, GARBAGE], ids=["valid", "garbage"])
def test_a_robot_that_floods_is_given_up_by_name_and_no_other_one_drives_on(flood: bytes, tmp_path: Path) -> None:
    peak = 0

    def resident() -> int:
        """Memory of the host (bytes); 0 once it has ended."""
        return resource.getpagesize() * int(Path(f"/proc/{host.pid}/statm").read_text().split()[1])

    def is_over() -> bool:
        nonlocal peak
        if host.poll() is not None:
            return True
        peak = max(peak, resident())
        return False

    with epucks(tmp_path) as labs, Flooder(flood) as robot:
        lasting = "real.2.link_within=60 s"  # garbage has no answers in it, which must not end the run before
        words = arguments(*at(labs, 1), f"real.2.address={robot.address}", lasting, out=tmp_path / "out")
        with driving(labs, *words) as (host, leader):
            before = resident()
            robot.begin.set()
            wait_for(lambda: robot.sent > 0)
            wait_for(is_over, PATIENCE)
            ended = time.time()
            said, _ = host.communicate(timeout=PATIENCE)
        assert distance(leader, 0.0, ended + 1.0) <= STEP + SPEED * MOTION
        assert leader.still_after(ended, ended + 1.0)
    assert host.returncode == 3, said
    too_fast = r"sends faster than this program can read \(\d+\.\d MB without a pause\)"
    assert re.search(f"broken off: robot 2 at {robot.address} {too_fast}", said)
    assert peak - before < 60e6
