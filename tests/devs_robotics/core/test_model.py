"""Atomic and coupled models: defaults, and what putting them together refuses."""

from __future__ import annotations

from math import inf

import pytest
from xdevs.models import Atomic as XdevsAtomic
from xdevs.models import Coupled as XdevsCoupled
from xdevs.models import Port as XdevsPort

from devs_robotics import Atomic, Coupled, In, ModelError, Out


class Talker(Atomic):
    heard = In(str)
    said = Out(str)
    counted = Out(int)


class Room(Coupled):
    entering = In(str)
    leaving = Out(str)

    def __init__(self) -> None:
        super().__init__("room")
        self.a, self.b = Talker("a"), Talker("b")
        self.add_component(self.a)
        self.add_component(self.b)


def test_models_are_xdevs_models() -> None:
    assert isinstance(Talker(), XdevsAtomic)
    assert isinstance(Room(), XdevsCoupled)


def test_an_untouched_model_waits_for_ever_and_lets_inputs_pass() -> None:
    model = Talker()
    model.initialize()
    assert (model.phase, model.ta()) == ("passive", inf)
    model.hold_in("busy", 3.0)
    model.deltext(1.0)
    assert (model.phase, model.ta()) == ("busy", 2.0)
    model.lambdaf()
    model.deltint()
    assert (model.phase, model.ta()) == ("passive", inf)
    model.exit()


def test_a_model_is_named_after_its_class() -> None:
    assert Talker().name == "Talker"


@pytest.mark.parametrize("name", ["", "a b", "a/b", "a.b"])
def test_names_that_would_break_paths_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match="use a word without"):
        Talker(name)


def test_couplings_of_all_three_kinds() -> None:
    room = Room()
    room.add_coupling(room.entering, room.a.heard)
    room.add_coupling(room.a.said, room.b.heard)
    room.add_coupling(room.b.said, room.leaving)
    assert room.a.heard in room.eic[room.entering]
    assert room.b.heard in room.ic[room.a.said]
    assert room.leaving in room.eoc[room.b.said]


def test_two_components_of_one_name_are_refused() -> None:
    with pytest.raises(ModelError, match=r"room already has a component named 'a': give the second one another name"):
        Room().add_component(Talker("a"))


def test_a_component_has_one_place() -> None:
    first, second = Room(), Coupled("second")
    with pytest.raises(ModelError, match=r"room/a already has a place in the tree and cannot also join second"):
        second.add_component(first.a)
    with pytest.raises(ModelError, match="already has a place"):
        first.add_component(first)


def test_ports_of_different_types_are_not_coupled() -> None:
    room = Room()
    with pytest.raises(ModelError, match=r"room/a\.counted sends int but room/b\.heard takes str: couple ports of one"):
        room.add_coupling(room.a.counted, room.b.heard)  # type: ignore[misc]


def test_the_same_coupling_twice_is_refused() -> None:
    room = Room()
    room.add_coupling(room.a.said, room.b.heard)
    with pytest.raises(ModelError, match=r"room/a\.said is already coupled to room/b\.heard"):
        room.add_coupling(room.a.said, room.b.heard)


def test_wrong_directions_are_refused() -> None:
    room = Room()
    wrong = [
        (room.a.heard, room.b.heard),
        (room.a.said, room.b.said),
        (room.leaving, room.a.heard),
        (room.a.said, room.entering),
        (room.entering, room.leaving),
    ]
    for p_from, p_to in wrong:
        with pytest.raises(ModelError, match="a coupling leads from"):
            room.add_coupling(p_from, p_to)


def test_components_must_be_added_before_they_are_coupled() -> None:
    room, stranger = Room(), Talker("stranger")
    with pytest.raises(ModelError, match="both components must have been added to room first"):
        room.add_coupling(stranger.said, room.a.heard)


def test_what_is_no_port_is_refused() -> None:
    room = Room()
    with pytest.raises(ModelError, match="can couple ports only, not 'a'"):
        room.add_coupling("a", room.a.heard)  # type: ignore[arg-type]


def test_an_xdevs_port_couples_with_ours() -> None:
    room = Room()
    out: XdevsPort[str] = XdevsPort(str, "out")
    room.b.add_out_port(out)
    room.add_coupling(out, room.a.heard)
    assert room.a.heard in room.ic[out]


def test_ports_of_union_types_can_be_coupled() -> None:
    class Either(Atomic):
        given: In[int | str] = In(int | str)
        taken: Out[int | str] = Out(int | str)

    top, first, second = Coupled("top"), Either("first"), Either("second")
    top.add_component(first)
    top.add_component(second)
    top.add_coupling(first.taken, second.given)
    assert second.given in top.ic[first.taken]
