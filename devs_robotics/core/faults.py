"""What is said of a model that breaks a rule: its path, the time, its state, and the remedy."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from typing import Any

from xdevs.models import Atomic, Component
from xdevs.models import Port as XdevsPort

from devs_robotics.core.errors import ModelError
from devs_robotics.core.ports import component_path, port_path
from devs_robotics.core.user_code import described_with_place, printable


def in_short(value: Any) -> str:
    """What a value looks like, on one line and cut short; its type where it cannot say."""
    return " ".join(printable(lambda: reprlib.repr(value)).split()) or f"<{type(value).__name__}>"


def blame(model: Atomic, time: float, exc: BaseException) -> ModelError:
    """The error that names the model, the time and the state in which `exc` came up."""
    what = str(exc) if isinstance(exc, ModelError) else described_with_place(exc)
    sigma: Any = model.sigma
    shown = f"{sigma:.9g}" if isinstance(sigma, float) else in_short(sigma)
    state = f"phase {printable(lambda: repr(model.phase))}, sigma {shown}"
    return ModelError(f"{component_path(model)} at {time:.9g} s ({state}): {what}")


def endless_chain(steps: int, busy: Iterable[Atomic], time: float) -> ModelError:
    """Time has stood still for so many steps."""
    names = ", ".join(component_path(model) for model in busy)
    return ModelError(
        f"time has not advanced for {steps} steps ({names} next): give one of these models a time advance that a "
        f"clock which reads {time:.9g} s can tell from zero, or the Simulator a larger zero_time_limit"
    )


def stray_output(port: XdevsPort[Any] | None) -> ModelError:
    """An output port was written where it must not be."""
    where = "an output port" if port is None else port_path(port)
    return ModelError(f"{where} was written outside of lambdaf: become due with activate(), and write it there")


def early_change(coupled: Component, time: float) -> ModelError:
    """A structure was changed before the transitions of a step."""
    return ModelError(
        f"{component_path(coupled)} at {time:.9g} s: its structure was changed in an output function: change it in a "
        f"transition function"
    )


def coarse_time(model: Atomic, time: float, advance: float) -> str:
    """A time advance was rounded by more than it can bear."""
    return (
        f"{component_path(model)} at {time:.9g} s: its time advance of {advance:.9g} s became "
        f"{time + advance - time:.9g} s, since a float near {time:.9g} has no finer steps: begin at 0 again, or "
        f"take longer time advances"
    )
