"""What sensors read: figures 4 to 9 and Table 4."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import atan, atan2, degrees, pi

from devs_robotics.core.robots.epuck2.body import COUNTER_BITS, STEP_LENGTH, WHEEL_DIAMETER
from devs_robotics.core.robots.epuck2.camera import WIDTH
from devs_robotics.core.robots.epuck2.ground import PLACES
from devs_robotics.core.robots.epuck2.responses import BRIGHTEST, REACH, RESPONSES, Quadratic
from devs_robotics.core.robots.epuck2.sensing.encoders import count
from devs_robotics.experimental_frames.epuck2 import published as paper
from devs_robotics.experimental_frames.epuck2.comparing.row import Row, row
from devs_robotics.experimental_frames.epuck2.figures.sensors import LIGHT_REACH_CM
from devs_robotics.experimental_frames.epuck2.made import EpuckFigureData
from devs_robotics.experimental_frames.epuck2.traces import DRIVEN_CM, INTENSITIES, TURNING, ReadingsTable
from devs_robotics.models.batteries.decline import falling_root


def sensors(made: EpuckFigureData) -> Iterator[Row]:
    """All of them."""
    yield from _proximity(made.response, made.turn)
    yield from _light(made.light)
    yield from _ground(made.stripes, made.sectors)
    yield from _ways(made.distances, made.steps, made.wrap)
    yield from _camera(made)


def _proximity(response: ReadingsTable, turn: ReadingsTable) -> Iterator[Row]:
    whole = {int(mm): value for mm, value in paper.PROXIMITY_READINGS.items() if mm == int(mm)}
    found = [response["paper"][mm] for mm in whole]
    yield row("Figure 4", f"proximity at {_joined(whole)} mm", _joined(whole.values()), _joined(found))
    fit = RESPONSES["paper"]
    assert isinstance(fit, Quadratic)
    root = falling_root(lambda d: (fit.a * d + fit.b) * d + fit.c, lambda d: 2.0 * fit.a * d + fit.b, 0.0, REACH, 0.04)
    at_reach = round(BRIGHTEST * ((fit.a * REACH + fit.b) * REACH + fit.c))
    yield Row(
        "eq. (1)",
        "proximity at 50 mm",
        f"{at_reach}",
        f"{response['paper'][50]:.0f}",
        "differs",
        f"As printed, the formula is negative from {1000.0 * root:.2f} mm on. Readings are limited to 0 and more, "
        "as in ARGoS.",
    )
    apart = max(abs(new - old) for new, old in zip(response["paper"], response["e-puck"], strict=True)) / BRIGHTEST
    yield Row(
        "Figure 4",
        "difference of proximity readings of the e-puck2 and the first e-puck, at most",
        '"almost coincident"',
        f"{apart:.3f} of the range",
        "agrees",
        "At whole millimetres.",
    )
    maxima = {max(turn[f"PROX{number}"]) for number in range(8)}
    yield row(
        "section 3.2",
        "largest reading of each proximity sensor in a turn between walls, 10 mm away",
        f"{paper.PROXIMITY_READINGS[10]}",
        _joined(maxima),
    )


def _light(light: ReadingsTable) -> Iterator[Row]:
    places = [light["distance_cm"].index(float(cm)) for cm in paper.LIGHT_READINGS]
    found = [light["i=1"][place] for place in places]
    yield row(
        "Figure 5",
        f"light at {_joined(paper.LIGHT_READINGS)} cm",
        _joined(paper.LIGHT_READINGS.values()),
        _joined(found),
    )
    saturated = [
        max(cm for cm, v in zip(light["distance_cm"], light[f"i={i:g}"], strict=True) if not v) for i in INTENSITIES
    ]
    expected = [int(100.0 * paper.LIGHT_GAIN * intensity) for intensity in INTENSITIES]
    yield row(
        "Figure 5",
        f"light saturated up to (whole cm), at intensities {_joined(INTENSITIES)}",
        _joined(expected),
        _joined(saturated),
    )
    beyond = light["distance_cm"].index(LIGHT_REACH_CM) + 1
    yield row("eq. (2)", "light beyond 50 cm", "4095", f"{light['i=4'][beyond]:.0f}", "It jumps there.")
    ratio = paper.LUX[10] / paper.LUX[50]
    ours = (1.0 - found[0] / 4095.0) / (1.0 - found[-1] / 4095.0)
    yield Row(
        "section 4.1.2",
        "light at 10 cm, in proportion to that at 50 cm",
        f"{ratio:.1f} times (lux)",
        f"{ours:.0f} times",
        "differs",
        "By the published formula, too: it falls with the square of the distance, and the published lux do not.",
    )


def _ground(stripes: ReadingsTable, sectors: ReadingsTable) -> Iterator[Row]:
    differing = sum(len({stripes[name][tick] for name in ("left", "centre", "right")}) > 1 for tick in _ticks(stripes))
    yield Row(
        "Figure 6c",
        "three ground sensors, straight over stripes",
        '"almost coincident"',
        f"differ at {differing} of {len(_ticks(stripes))} ticks",
        "differs" if differing else "agrees",
    )
    shift = degrees(TURNING) * _mean(
        [b - a for a, b in zip(_changes(sectors, "left"), _changes(sectors, "centre"), strict=False)]
    )
    expected = degrees(atan2(PLACES[0][1], PLACES[0][0]))
    yield Row(
        "Figure 6d",
        "three ground sensors, in rotation over sectors",
        '"shifted in time"',
        f"by {shift:.1f} degrees",
        "agrees",
        f"The sensors' places say {expected:.1f}.",
    )


def _ways(distances: ReadingsTable, steps: ReadingsTable, wrap: ReadingsTable) -> Iterator[Row]:
    off = lost = 0.0
    for speed_cm in DRIVEN_CM:
        head = f"{speed_cm:g} cm/s"
        for time, distance, counted in zip(distances["time_s"], distances[head], steps[head], strict=True):
            way = min(paper.OBSTACLE, speed_cm / 100.0 * time)
            off = max(off, abs(distance - max(20.0, 1000.0 * (paper.OBSTACLE - way))))
            lost = max(lost, abs(counted - way / STEP_LENGTH))
    yield Row(
        "Figure 7",
        "distance to an obstacle 30 cm ahead, at six speeds",
        "falls evenly to 20 mm",
        f"off by {off:.1f} mm at most",
        "agrees" if off <= 0.5 + 1e-6 else "differs",
        "Readings are whole millimetres. The real robot bounces; a modelled one stays where it touches.",
    )
    yield Row(
        "Figure 8",
        "step counters on the same way",
        "1000 steps per turn of a wheel",
        f"off by {lost:.2f} steps at most",
        "agrees" if lost <= 1.0 else "differs",
        "Parts of steps are carried.",
    )
    half = pi * WHEEL_DIAMETER * 0.18 / 360.0
    yield row(
        "section 3.5",
        "a wheel turns 0.18 degrees twice: steps after each",
        "0, 1",
        _joined((count(half), count(2.0 * half))),
    )
    largest = (1 << (COUNTER_BITS - 1)) - 1
    yield row(
        "section 3.5",
        "a step counter, one step after 32767",
        "-32768",
        f"{count((largest + 1) * STEP_LENGTH)}",
        f"On the way of {wrap['way_m'][-1]:g} m it shows from {min(wrap['left']):.0f} to {max(wrap['left']):.0f}.",
    )


def _camera(made: EpuckFigureData) -> Iterator[Row]:
    for x, y, angle in paper.CAMERA_ANGLES:
        found = 2.0 * degrees(atan(y / (2.0 * x)))
        said = f"{found:.1f}"
        why = "" if said == f"{angle:.1f}" else "By the formula of the other three. y = 79 would give what is printed."
        yield row("Table 4", f"camera's angle at x = {x}, y = {y} (degrees)", f"{angle:.1f}", said, why)
    columns = [blob.column for blob in made.picture.blobs]
    yield row(
        "Figure 9c",
        "columns of LEDs at the left edge, straight ahead, and at the right edge",
        f"0, {WIDTH // 2}, {WIDTH - 1}",
        _joined(columns),
    )


def _changes(trace: ReadingsTable, name: str) -> list[float]:
    """When a reading changes (s)."""
    values = trace[name]
    return [time for time, before, now in zip(trace["time_s"][1:], values, values[1:], strict=False) if now != before]


def _ticks(trace: ReadingsTable) -> range:
    return range(len(trace["time_s"]))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _joined(values: Iterable[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
