"""Runs a scenario in one of its stages."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from devs_robotics.core.user_code import staying_here
from devs_robotics.scenarios.errors import OptionError
from devs_robotics.scenarios.running.going import carry_out
from devs_robotics.scenarios.running.means import FAST, NOBODY, Hooks, Means
from devs_robotics.scenarios.running.outcome import AnyOutcome
from devs_robotics.scenarios.running.real_robots import RealRobots
from devs_robotics.scenarios.running.rehearsal import check_watchdogs, moves_hardware, rehearse
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.setup.setup import set_up

if TYPE_CHECKING:
    from devs_robotics.scenarios.distributed.host import DistributedHost


def run(scenario: Scenario, means: Means = FAST, hooks: Hooks = NOBODY) -> AnyOutcome:
    """Run a scenario to its end; a fault of a model, an observer or a robot ends it, and is told in the outcome.

    Args:
        scenario: what to run
        means: how
        hooks: who looks on

    Raises:
        DevsRoboticsError: the run cannot begin
    """
    if (type(means), type(hooks)) != (Means, Hooks) or not hasattr(scenario, "model_copy"):
        raise OptionError("run takes a scenario that was loaded, Means(stage=...), and Hooks(...)")
    means.check()
    if hooks.view is not None:
        hooks = replace(hooks, tell=hooks.view.telling(hooks.tell))
    setup = set_up(scenario, means.stage, 1.0 if means.lab == "inside" else means.rate)
    wanted = means.nodes_for(len(setup.robots))
    away = wanted.away(len(setup.robots))
    with ExitStack() as stack:
        stack.enter_context(staying_here())
        broker = _broker(means, stack, hooks.tell)
        robots = RealRobots(setup, broker, hooks.tell, wanted.awaited, means.lab)
        if not means.accept_risk and moves_hardware(setup, wanted.awaited):
            check_watchdogs(setup)
            closest = rehearse(setup.scenario, hooks.interrupted)
            found = f"at the closest, {closest}" if closest else "accepted; robots that drive by wheels have a guard"
            hooks.tell(f"rehearsed in the stage fast: {found}")

        def nodes() -> DistributedHost:
            from devs_robotics.scenarios.distributed.host import DistributedHost

            return DistributedHost(setup, broker(), wanted, hooks.tell)

        return carry_out(setup, robots, hooks, away, nodes if away else None)


def _broker(means: Means, stack: ExitStack, tell: Callable[[str], None]) -> Callable[[], str]:
    """Gives the address of the broker to use; starts one when it is first called, if none is given."""

    @cache
    def address() -> str:
        if means.broker is not None:
            return means.broker
        from devs_robotics.hil.broker import EmbeddedBroker

        broker = stack.enter_context(EmbeddedBroker())
        tell(f"broker started: {broker.shown}")
        return broker.shown

    return address
