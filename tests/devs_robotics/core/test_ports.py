"""Ports declared in the class body."""

from __future__ import annotations

from itertools import chain

import pytest
from xdevs.models import Port as XdevsPort

from devs_robotics import Atomic, In, ModelError, Out, Port
from devs_robotics.core.ports import add_port, types_agree


class Ear(Atomic):
    heard = In(str)
    said = Out(str)


class Loud(Ear):
    said = Out(bytes)  # type: ignore[assignment]
    shouted: Out[str | bytes] = Out(str | bytes)


def test_each_instance_has_its_own_ports_registered_with_xdevs() -> None:
    one, two = Ear("one"), Ear("two")
    assert one.heard is not two.heard
    assert one.input == {"heard": one.heard}
    assert one.output == {"said": one.said}
    assert isinstance(one.heard, XdevsPort)
    assert one.heard.parent is one


def test_a_class_has_declarations_and_no_ports() -> None:
    assert not hasattr(Ear, "heard")
    assert not hasattr(Loud, "said")


def test_a_subclass_adds_and_replaces_ports() -> None:
    loud = Loud()
    assert [port.name for port in loud.out_ports] == ["said", "shouted"]
    assert loud.said.p_type is bytes


def test_a_value_of_the_wrong_type_is_refused_with_the_path() -> None:
    with pytest.raises(ModelError, match=r"port Ear\.said carries str but was given 7 \(int\): send str"):
        Ear().said.add(7)  # type: ignore[arg-type]


def test_a_union_takes_each_of_its_types() -> None:
    loud = Loud()
    loud.shouted.add("a")
    loud.shouted.add(b"b")
    assert list(loud.shouted.values) == ["a", b"b"]
    with pytest.raises(ModelError, match=r"carries str \| bytes"):
        loud.shouted.add(1.5)  # type: ignore[arg-type]


def test_an_untyped_port_takes_anything() -> None:
    port: Port[object] = Port(None, "any")
    port.extend(iter([1, "a", None]))
    assert list(port.values) == [1, "a", None]
    assert str(port) == "any<any value>"


def test_a_port_holds_its_own_values_and_those_of_its_bag_as_xdevs_ports_do() -> None:
    for make in (Port, XdevsPort):
        port, other = make(int, "a"), make(int, "b")
        assert not port
        assert port.empty()
        other.add(2)
        port.add_to_bag(other)
        assert port
        port.add(1)
        assert (list(port.values), len(port), port.get()) == ([1, 2], 2, 1)
        port.clear()
        assert list(chain(port.values, other.values)) == [2]


def test_a_name_can_be_used_once_in_each_direction() -> None:
    model = Ear()
    add_port(model, Port(int, "said"), "in")
    with pytest.raises(ModelError, match=r"model Ear already has a port named 'heard': rename one"):
        add_port(model, Port(int, "heard"), "in")


@pytest.mark.parametrize(
    ("sent", "received", "agree"),
    [
        (bool, int, True),
        (int, bool, False),
        (None, int, True),
        (int, None, True),
        (int | str, int | str | bytes, True),
        (int | str, int, False),
        (int, str, False),
    ],
)
def test_which_types_agree(sent: object, received: object, agree: bool) -> None:
    assert types_agree(sent, received) is agree
