"""All that figures and tables are made from."""

from __future__ import annotations

from msgspec import Struct

from devs_robotics.experimental_frames.epuck2 import traces
from devs_robotics.experimental_frames.epuck2.costs.measuring import Costs
from devs_robotics.experimental_frames.epuck2.discharges import Discharged, discharged


class EpuckFigureData(Struct, frozen=True):
    """Traces, batteries, and costs as they were measured.

    Attributes:
        response, turn: of proximity sensors, figure 4
        light: figure 5
        stripes, sectors: of ground sensors, figure 6
        distances: of time of flight sensors, figure 7
        steps, wrap: of step counters, figure 8
        picture: of a camera, figure 9
        batteries: figures 10 and 12, Table 5
        costs: figure 14 and Table 6
    """

    response: traces.ReadingsTable
    turn: traces.ReadingsTable
    light: traces.ReadingsTable
    stripes: traces.ReadingsTable
    sectors: traces.ReadingsTable
    distances: traces.ReadingsTable
    steps: traces.ReadingsTable
    wrap: traces.ReadingsTable
    picture: traces.CameraPicture
    batteries: Discharged
    costs: Costs

    @property
    def traces(self) -> tuple[traces.ReadingsTable, ...]:
        """Those that are tables."""
        sensors = (self.response, self.turn, self.light, self.stripes, self.sectors)
        return (*sensors, self.distances, self.steps, self.wrap)


def make(costs: Costs) -> EpuckFigureData:
    """Run all models; they say the same each time."""
    distances, steps = traces.towards_an_obstacle()
    return EpuckFigureData(
        response=traces.proximity_response(),
        turn=traces.proximity_turn(),
        light=traces.light_response(),
        stripes=traces.ground_stripes(),
        sectors=traces.ground_sectors(),
        distances=distances,
        steps=steps,
        wrap=traces.encoder_wrap(),
        picture=traces.camera_picture(),
        batteries=discharged(),
        costs=costs,
    )
