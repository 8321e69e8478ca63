"""The page: what is the paper's beside ours, the pictures, and the costs, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from devs_robotics.experimental_frames.epuck2 import costs_tables
from devs_robotics.experimental_frames.epuck2.comparing import Row, compared
from devs_robotics.experimental_frames.epuck2.discharges import SPREAD
from devs_robotics.experimental_frames.epuck2.made import EpuckFigureData
from devs_robotics.experimental_frames.epuck2.markdown import bullets, paragraph, picture, table
from devs_robotics.experimental_frames.epuck2.pictures import PICTURES

NAME, COSTS = "epuck2.md", "epuck2-costs.json"
"""Of the page, and of the measurements that its costs are taken from."""

COMMAND = "python -m devs_robotics.scenarios.epuck2_figures"

LEAD = """\
# The e-puck2, beside what is published of it

D. H. Stolfi and G. Danoy measured e-puck2s, and wrote a plug-in of them for the simulator ARGoS (*Robotics and
Autonomous Systems* 164, 2023, 104412). Here is every figure and table of theirs that holds numbers, made again by our
models, beside the published values.
"""

HOW = f"""\
## Made by one command

This page too; `make figures` runs it:

```
{COMMAND} --out out/epuck2           # minutes, nearly all of them for costs
{COMMAND} --out out/epuck2 --quick   # costs in some minutes, with wide intervals
{COMMAND} --out out/epuck2 --costs docs/{COSTS}   # costs as measured before
```

The last one takes seconds, and writes the same bytes each time. What figures 4 to 8 and 10 draw is in the folder
`data`, as CSV.
"""

CONTRADICTIONS = """\
## Where the paper says two things

- There are seventeen battery curves in the text; speeds from 0 to 15 cm/s by 1 are sixteen. Wheels that turn faster
  count as those of 15 cm/s here.
- The error of the approximated battery in ARGoS is 0.0032 in the text and 0.0023 in Table 5.
- The batteries of eight robots were measured by the text of section 4.1.7, of two by the conclusion.
- Batteries discharge by the speed of the robot, and were measured on robots that rotate in place, which have none.
  Here it is the speed of the wheels.
- ARGoS' noise is "between -1 and 1". That is the largest that can be set; the study had none, and nor have the runs
  of this page.

## What is not here

Figures 1 to 3 and 11 are a photograph, drawings and a diagram. The battery's algorithms, with what was put right in
them, are `models/batteries/`. What real robots read, behind figures 4 to 8 and 10, and all curves that are only
pictures are not published as numbers.
"""


def page(made: EpuckFigureData, images: str = "images") -> str:
    """The whole page.

    Args:
        made: what it shows
        images: folder of the pictures, as seen from the page
    """
    rows = compared(made)
    parts = [LEAD, *_summary(made, rows), HOW, *_sensors(images), *_batteries(images), *_costs(made, images)]
    return "\n".join([*parts, "## Every published value\n", _rows(rows), CONTRADICTIONS])


def _summary(made: EpuckFigureData, rows: Sequence[Row]) -> Iterator[str]:
    agree = sum(row.verdict == "agrees" for row in rows)
    known = (
        f"Of {len(rows)} published values and statements, {agree} are ours too: [all of them](#every-published-value)."
    )
    yield bullets(f"{known} The others are in the table.", *costs_tables.summary(made.costs))
    different = [row for row in rows if row.verdict != "agrees"]
    yield table(
        ("where", "what", "published", "ours", "why"),
        [(row.where, row.what, row.published, row.ours, row.why or _why(row)) for row in different],
    )


def _why(row: Row) -> str:
    return "Their measurements are not published; ours are made up." if row.verdict == "other data" else ""


def _sensors(images: str) -> Iterator[str]:
    yield "## Sensors\n"
    yield """\
Robots in the environment model read their sensors ten times per second. Diamonds are what the paper's formulas and
texts say.
"""
    for name in ("proximity", "light", "ground", "time-of-flight", "encoders", "camera"):
        yield from _shown(name, images)


def _batteries(images: str) -> Iterator[str]:
    yield "## Batteries\n"
    yield paragraph(
        f"""
        **Only the simple model's two slopes are published.** The curves of the other models that ship are
        illustrative, not measured: they have the features that the paper tells of, and a shape that nobody measured.
        The measurements below are made up of them: two batteries per speed, which last {100.0 * SPREAD:.0f} % less and
        {100.0 * SPREAD:.0f} % more than the curve. That one number was chosen so that the cubic model's error is about
        the published one; the others follow. The published errors of the two straight models are larger, so
        that real batteries seem to bend more. `devs-robotics battery fit data.csv` makes the table of errors of
        measurements of your own; of those below, of the file `data/figure-10.csv`.
        """
    )
    for name in ("discharges", "battery-models"):
        yield from _shown(name, images)


def _costs(made: EpuckFigureData, images: str) -> Iterator[str]:
    yield "## What sensors cost\n"
    yield from costs_tables.introduction(made.costs)
    yield from _shown("arenas", images)
    yield from _shown("costs", images)
    yield from costs_tables.sensors(made.costs)
    yield "### Batteries\n"
    yield from _shown("battery-costs", images)
    yield from costs_tables.batteries(made.costs)
    yield f"All measurements: [{COSTS}]({COSTS}).\n"


def _shown(name: str, images: str) -> Iterator[str]:
    shown = PICTURES[name]
    yield picture(f"{shown.figure}: {shown.what}", f"{images}/{shown.file}")
    yield paragraph(f"**{shown.figure}.** {shown.caption}")


def _rows(rows: Sequence[Row]) -> str:
    cells = [(row.where, row.what, row.published, row.ours, row.verdict) for row in rows]
    return table(("where", "what", "published", "ours", ""), cells)
