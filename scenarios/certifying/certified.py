"""Of what a certificate is: a scenario with nothing left open, and the software; and in what two of them differ."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from msgspec import Struct

from devs_robotics.scenarios.case import resolve
from devs_robotics.scenarios.settings.schema import Scenario
from devs_robotics.scenarios.sweeps.identity import difference_in
from devs_robotics.scenarios.sweeps.software import Software, modules_of, software


class Certified(Struct, frozen=True):
    """What a certificate is of.

    Attributes:
        scenario: all of it but its seed, how it is looked at, and where robots are reached
        software: that makes its runs
    """

    scenario: dict[str, Any]
    software: Software

    @property
    def sha256(self) -> str:
        """Hash of the scenario (hexadecimal)."""
        text = json.dumps(self.scenario, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def difference(self, scenario: dict[str, Any], versions: dict[str, str], sources: dict[str, str]) -> str:
        """The first thing in which it is another one than that of a certificate; empty where it is the same."""
        there = {"settings": scenario, "versions": versions, "sources": sources}
        here = {"settings": self.scenario, "versions": self.software.versions, "sources": self.software.sources}
        return difference_in(("settings", "versions", "sources"), there, here)


def certified(scenario: Scenario) -> Certified:
    """What is here of a scenario."""
    seedless = scenario.model_copy(update={"run": scenario.run.model_copy(update={"seed": 0})})
    data = resolve(seedless).model_dump(mode="json", exclude={"view": True, "run": {"seed"}})
    for table in (*data.get("real", {}).values(), data.get("tracking", {})):
        table.pop("address", None)
    return Certified(json.loads(json.dumps(data)), software(modules_of([scenario])))
