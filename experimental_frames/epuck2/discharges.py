"""Batteries: measurements that are made up, the four models fitted to them, and what robots with these models use up.

The measurements of the paper are not published. These have the published features and no others; see `SPREAD`.
"""

from __future__ import annotations

from itertools import count
from statistics import fmean

from msgspec import Struct

from devs_robotics import Wheels
from devs_robotics.experimental_frames.epuck2.programs import Reads, ReadsBattery
from devs_robotics.experimental_frames.epuck2.rig import go, rig, robot_at
from devs_robotics.models.batteries import DISCHARGES, Battery, Coefficients, Curve, DischargeName
from devs_robotics.models.batteries.coefficients import ILLUSTRATIVE
from devs_robotics.models.batteries.fitting import BatteryFit, fit
from devs_robotics.models.batteries.measured import Measured, Point

SPREAD = 0.08
"""So much less and more than the illustrative curve do the two batteries of each speed last.

It is chosen so that the error of the cubic model is about the published one: of one curve through two batteries, it is
what these differ.
"""

PERIOD = 600.0
"""From one measurement to the next (s)."""


class Discharged(Struct, frozen=True):
    """All that figures 10 and 12 and Table 5 show.

    Attributes:
        measured: made up; points by speed (cm/s)
        fitted: the four models
        simulated: by model and speed (cm/s), the charge of a robot's battery every `PERIOD`
        errors: mean square errors of these, averaged over the speeds
    """

    measured: Measured
    fitted: BatteryFit
    simulated: dict[DischargeName, dict[float, tuple[float, ...]]]
    errors: dict[DischargeName, float]

    def csv(self) -> str:
        """The measurements as a text, as ``devs-robotics battery fit`` reads them."""
        rows = [(speed, point.time, point.charge) for speed, points in self.measured.items() for point in points]
        return "\n".join(["speed,time,charge", *(",".join(f"{value:.10g}" for value in row) for row in rows), ""])


def discharged() -> Discharged:
    """Measure, fit, and let robots rotate until all batteries are empty."""
    measured = {curve.speed_cm: _two_batteries(curve) for curve in ILLUSTRATIVE}
    fitted = fit(measured, "measurements that are made up")
    simulated = _simulated(fitted.coefficients, max(point.time for points in measured.values() for point in points))
    errors = {
        name: fmean(_error(measured[speed], by_speed[speed]) for speed in measured)
        for name, by_speed in simulated.items()
    }
    return Discharged(measured, fitted, simulated, errors)


def _two_batteries(curve: Curve) -> list[Point]:
    """Of one speed: until each is empty."""
    points: list[Point] = []
    for lasts in (1.0 - SPREAD, 1.0 + SPREAD):
        for number in count():
            points.append(Point(PERIOD * number, curve.charge_at(PERIOD * number / lasts)))
            if points[-1].charge == 0.0:
                break
    return sorted(points, key=lambda point: (point.time, point.charge))


def _simulated(coefficients: Coefficients, until: float) -> dict[DischargeName, dict[float, tuple[float, ...]]]:
    """One robot per model and speed, which rotates in place."""
    speeds = [curve.speed_cm for curve in coefficients.curves]
    system = rig(0.2 * (len(speeds) + 1), 0.2 * (len(DISCHARGES) + 1))
    programs: dict[DischargeName, dict[float, Reads]] = {name: {} for name in DISCHARGES}
    for row, name in enumerate(DISCHARGES, 1):
        discharge = coefficients.discharge(name)
        for column, speed_cm in enumerate(speeds, 1):
            speed = speed_cm / 100.0
            robot = robot_at(system, (0.2 * column, 0.2 * row, 0.0), [(1.0, Wheels(-speed, speed))])
            robot.equip(Battery("battery", discharge))
            programs[name][speed_cm] = robot.decide(ReadsBattery("reads", PERIOD))
    go(system, until)
    return {
        name: {speed: tuple(heard.value for heard in program.heard) for speed, program in by_speed.items()}
        for name, by_speed in programs.items()
    }


def _error(points: list[Point], charges: tuple[float, ...]) -> float:
    return fmean((point.charge - charges[round(point.time / PERIOD)]) ** 2 for point in points)
