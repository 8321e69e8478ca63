"""What a sweep of a convoy and its report are told."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from devs_robotics.experimental_frames.coherence import sight_margin
from devs_robotics.experimental_frames.convoy.published import AVERAGE_ERROR, ROBOTS
from devs_robotics.experimental_frames.statistics import StatisticsError
from devs_robotics.experimental_frames.sweep import Subject
from devs_robotics.experimental_frames.sweep.subject import Account, Condition, Margin, Published, PublishedValue
from devs_robotics.experimental_frames.sweep.wording import plain
from devs_robotics.scenarios.convoy.settings import ConvoyScenario

MAIN = (
    "error_at_pose_changes_m",
    "error_at_completed_rounds_m",
    "convoy_speed_m_per_s",
    "adjustments_per_round",
)
"""The first is E of equation 7, of which every section tells."""

PUBLISHED = Published(
    source="the paper",
    values=tuple(
        PublishedValue({"convoy.robots": ROBOTS, "noise.dnf": dnf, "noise.anf": anf}, error / 100.0)
        for (dnf, anf), error in AVERAGE_ERROR.items()
    ),
    level="the level rests on the leader's step and the distance between robots, which the paper does not give. What "
    "can be compared is how much E rises with the noise.",
)

WORKS = {
    "convoy": "X. Hu, B. P. Zeigler. A simulation-based virtual environment to study cooperative robotic systems. "
    "Integrated Computer-Aided Engineering, 2005."
}


def subject(scenario: ConvoyScenario, usual: Subject) -> Subject:
    """What there is to know of a convoy to make a table of its runs and a report of that.

    Args:
        scenario: with nothing left open, before anything is varied
        usual: what there is to know of every case
    """
    return replace(
        usual,
        size="convoy.robots",
        main=MAIN,
        beside="adjustments_per_round",
        lost="robots_lost",
        cost="cpu_per_robot_round_s",
        margin=_margin(scenario),
        published=PUBLISHED,
        following=("convoy.poses", "field.width", "field.height", "frame.transient_rounds"),
        untold=("convoy.poses",),
        limits=(
            "The field grows with the line unless the scenario fixes it: N also changes how often the convoy turns.",
            "Rounds of robots ahead of the others count in the processor time per robot and round, too.",
        ),
        account=_account(scenario, usual.account.conditions),
    )


def _margin(scenario: ConvoyScenario) -> Margin | None:
    """Of the followers' mean error at completed rounds; None where a front robot in its place is out of sight."""
    try:
        margin = sight_margin(scenario.infrared.range, scenario.convoy.distance, scenario.robot.radius)
    except StatisticsError:
        return None
    return Margin("error_at_completed_rounds_followers_m", margin, "robots often lose sight of each other")


def _account(scenario: ConvoyScenario, usual: tuple[Condition, ...]) -> Account:
    convoy, noise = scenario.convoy, scenario.noise
    return Account(
        system="The robot convoy of Hu and Zeigler {convoy}",
        settings={
            "convoy.robots": f"{convoy.robots} robots",
            "convoy.distance": f"a desired distance of {plain(100.0 * convoy.distance)} cm",
            "leader.step": f"steps of the leader of {plain(100.0 * scenario.leader.step)} cm",
            "infrared.range": f"an infrared range of {plain(100.0 * scenario.infrared.range)} cm",
            "noise.dnf": f"a distance noise factor DNF of {plain(noise.dnf)}",
            "noise.anf": f"an angle noise factor ANF of {plain(noise.anf)}",
        },
        conditions=(*_conditions(scenario), *usual),
        measure=(
            "The measure is the position error E (equations 4 to 7 of {convoy}): the distance of a robot from its "
            "place behind its front robot, averaged over the robots and over all changes of pose after the transient."
        ),
        verdicts=(
            "A formation is called coherent if no robot is lost, its error stays within half of what makes robots lose "
            "sight of each other, and Mann and Kendall’s test, corrected for autocorrelation, finds no upward trend "
            "{trend, autocorrelated} in a run that is long enough to have shown one."
        ),
        works=WORKS,
    )


def _conditions(scenario: ConvoyScenario) -> Iterator[Condition]:
    rounds, duration = scenario.run.rounds, scenario.run.duration
    if rounds is not None:
        wanted = "1 round" if rounds == 1 else f"{rounds} rounds"
        until = f"until every robot had completed {wanted} or one was lost"
        if duration is None:
            yield Condition(("run.rounds",), f"A run lasted {until}.")
        else:
            most = f"at most {plain(duration)} s of simulated time"
            yield Condition(("run.rounds", "run.duration"), f"A run lasted {until}, and {most}.")
    elif duration is not None:
        yield Condition(
            ("run.rounds", "run.duration"),
            f"A run lasted {plain(duration)} s of simulated time or until a robot was lost.",
        )
