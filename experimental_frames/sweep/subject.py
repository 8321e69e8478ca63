"""What a sweep and its report are told of a case study: plain data, which the sweep keeps in `design.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from devs_robotics.experimental_frames.frame.metric import Metric, Result, measured_by

OWN = "frames."
"""With this the names of further frames' results begin."""

ROBOTS = ".robots"
"""With this ends the key of the number of robots, where a case does not name it."""

MOST_MAIN = 4
"""So many metrics are the main ones where a case names none."""


class Margin(Struct, frozen=True):
    """A value of a metric that matters: a report forecasts at how many robots it is reached.

    Attributes:
        metric: name of the metric
        value: in its SI unit
        reached: what happens from there on, a sentence without its full stop
    """

    metric: str
    value: float
    reached: str


class PublishedValue(Struct, frozen=True):
    """What somebody else found for the measure.

    Attributes:
        settings: for which, by key, in SI units
        value: of the measure, in its SI unit
    """

    settings: dict[str, float]
    value: float


class Published(Struct, frozen=True):
    """What others found for the measure, which figures show beside it.

    Attributes:
        source: who reports it, as in "the paper"
        values: for which settings
        level: why these values may be at another level than those of the sweep, a sentence
    """

    source: str
    values: tuple[PublishedValue, ...]
    level: str = ""


class Condition(Struct, frozen=True):
    """How runs were made, a sentence of a methods paragraph.

    Attributes:
        keys: which settings it follows from; where one of these is varied it is not told
        said: the sentence
    """

    keys: tuple[str, ...]
    said: str


class Account(Struct, frozen=True, kw_only=True):
    """What a methods paragraph says of a case. Works are cited by their names in braces, as in "{hu}" or "{hu, devs}".

    Attributes:
        system: what was simulated, the subject of a sentence
        settings: words for the settings without which nobody could repeat the runs, by key, as in "30 robots"
        conditions: how long a run lasted, for instance
        measure: what was measured, a sentence
        verdicts: how words that are metrics are come to, a sentence
        works: that are cited, by name
    """

    system: str = "A team of robots"
    settings: dict[str, str] = {}
    conditions: tuple[Condition, ...] = ()
    measure: str = ""
    verdicts: str = ""
    works: dict[str, str] = {}


class Subject(Struct, frozen=True, kw_only=True):
    """What there is to know of a case to make a table of its runs and a report of that.

    Attributes:
        metrics: as they are declared, in the order of the table; also those of parts of further frames
            (``frames.NAME.KEY``) that are declared
        team: what the robots are together, for people
        size: key of the number of robots; empty: the varied key that ends in ``.robots``
        main: names of the main metrics; the first is the measure, of which the sections of a report tell. Without any,
            each metric that is a number has a section
        beside: name of the metric that is drawn beside the measure; empty: the second of the main ones
        lost: name of the metric that counts lost robots; empty if there is none
        cost: name of the metric that says what a run costs; empty if there is none
        margin: that is forecast with the number of robots
        published: to compare the measure with
        following: keys whose values follow from others where a scenario leaves them open
        untold: keys with values that are too long to be told
        limits: what a sweep over the number of robots does not say, in sentences
        account: for a methods paragraph
    """

    metrics: tuple[Metric, ...]
    team: str = "team"
    size: str = ""
    main: tuple[str, ...] = ()
    beside: str = ""
    lost: str = ""
    cost: str = ""
    margin: Margin | None = None
    published: Published | None = None
    following: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    account: Account = Account()

    def column(self, name: str) -> Metric:
        """What is known of a metric by its column; of one that nobody has declared nothing but its name is."""
        known = (metric for metric in self.metrics if metric.name == name)
        return next(known, None) or Metric(name, name.removeprefix(OWN), signed=True)

    def declares(self, name: str) -> bool:
        """Whether a column is a metric that somebody has declared."""
        return any(metric.name == name for metric in self.metrics)

    @property
    def verdicts(self) -> tuple[Metric, ...]:
        """The metrics that are words."""
        return tuple(metric for metric in self.metrics if metric.words)

    @property
    def main_metrics(self) -> tuple[Metric, ...]:
        """The main metrics, or the first ones where none are named."""
        if self.main:
            return tuple(map(self.column, self.main))
        return tuple(metric for metric in self.metrics if not metric.words)[:MOST_MAIN]

    @property
    def measure(self) -> Metric | None:
        """Of which sections tell; None without any metric that is a number."""
        return next(iter(self.main_metrics), None)

    @property
    def metric_beside(self) -> Metric | None:
        """What is drawn beside the measure; None if there is nothing."""
        return self.column(self.beside) if self.beside else next(iter(self.main_metrics[1:]), None)

    def size_among(self, keys: Sequence[str]) -> str:
        """The key of the number of robots, if it is one of these; empty if not."""
        return next((key for key in keys if (key == self.size if self.size else key.endswith(ROBOTS))), "")


def columns_of(measures: object, frames: Mapping[str, Mapping[str, Result]]) -> dict[str, Result]:
    """The metrics of one run by column, in their order; NaN, or no word, where there is none.

    Args:
        measures: of the run, with its methods declared as metrics
        frames: results of further frames, by their names
    """
    values = measured_by(measures)
    for name, results in frames.items():
        values.update({f"{OWN}{name}.{key}": value for key, value in results.items()})
    return values
