"""How a run is made, as the options of commands say, and who looks on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from devs_robotics.scenarios.distributed.nodes import NodesWanted
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.stages import LABS, STAGES, USED_IN, Lab, Stage

if TYPE_CHECKING:
    from devs_robotics import Simulator
    from devs_robotics.core.observe import EventObserver, Mcap, Observer
    from devs_robotics.scenarios.running.journal import Journal
    from devs_robotics.scenarios.viewing.live import ViewedRun

LOCAL_NODES = 2
"""Number of processes that the stage `distributed` has by default."""


class Means(Struct, frozen=True):
    """How a run is made.

    Attributes:
        stage: how models and robots are brought together
        rate: simulated seconds per real second; None: as the scenario says
        broker: MQTT address of the broker to use; None: one is started where it is needed
        accept_risk: let real robots move without a certificate of the safety gate
        certificate: file with the certificate of the scenario; None: there is none
        certifying: the command that makes one, for people
        lab: where stand-ins live; inside the run, its clock waits for nobody, and it gives the same bytes every time
        nodes: how robots' models are shared out to other processes; None: to two, in the stage `distributed` only
    """

    stage: Stage = "fast"
    rate: float | None = None
    broker: str | None = None
    accept_risk: bool = False
    certificate: str | Path | None = None
    certifying: str = "devs-robotics certify SCENARIO"
    lab: Lab = "process"
    nodes: NodesWanted | None = None

    def nodes_for(self, robots: int) -> NodesWanted:
        """How so many robots are shared out."""
        return self.nodes or NodesWanted(min(LOCAL_NODES, robots) if self.stage == "distributed" else 0)

    def check(self) -> None:
        """Raises an OptionError for a stage or a laboratory that there is not, or options that do not go together."""
        if self.stage not in STAGES:
            raise OptionError(f"there is no stage {self.stage!r}: there are {', '.join(STAGES)}")
        if self.lab not in LABS:
            raise OptionError(f"there is no laboratory {self.lab!r}: there are {', '.join(LABS)}")
        if self.lab != "inside":
            return
        if self.stage not in USED_IN["lab"]:
            raise OptionError(f"--lab has no effect in the stage {self.stage}: leave it out, or run in loop or real")
        if self.rate is not None or self.broker is not None or self.nodes is not None:
            raise OptionError(
                "--lab inside has a clock that waits for nobody, no broker and no nodes: leave out --rate, --broker, "
                "--nodes and --await"
            )


FAST = Means()
"""The stage `fast`."""


Watched = Sequence[str] | Callable[[Any], Sequence[str]]
"""Patterns of what an observer watches, or a function that makes them of the experiment."""


def _nobody() -> bool:
    return False


def _unheard(note: str) -> None:
    return None


class Hooks(Struct, frozen=True):
    """Who looks on while a run goes on, and may end it.

    Attributes:
        interrupted: asked now and then whether to end early
        tell: gets sentences for people: what was started by itself
        report: called now and then with the running experiment and its simulator
        journal: keeps what is measured on disk meanwhile
        observers: each with the patterns of what it watches, or with what makes them of the experiment; none means
            everything
        replay: whether the outcome keeps what is needed to draw the run again
        view: shows the run to people while it goes on
        record: a trace file that becomes a recording: it has what is needed to draw the run again
        bag: one of the observers, a trace in the encoding of ROS 2, that gets poses and looks for ROS's tools, too
        prove: how many robots of populations are proven by replay when the run is over
    """

    interrupted: Callable[[], bool] = _nobody
    tell: Callable[[str], None] = _unheard
    report: Callable[[Any, Simulator], None] | None = None
    journal: Journal | None = None
    observers: Sequence[tuple[Observer, Watched]] = ()
    replay: bool = False
    view: ViewedRun | None = None
    record: EventObserver | None = None
    bag: Mcap | None = None
    prove: int = 0

    @property
    def looked_at(self) -> bool:
        """Whether somebody wants to see more of the run than its frame measures."""
        return bool(self.observers or self.replay or self.view or self.record or self.bag)


NOBODY = Hooks()
"""Nobody looks on."""
