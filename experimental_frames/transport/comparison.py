"""What traffic management is worth: minutes of runs with the same seeds, held against those of the three modes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from devs_robotics.experimental_frames.statistics import holm, mean_over_replications, paired_comparison, paired_p
from devs_robotics.experimental_frames.statistics.means import Paired
from devs_robotics.experimental_frames.transport.published import MODES

FEW = 10
"""From fewer seeds nothing follows."""

Minutes = Mapping[int, float]
"""Minutes until all is delivered, by seed; where they are not, the longest time that a run may take."""


class PolicyRuns(Struct, frozen=True):
    """What came of one way to manage traffic.

    Attributes:
        name: of the policy: options, joined by "+"
        minutes: by seed
    """

    name: str
    minutes: Minutes


class AgainstModes(Struct, frozen=True):
    """A policy held against the modes, which have no traffic management, with the same seeds.

    Attributes:
        name: of the policy
        minutes: their mean
        seeds: that policy and modes all have
        best: its difference to the best mode of the same seed; None with fewer than two seeds
        modes: its differences to each mode, with p-values after Holm's correction
    """

    name: str
    minutes: float
    seeds: tuple[int, ...]
    best: Paired | None
    modes: Mapping[str, tuple[Paired, float]]

    @property
    def is_better(self) -> bool:
        """Whether it is faster than the best mode of the same seed, interval and all, by enough seeds."""
        return self.best is not None and len(self.seeds) >= FEW and self.best.interval.high < 0.0


def against_modes(policy: PolicyRuns, modes: Mapping[str, Minutes]) -> AgainstModes:
    """How a policy differs from the modes.

    Args:
        policy: its runs
        modes: minutes of each mode
    """
    common = tuple(sorted(set(policy.minutes).intersection(*map(set, modes.values()))))
    mine = [policy.minutes[seed] for seed in common]
    mean = sum(mine) / len(mine) if mine else float("nan")
    if len(common) < 2:
        return AgainstModes(policy.name, mean, common, None, {})
    best = [min(minutes[seed] for minutes in modes.values()) for seed in common]
    pairs = {mode: paired_comparison(mine, [minutes[seed] for seed in common]) for mode, minutes in modes.items()}
    corrected = holm([paired_p(pair) for pair in pairs.values()])
    by_mode = {mode: (pair, p) for (mode, pair), p in zip(pairs.items(), corrected, strict=True)}
    return AgainstModes(policy.name, mean, common, paired_comparison(mine, best), by_mode)


def against_policy(policy: PolicyRuns, other: PolicyRuns) -> Paired | None:
    """How a policy differs from another one, with the seeds that both have; None with fewer than two."""
    common = sorted(policy.minutes.keys() & other.minutes.keys())
    if len(common) < 2:
        return None
    return paired_comparison([policy.minutes[seed] for seed in common], [other.minutes[seed] for seed in common])


def mean_text(minutes: Minutes) -> str:
    """Mean and 95 % interval of minutes, and how many seeds there are."""
    if not minutes:
        return "-"
    values = list(minutes.values())
    if len(values) < 2:
        return f"{values[0]:.1f} (1)"
    mean = mean_over_replications(values)
    return f"{mean.mean:.1f} ± {mean.interval.half_width:.1f} ({mean.n})"


def difference_text(pair: Paired | None) -> str:
    """A mean difference and its 95 % interval."""
    if pair is None:
        return "-"
    return f"{pair.difference.mean:+.1f} [{pair.interval.low:+.1f}, {pair.interval.high:+.1f}]"


def mode_cells(found: AgainstModes) -> Iterator[str]:
    """Differences to each mode, and what Holm's correction leaves of them."""
    for mode in MODES:
        if mode in found.modes:
            pair, p = found.modes[mode]
            yield f"{pair.difference.mean:+.1f} (p {'< 0.001' if p < 0.001 else f'= {p:.3f}'})"
        else:
            yield "-"


def verdict(found: Sequence[AgainstModes]) -> str:
    """What follows, in sentences; nothing does of policies with few seeds."""
    enough = [each for each in found if len(each.seeds) >= FEW]
    few = [each for each in found if len(each.seeds) < FEW]
    if not enough:
        most = max((len(each.seeds) for each in found), default=0)
        return f"Nothing follows from this: there are {most} seeds, and {FEW} would be the least."
    better = [each.name for each in enough if each.is_better]
    said = "No policy is faster than the best mode of the same seed."
    if better:
        said = f"Faster than the best mode of the same seed, interval and all: {', '.join(better)}."
    if few:
        said += f" Nothing follows for {', '.join(each.name for each in few)}: there are fewer than {FEW} seeds."
    return said
