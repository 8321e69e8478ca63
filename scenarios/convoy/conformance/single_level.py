"""Level 1: the decision model of one robot of each kind, alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from devs_robotics.experimental_frames.conformance.records import Conformance, ConformanceTable, Finding
from devs_robotics.experimental_frames.convoy.conformance.single import RobotResults, check_robot
from devs_robotics.scenarios.convoy.conformance.protocol_roles import decisions, player_of, protocol_role
from devs_robotics.scenarios.convoy.conformance.runs import placed
from devs_robotics.scenarios.convoy.conformance.situations import of_size
from devs_robotics.scenarios.convoy.settings import ConvoyScenario


def single(scenario: ConvoyScenario) -> Conformance:
    """Level 1: every line of the protocol, and everything out of it, played to one robot of each kind."""
    scenario = of_size(scenario, 3)
    kinds = {"leader": 1, "robot in the middle": 2, "last robot": 3}
    tested = [
        check_robot(
            title, protocol_role(scenario, robot), partial(decisions, scenario, robot), player_of(scenario, robot)
        )
        for title, robot in kinds.items()
    ]
    return Conformance(
        "single",
        f"{sum(len(each.results) for each in tested)} tests, derived from the robots' protocol",
        tuple(finding for each in tested for finding in _single_findings(each)),
        tuple(
            placed(f"{each.title}, {result.case.title}", violation)
            for each in tested
            for result in each.results
            for violation in result.violations
        ),
        tuple(_single_table(each) for each in tested),
        tuple(f"{each.title}: no test reaches {rule}" for each in tested for rule in each.beyond),
    )


def _single_findings(tested: RobotResults) -> Iterator[Finding]:
    for what, lines in (("transitions", True), ("inputs out of protocol", False)):
        passed, count = tested.count(lines=lines)
        verdicts = Counter(result.verdict for result in tested.results if (result.case.rule is not None) == lines)
        unreached = verdicts["not reached"]
        note = f"{passed} of {count}" + (f", {unreached} not reached" if unreached else "")
        yield Finding(f"{tested.title}: {what}", passed == count, note)


def _single_table(tested: RobotResults) -> ConformanceTable:
    rows = ((result.case.title, str(len(result.case.steps)), result.verdict) for result in tested.results)
    return ConformanceTable(f"tests of the {tested.title}", ("test", "steps", "verdict"), tuple(rows), words=True)
