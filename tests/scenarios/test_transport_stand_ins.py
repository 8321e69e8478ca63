"""What plays the equipment of the case transport tells what the models tell, by code of its own."""

from __future__ import annotations

from math import pi

from hypothesis import given
from hypothesis import strategies as st

from devs_robotics.hil.lab.courses import Pose
from devs_robotics.hil.lab.equipment import LabScene
from devs_robotics.models.activities.sonar import LookForWays
from devs_robotics.models.environment import Field, World
from devs_robotics.models.environment.shapes import Polygon
from devs_robotics.scenarios.transport_stand_ins import PlayedRadio, PlayedSonar

CORNERS = ((4.0, 3.0), (7.0, 3.5), (6.0, 6.0))
SETTINGS = {
    "size": [12.0, 9.0],
    "radius": 0.3,
    "sonar_reach": 5.0,
    "obstacles": [[list(corner) for corner in CORNERS]],
    "reach": 2.0,
    "latency": 0.1,
    "loss": 0.0,
}


def scene(*poses: Pose) -> LabScene:
    return LabScene(SETTINGS, 1, lambda: dict(enumerate(poses, 1)), {})


@given(
    st.floats(0.4, 11.6),
    st.floats(0.4, 8.6),
    st.floats(-pi, pi),
    st.floats(-pi, pi),
    st.sampled_from([(0.0, 0.0), (0.4, 0.0), (0.4, 0.4)]),
)
def test_the_played_sonar_reads_what_the_modelled_one_does(
    x: float, y: float, heading: float, bearing: float, wide: tuple[float, float]
) -> None:
    field = Field(12.0, 9.0, (Polygon(CORNERS),))
    if field.obstacles[0].distance(x, y) < 0.3 or abs(x - 9.0) + abs(y - 6.0) < 1.0:
        return
    field.add_body(x, y, heading, 0.3)
    field.add_body(9.0, 6.0, 0.0, 0.3)
    beside, aside = wide
    (exact,) = LookForWays(1, (bearing,), 5.0, beside, (aside,)).answer(World(field, 0.1)).values
    sonar = PlayedSonar()
    sonar.begin(scene(Pose(x, y, heading), Pose(9.0, 6.0, 0.0)))
    question = {"bearings": [bearing], "beside": beside, "asides": [aside] if aside else []}
    (played,) = sonar.answer(1, question, Pose(x, y, heading), 0.0)["values"]
    grazes = any(abs(other - exact) > 0.02 for other in nudged(field, bearing, wide))
    assert grazes or abs(played - exact) <= 0.02, (played, exact)


def nudged(field: Field, bearing: float, wide: tuple[float, float]) -> list[float]:
    """The same from beside, and askew: where it grazes something, or touches it already, readings jump."""
    beside, aside = wide
    questions = [
        LookForWays(1, (bearing + k * 2e-3,), 5.0, beside + j * 2e-3, (aside,)) for k in (-1, 0, 1) for j in (-1, 1)
    ]
    return [question.answer(World(field, 0.1)).values[0] for question in questions]


def test_the_played_radio_carries_on_channels_within_reach_and_repeats() -> None:
    here, there, far = Pose(1.0, 1.0, 0.0), Pose(2.0, 1.0, 0.0), Pose(9.0, 1.0, 0.0)
    radio = PlayedRadio()
    radio.begin(scene(here, there, far))
    said = {"channel": 0, "text": "WAIT", "numbers": [1.0, 0.0], "others": [], "period": 1.0}
    radio.answer(1, said, here, 0.0)
    assert radio.unasked(2, there, 0.05) is None
    heard = {"sender": 1, "text": "WAIT", "numbers": [1.0, 0.0], "others": []}
    assert radio.unasked(2, there, 0.1) == heard
    assert radio.unasked(3, far, 0.1) is None
    radio.unasked(1, here, 1.0)
    radio.answer(2, {**said, "channel": 5, "text": ""}, there, 1.05)
    assert radio.unasked(2, there, 1.2) is None
    radio.answer(1, {**said, "channel": 5, "text": "ACK", "period": 0.0}, here, 1.3)
    assert radio.unasked(2, there, 1.5) == {**heard, "text": "ACK"}
    assert radio.unasked(1, here, 3.0) is None
    assert radio.unasked(2, there, 9.0) is None
