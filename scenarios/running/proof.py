"""The proof of a run in arrays: some of its robots' inputs, played to their ordinary models."""

from __future__ import annotations

from typing import Any

from devs_robotics.core.population import PopulationModel
from devs_robotics.core.population.replay import differences
from devs_robotics.core.robots.wording import numbered
from devs_robotics.scenarios.errors import OptionError


class Proof:
    """Keeps what some robots of a run hear and say, and replays it when the run is over.

    Args:
        model: of the whole experiment
        robots: how many are proven; fewer where there are no more in arrays
        seed: of the run, which says which ones

    Raises:
        OptionError: no robots are in arrays
    """

    def __init__(self, model: Any, robots: int, seed: int) -> None:
        from numpy.random import Generator, Philox

        teams = [team.arrays for team in getattr(model.system, "teams", ()) if team.arrays is not None]
        numbers = [number for team in teams for number in team.numbers]
        if not numbers:
            raise OptionError(
                "--prove replays robots of a population, and there is none in this run: add "
                '--set run.population="arrays"'
            )
        chance = Generator(Philox(key=seed))
        chosen = chance.choice(numbers, min(robots, len(numbers)), replace=False).tolist()
        self.robots = sorted(chosen)
        self._of = len(numbers)
        self._populations: list[PopulationModel] = []
        for team in teams:
            team.population.keep(robot for robot in self.robots if robot in team.numbers)
            self._populations.append(team.population)

    def finish(self) -> str:
        """Replay; returns what differs, empty where nothing does."""
        found = {robot: why for each in self._populations for robot, why in differences(each).items()}
        if not found:
            return ""
        return f"the proof by replay failed for {numbered(found)}: {next(iter(found.values()))}"

    def sentence(self) -> str:
        """What was proven, for people."""
        kept = [each for population in self._populations for each in population.kept.values()]
        said, heard = sum(len(each.said) for each in kept), sum(len(each.heard) for each in kept)
        return (
            f"proven by replay: {numbered(self.robots)} of {self._of} in arrays, {said} messages of {heard} inputs, as "
            "their ordinary models say"
        )
