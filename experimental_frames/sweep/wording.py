"""Numbers of a sweep in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from devs_robotics.experimental_frames.frame.metric import Metric
from devs_robotics.experimental_frames.statistics.series import Interval
from devs_robotics.experimental_frames.sweep.ratios import FEWEST_PAIRS


def plain(value: float, digits: int = 3) -> str:
    """A number with so many significant digits, without an exponent."""
    whole = float(f"{value:.{digits}g}")  # 1234567 is told as 1230000
    return np.format_float_positional(whole, trim="-").replace("-", "−")


def percent(share: float) -> str:
    """A share in per cent, without the sign of per cent."""
    value = 100.0 * share
    text = f"{value:.0f}" if abs(value) >= 10.0 else f"{value:.1f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("-")


def quantity(value: float, metric: Metric, digits: int = 3) -> str:
    """A metric's value with its unit for people."""
    return f"{plain(metric.scale * value, digits)}{f' {metric.unit}' if metric.unit else ''}"


def span(interval: Interval, metric: Metric, digits: int = 3) -> str:
    """Both ends of an interval of a metric, without the unit."""
    return f"{plain(metric.scale * interval.low, digits)} to {plain(metric.scale * interval.high, digits)}"


def percent_span(interval: Interval) -> str:
    """Both ends of an interval of shares in per cent."""
    return f"{percent(interval.low)} to {percent(interval.high)}"


def word_text(word: str, metric: Metric) -> str:
    """A word that a metric is, as it is told: of "coherent" and "not" the second is "not coherent"."""
    return f"not {metric.words[0]}" if word == "not" and metric.words else word


def verb(metric: Metric, word: str) -> str:
    """A verb in the third person, in the number of a metric's title: "collisions rise", "processor time rises"."""
    if not metric.title.partition(" ")[0].endswith("s"):
        return word
    return {"is": "are", "has": "have", "goes": "go", "does": "do"}.get(word, word.removesuffix("s"))


def listed(words: Sequence[str]) -> str:
    """Words as in "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def capital(sentence: str) -> str:
    """A sentence with a capital letter and a full stop; a name, such as a metric of one's own, stays as it is."""
    return f"{sentence if _begins_with_name(sentence) else sentence[:1].upper() + sentence[1:]}."


def after_colon(sentence: str) -> str:
    """A sentence as it goes on after a colon."""
    return sentence if _begins_with_name(sentence) else sentence[:1].lower() + sentence[1:]


def _begins_with_name(sentence: str) -> bool:
    return bool(set("._") & set(sentence.partition(" ")[0].rstrip(".")))


def few_pairs(pairs: int) -> str:
    """That so many pairs of runs are too few for an interval."""
    of_runs = "pair of runs is" if pairs == 1 else "pairs of runs are"
    return f"{pairs} {of_runs} too few to tell that from chance ({FEWEST_PAIRS} are needed)"
