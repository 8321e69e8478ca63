"""A robot that is put together step by step: equipment first, then the decision models that use it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from xdevs.models import Atomic as XdevsAtomic
from xdevs.models import Component

from devs_robotics import Activity, Actuator, Atomic, Exchange, ModelError, Port, Sensor, Service, equip
from devs_robotics.core.ports import component_path, port_path, type_name, types_agree
from devs_robotics.core.robots.activity import exchanges_of, expose
from devs_robotics.models.activities import (
    ContinuousMotor,
    HardwareActivity,
    HardwareMotor,
    HardwareOmniwheels,
    HardwareWheels,
    LoopInfrared,
    RampMotor,
    VirtualMotor,
    VirtualWheels,
)
from devs_robotics.models.environment import Pose
from devs_robotics.models.environment.time_manager import Pace
from devs_robotics.models.robots.equipment import Equipment
from devs_robotics.models.robots.kinds import RobotKind
from devs_robotics.models.robots.own_equipment import OwnEquipment, hardware_of, own_equipment
from devs_robotics.models.robots.system import RobotModel

Decision = TypeVar("Decision", bound=Atomic)


class Robot(RobotModel):
    """A robot with its equipment, to which `decide` couples decision models.

    Args:
        number: from 1
        pose: where it stands at first
        kind: of robot
        equipment: its activities; another set changes no decision model
        modelled: whether activities of one's own, which are models, may be its equipment

    Attributes:
        decisions: the decision models, the upper layer first
    """

    def __init__(
        self, name: str, number: int, pose: Pose, kind: RobotKind, equipment: Equipment, *, modelled: bool = True
    ) -> None:
        super().__init__(name, number, equipment)
        self.pose = pose
        self.kind = kind
        self.decisions: list[Atomic] = []
        self._modelled = modelled
        self._own: list[Activity] = []
        self._taken: dict[Port[Any], str] = {}
        """By the port of a service for commands: who commands it."""
        equipment.install(self)

    @property
    def motor(self) -> Exchange[Any, Any]:
        """Commands to the motor, and reports of their ends."""
        return self.equipment.motor.drive

    @property
    def infrared(self) -> Exchange[Any, Any]:
        """A question to the range sensors, and the ranges."""
        return self.equipment.infrared.ranging

    @property
    def whiskers(self) -> Exchange[Any, Any]:
        """A question to the whiskers, and the contact."""
        return self.equipment.whiskers.touch

    def __getattr__(self, name: str) -> Any:
        """Equipment of one's own, and decision models, by their names."""
        for component in self.__dict__.get("components", ()):
            if component.name == name:
                return component
        raise AttributeError(f"{type(self).__name__} has nothing that is called {name!r}")

    @property
    def own(self) -> list[OwnEquipment]:
        """Equipment of its own."""
        return [own_equipment(activity) for activity in self._own]

    def equip(self, activity: Activity) -> Activity:
        """Give the robot equipment of one's own: an activity that answers its decision models, and may ask the world.

        Where the robot's equipment of this name is real, a `HardwareActivity` with the same service takes its place.

        Args:
            activity: its name is that of the equipment; it gets the robot's number as its attribute ``robot``

        Returns:
            what the robot now has

        Raises:
            ModelError: it is no activity, its name is taken, or the robot is real and has no such equipment
        """
        if not isinstance(activity, Activity):
            raise ModelError(
                f"{self.name}.equip takes an activity, not {activity!r}: derive it from devs_robotics.Activity"
            )
        if activity.name in self.equipment.own:
            activity = self._real(activity)
        elif not self._modelled:
            raise ModelError(
                f"{self.name} is real in this stage, and its {activity.name} is a model: run in the stage loop, where "
                "equipment may be virtual"
            )
        activity.robot = self.number  # type: ignore[attr-defined]
        self.add_component(activity)
        self._own.append(activity)
        if isinstance(activity, HardwareActivity) and self.equipment.device is not None:
            equip(self, activity.device, self.equipment.device.own)
            if isinstance(activity, HardwareWheels):
                self.add_coupling(self.equipment.device.rolled, activity.rolled)
        return activity

    def decide(self, model: Decision, **services: Any) -> Decision:
        """Add a decision model, and couple each of its sensors and actuators with the one service that fits.

        Args:
            model: with `Sensor` and `Actuator` ports
            services: by the name of a sensor or an actuator: which service it uses, where several fit

        Returns:
            the same

        Raises:
            ModelError: no service fits, or several do, or the motor is another model's already
        """
        if not isinstance(model, XdevsAtomic):
            raise ModelError(
                f"{self.name}.decide takes a decision model, not {model!r}: derive its class from "
                "devs_robotics.Atomic, and make an object of it"
            )
        self.add_component(model)
        self.decisions.append(model)
        needs = exchanges_of(model, Sensor, Actuator)
        for name in services:
            if name not in needs:
                there = ", ".join(needs) or "none"
                raise ModelError(f"{component_path(model)} has no sensor or actuator {name!r}: it has {there}")
        for name, need in needs.items():
            given = services.get(name)
            service = self._fitting(model, name, need) if given is None else self._given(model, name, need, given)
            self._take(model, name, service)
            equip(self, need, service)
        return model

    def layers(self, upper: Atomic, lower: Atomic) -> None:
        """Two decision models, of which the upper one can take the motor over (the subsumption architecture).

        What the upper one says to the lower is coupled by type: an output port of the upper one with the input port of
        the lower one that takes the same.

        Raises:
            ModelError: their sensors and actuators find no services, or a type fits several ports
        """
        override = self.equipment.motor.override
        commanded = [name for name, need in exchanges_of(upper, Actuator).items() if _fits(need, override)]
        self.decide(upper, **dict.fromkeys(commanded, override))
        self.decide(lower)
        for port in _plain_ports(upper, "out"):
            takers = [other for other in _plain_ports(lower, "in") if other.p_type is port.p_type]
            if len(takers) > 1:
                raise ModelError(
                    f"{component_path(upper)}.{port.name} fits {', '.join(taker.name for taker in takers)} of "
                    f"{component_path(lower)}: couple them by robot.add_coupling"
                )
            for taker in takers:
                self.add_coupling(port, taker)

    def follow_wheels(self, pace: Pace, axle: float) -> None:
        """Let equipment that has an input port ``wheel_speed`` hear how fast the wheels turn, however it is driven.

        Args:
            pace: of the motor
            axle: distance between the wheels (m), where no equipment of its own is wheels, and says another
        """
        ports = [port for activity in self._own if (port := activity.input.get("wheel_speed")) is not None]
        if not ports:
            return
        from devs_robotics.models.batteries import TurningWheels, WheelSpeed  # slow to load, and few robots need it

        hearing = [port for port in ports if isinstance(port, Port) and port.p_type is WheelSpeed]
        if not hearing:
            return
        driven = [activity for activity in self._own if isinstance(activity, VirtualWheels | HardwareWheels)]
        axle = driven[0].axle if driven else axle
        wheels, motor = TurningWheels("turning_wheels", pace, axle), self.equipment.motor
        self.add_component(wheels)
        if isinstance(motor, HardwareMotor):
            self.add_coupling(motor.device.ask, wheels.command)
        elif isinstance(motor, VirtualMotor):
            self.add_coupling(motor.world.ask, wheels.motion)
        elif isinstance(motor, ContinuousMotor | RampMotor):
            self.add_coupling(motor.world.ask, wheels.twist)
        for service in (motor.drive, motor.override):
            self.add_coupling(service.answer, wheels.driven)
        for activity in driven:
            if isinstance(activity, VirtualWheels):
                self.add_coupling(activity.world.ask, wheels.twist)
            else:
                self.add_coupling(activity.device.ask, wheels.asked)
        for port in hearing:
            self.add_coupling(wheels.wheel_speed, port)

    def open_to_the_world(self) -> None:
        """Make the ports that lead outside: to the environment, to the wire, and to what else is in the world."""
        super().open_to_the_world()
        for activity in self._own:
            if isinstance(activity, HardwareWheels | HardwareOmniwheels) and self.real is not None:
                self.add_coupling(activity.reported, self.real.reported)
            for name, inner in exchanges_of(activity, Sensor, Actuator).items():
                if isinstance(activity, HardwareActivity) and inner is activity.device:
                    continue  # the robot's device is its other side
                key = f"{activity.name}_{name}"
                self.worlds[key] = expose(self, inner, key)

    def _real(self, activity: Activity) -> HardwareActivity:
        """What takes the place of a virtual activity, if the robot's device carries it."""
        own = own_equipment(activity)
        if own.never_real:
            raise ModelError(f"{self.name}'s {own.name} cannot be real: {own.never_real}")
        device = self.equipment.device
        if device is None or not device.carries(own.name, own.asks, own.answers):
            raise ModelError(
                f"{self.name}'s {own.name} is to be real, and its device carries no {own.name} "
                f"({type_name(own.asks)} to {type_name(own.answers)}): let it be virtual, or use another protocol"
            )
        device.carried[own.name] = (own.asks, own.answers)
        both = isinstance(self.equipment.infrared, LoopInfrared)
        return hardware_of(activity, both=both, stopping=self.equipment.stopping)

    @property
    def refused(self) -> int:
        """How many moves of a real robot its guards refused, those of its omniwheels included."""
        own = (activity.refused for activity in self._own if isinstance(activity, HardwareOmniwheels))
        return super().refused + sum(own)

    def _services(self) -> Iterator[tuple[str, Exchange[Any, Any]]]:
        """What its equipment offers, by the name for people."""
        yield "motor", self.motor
        yield "infrared", self.infrared
        yield "whiskers", self.whiskers
        for activity in self._own:
            for name, service in exchanges_of(activity, Service).items():
                yield f"{activity.name}.{name}", service

    def _fitting(self, model: Atomic, name: str, need: Exchange[Any, Any]) -> Exchange[Any, Any]:
        found = [(title, service) for title, service in self._services() if _fits(need, service)]
        wanted = f"{type(model).__name__}.{name} ({_types(need)})"
        if not found:
            there = "; ".join(f"{title} ({_types(service)})" for title, service in self._services())
            raise ModelError(
                f"{self.name} has nothing that answers {wanted}; it has {there}: give it one by robot.equip(...)"
            )
        if len(found) > 1:
            titles = ", ".join(f"robot.{title}" for title, _ in found)
            raise ModelError(
                f"{self.name} has several that answer {wanted}: {titles}: say which, "
                f"robot.decide(model, {name}=robot.{found[0][0]})"
            )
        return found[0][1]

    def _given(self, model: Atomic, name: str, need: Exchange[Any, Any], given: Any) -> Exchange[Any, Any]:
        own = [self.equipment.motor.override, *(service for _, service in self._services())]
        offered = [given] if isinstance(given, Exchange) else list(exchanges_of(given, Service).values())
        fitting = [service for service in offered if service in own and _fits(need, service)]
        if len(fitting) != 1:
            raise ModelError(
                f"{self.name}: {name}={_shown(given)} does not answer {type(model).__name__}.{name} ({_types(need)}): "
                "name equipment of this robot that does"
            )
        return fitting[0]

    def _take(self, model: Atomic, name: str, service: Exchange[Any, Any]) -> None:
        """A motor obeys one model; sensors may be asked by several."""
        motor = self.equipment.motor
        if service not in (motor.drive, motor.override):
            return
        if service.ask in self._taken:
            raise ModelError(
                f"{self.name}: {type(model).__name__}.{name} wants the motor, which {self._taken[service.ask]} has: "
                "let one model decide, or put one above the other by robot.layers(upper, lower)"
            )
        self._taken[service.ask] = type(model).__name__


def _plain_ports(model: Component, direction: str) -> list[Port[Any]]:
    """The ports of a model that belong to no exchange."""
    paired = {
        id(port)
        for _, each in exchanges_of(model, Sensor, Actuator, Service).items()
        for port in (each.ask, each.answer)
    }
    ports = model.out_ports if direction == "out" else model.in_ports
    return [port for port in ports if id(port) not in paired and isinstance(port, Port)]


def _fits(need: Exchange[Any, Any], service: Exchange[Any, Any]) -> bool:
    return types_agree(need.ask.p_type, service.ask.p_type) and types_agree(service.answer.p_type, need.answer.p_type)


def _shown(given: Any) -> str:
    """What was given for a service, as a path where it has one."""
    if isinstance(given, Exchange):
        return port_path(given.ask).removesuffix("_ask")
    return component_path(given) if isinstance(given, Component) else repr(given)


def _types(exchange: Exchange[Any, Any]) -> str:
    return f"{type_name(exchange.ask.p_type)} to {type_name(exchange.answer.p_type)}"
