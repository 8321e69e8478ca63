"""Packets of a model at any depth reach ports of the root, through models on the way that know nothing of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devs_robotics import Coupled, ModelError, Packet, Simulator
from devs_robotics.core.realtime.packet_ports import lead_packets
from tests.devs_robotics.core.realtime.station import Operator


def nested(name: str, depth: int) -> tuple[Coupled | Operator, Operator]:
    """An operator inside so many coupled models; the outermost, and the operator."""
    operator = Operator(f"{name}_operator")
    outer: Coupled | Operator = operator
    for level in range(depth):
        nest = Coupled(f"{name}_{level}")
        nest.add_component(outer)
        outer = nest
    return outer, operator


@given(depths=st.lists(st.integers(0, 4), min_size=1, max_size=4), data=st.data())
def test_each_model_has_a_line_of_its_own_at_whatever_depth_it_is(depths: list[int], data: st.DataObject) -> None:
    root = Coupled("root")
    operators = []
    for number, depth in enumerate(depths):
        outer, operator = nested(f"model{number}", depth)
        root.add_component(outer)
        operators.append(operator)
    lines = [lead_packets(root, operator.outgoing, operator.incoming) for operator in operators]
    spoken_to = data.draw(st.integers(0, len(depths) - 1))
    copies = lines[spoken_to].copies_in(root)
    assert copies.outgoing is lines[spoken_to].outgoing
    assert copies.incoming is lines[spoken_to].incoming
    with Simulator(root) as simulator:
        simulator.inject(lines[spoken_to].incoming, Packet(b"word"), at=1.0)
        simulator.run(until=1.0)
        simulator.run(max_steps=1)
        assert simulator.time == 1.5
        said = [[packet.data for packet in line.outgoing.values] for line in lines]
    assert said == [[b"WORD"] if number == spoken_to else [] for number in range(len(depths))]
    assert [operator.heard for operator in operators] == [
        [(1.0, b"word")] if number == spoken_to else [] for number in range(len(depths))
    ]


def test_a_model_that_is_not_inside_the_root_is_told_of() -> None:
    outer, operator = nested("stranger", 1)
    assert isinstance(outer, Coupled)
    with pytest.raises(ModelError, match="is no port of a model inside root: add the model first"):
        lead_packets(Coupled("root"), operator.outgoing, operator.incoming)
