"""The models as pyjevsim has them: flat, since its coupled models lose what their components send (2.2.0).

Its external transition function is called once a message, not once a bag.
"""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyjevsim.behavior_model import BehaviorModel
from pyjevsim.definition import ExecutionType, Infinite
from pyjevsim.message_deliverer import MessageDeliverer
from pyjevsim.system_executor import SysExecutor
from pyjevsim.system_message import SysMessage

from tests.benchmarks.kernel.devstone import Edge, flat_edges
from tests.benchmarks.kernel.ring import HOLD_S
from tests.benchmarks.kernel.work import Devstone, Work


class Model(BehaviorModel):
    """Waits; when something came, it is active for a time, and then sends one event."""

    def __init__(self, name: str, active_s: float, state: str = "passive") -> None:
        super().__init__(name)
        self.insert_state("passive", Infinite)
        self.insert_state("active", active_s)
        self.init_state(state)
        self.insert_input_port("in")
        self.insert_output_port("out")

    def output(self, msg_deliver: MessageDeliverer) -> None:
        message = SysMessage(self.get_name(), "out")
        message.insert(0)
        msg_deliver.insert_message(message)

    def int_trans(self) -> None:
        self._cur_state = "passive"

    def ext_trans(self, port: str, msg: SysMessage) -> None:
        self._cur_state = "active"


def models_of(work: Work) -> tuple[list[Model], list[Edge]]:
    """The models, of which the first is active at the start, and their couplings."""
    if isinstance(work, Devstone):
        edges, hold = list(flat_edges(work)), 0.0
    else:
        edges, hold = [(i, (i + 1) % work.stations) for i in range(work.stations)], HOLD_S
    count = 1 + max(receiver for _, receiver in edges)
    return [Model(f"model{i}", hold, "passive" if i else "active") for i in range(count)], edges


def pyjevsim(work: Work, steps: int | None) -> Iterator[Any]:
    """The kernel, in virtual time; see `kernels`."""
    models, edges = models_of(work)
    yield models
    executor = SysExecutor(1, ex_mode=ExecutionType.V_TIME)
    for model in models:
        executor.register_entity(model)
    for sender, receiver in edges:
        executor.coupling_relation(models[sender], "out", models[receiver], "in")
    yield
    executor.simulate(Infinite if steps is None else steps + 0.5, _tm=False)  # up to a time, and not at it
    yield
