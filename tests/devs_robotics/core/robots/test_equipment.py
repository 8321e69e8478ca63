"""Motors of every kind: two services, one above the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from devs_robotics import Drive, Driven, In, Motor, Out, Port, Simulator

ON, ASIDE, DONE = Drive(0.0, 1.0), Drive(1.0, 0.0), Driven(0.5, 0.5)


class AnyMotor(Motor):
    """Its other side is the test."""

    wanted = Out(Drive)
    over = In(Driven)

    def send(self, command: Drive) -> None:
        self.wanted.add(command)

    def ended(self) -> Iterable[Driven]:
        return self.over.values


def played(*inputs: tuple[str, Any]) -> list[tuple[int, str, Any]]:
    """What a motor says after each of some inputs, a second apart: which input it was, the port, and the value."""
    motor, said = AnyMotor("motor"), []
    ports: dict[str, Port[Any]] = {"drive": motor.drive.ask, "override": motor.override.ask, "over": motor.over}
    with Simulator(motor) as simulator:
        for number, (name, value) in enumerate(inputs):
            simulator.inject(ports[name], value, at=float(number))
            while simulator.next_time <= number:
                simulator.run(until=float(number), max_steps=1)
                said += [(number, port.name, each) for port in motor.out_ports for each in port.values]
                for port in motor.out_ports:
                    port.clear()
    return said


def test_a_command_is_passed_on_and_its_end_reported() -> None:
    assert played(("drive", ON), ("over", DONE)) == [(0, "wanted", ON), (1, "drive_answer", DONE)]


def test_while_a_command_from_above_runs_those_from_below_are_dropped_and_one_under_way_is_never_reported() -> None:
    said = played(
        ("drive", ON), ("override", ASIDE), ("drive", ON), ("over", DONE), ("over", DONE), ("drive", ON), ("over", DONE)
    )
    assert said == [
        (0, "wanted", ON),
        (1, "wanted", ASIDE),
        (4, "override_answer", DONE),
        (5, "wanted", ON),
        (6, "drive_answer", DONE),
    ]
