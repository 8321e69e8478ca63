"""The pictures in the documents, made anew: ``python -m tests.images`` (some minutes; needs Chromium).

What a picture shows is hashed into ``docs/images/made-from.json`` beside it, so that a test can tell when it is old:
its words, styles and numbers, and not its bytes, which differ from one version of Chromium or matplotlib to another.
With names, as in ``python -m tests.images report.png``, it makes only these. With pictures of the e-puck2 it writes
``docs/epuck2.md`` anew, too, with costs as they were measured (``docs/epuck2-costs.json``).
"""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from functools import cache, partial
from hashlib import sha256
from html import unescape
from pathlib import Path

from devs_robotics.experimental_frames.convoy.paper_figures.page import files
from devs_robotics.scenarios.commands.cli import main
from devs_robotics.scenarios.convoy import paper_figures
from devs_robotics.view.export.drawing import Moments, Piece, moving, standing
from devs_robotics.view.export.options import Options, span_of, windows_of
from devs_robotics.view.recording import read
from tests import epuck2_pictures
from tests.experimental_frames.convoy.paper_figures.runs import runs
from tests.experimental_frames.convoy.paper_figures.test_figures_page import made
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "images"
RECORD = FOLDER / "made-from.json"

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --hide-scrollbars --virtual-time-budget=5000"
)
SIZE = "1000,1280"
"""Of the report's upper part (pixels)."""
BELOW = "<h2>Position error over time</h2>"
"""What follows it."""
WITNESS: paper_figures.Job = ((0.1, 0.08), 10, 1)
"""Of the runs behind figures 10 and 11, the one that tells whether the others would be the same today."""


def make(names: Sequence[str]) -> None:
    """Make these pictures, and record what they were made from."""
    with tempfile.TemporaryDirectory() as folder:
        for maker in dict.fromkeys(MAKERS[name] for name in names):
            maker(Path(folder))
        record = json.loads(RECORD.read_text()) if RECORD.exists() else {}  # now: others may be made meanwhile
        for name in names:
            shutil.copyfile(Path(folder) / name, FOLDER / name)
            record[name] = digest(name)
    RECORD.write_text(json.dumps(dict(sorted(record.items())), indent=2) + "\n")


def digest(name: str) -> str:
    """Of what a picture would show if it were made now."""
    return sha256("\n".join(SHOWN[name]()).encode()).hexdigest()


def _make_report(folder: Path) -> None:
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit("report.png is a picture of a page in Chromium, which is not installed: apt-get install chromium")
    page = _run(folder) / "report.html"
    command = [browser, *FLAGS.split(), f"--user-data-dir={folder / 'profile'}", f"--window-size={SIZE}"]
    command += [f"--screenshot={folder / 'report.png'}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=300)


def _make_tree(folder: Path) -> None:
    """The diagram of the convoy, of which two levels are open."""
    _command("tree", "convoy", "--depth", "2", "--svg", str(folder / "tree.svg"))


def _make_figures(folder: Path) -> None:
    paper_figures.make(folder)


def _run(folder: Path) -> Path:
    """Run the convoy as it ships; returns where its results are."""
    _command("run", "convoy", "--out", str(folder / "run"))
    return folder / "run"


def _command(*arguments: str) -> None:
    with redirect_stdout(io.StringIO()):
        status = main(arguments)
    assert not status, f"devs-robotics {' '.join(arguments)} ended with {status}"


def _make_animation(name: str, folder: Path) -> None:
    """An animation of a run."""
    run, view = ANIMATED[name]
    _command("run", *run, "--record", str(folder / f"{name}.mcap"))
    _command("view", str(folder / f"{name}.mcap"), "--export", str(folder / name), *view)


def shown_by_animation(name: str) -> list[str]:
    """All that is drawn at some of its times, to the millimetre, and what it says of itself."""
    run, view = ANIMATED[name]
    with tempfile.TemporaryDirectory() as folder:
        _command("run", *run, "--record", str(Path(folder) / "run.jsonl"))
        replay = read(Path(folder) / "run.jsonl")
    moments, span = Moments(replay), span_of(replay, Options(speed=float(view[view.index("--speed") + 1])))
    shown = [f"{view} {span.begin} {span.end:.3f} {len(span.times)}"]
    for time in span.times[:: len(span.times) // TIMES]:
        poses, marks = moments.posing.at(time), moments.marks(time)
        for window in windows_of(replay.scene, ""):
            pieces = [*standing(replay.scene, marks), *moving(moments, poses, marks, window, 0)]
            shown += [window.title, *(_rounded_piece(piece) for piece in pieces)]
    return shown


def _rounded_piece(piece: Piece) -> str:
    def rounded(found: re.Match[str]) -> str:
        return f"{float(found[0]):.3f}".replace("-0.000", "0.000")

    return re.sub(r"-?\d+\.\d+(e-?\d+)?", rounded, repr(piece))


def shown_by_tree() -> list[str]:
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        _make_tree(Path(folder))
        return [(Path(folder) / "tree.svg").read_text()]


def shown_by_report() -> list[str]:
    """Its style and its words without scripts, what stands in its figure, and the numbers that this draws."""
    with tempfile.TemporaryDirectory() as folder:
        results = _run(Path(folder))
        upper = (results / "report.html").read_text().partition(BELOW)[0]
        series = [float(cell) for line in (results / "series.csv").read_text().split()[1:] for cell in line.split(",")]
    style = re.findall(r"<style>.*?</style>", upper, flags=re.S)
    drawn = [text for figure in re.findall(r"<svg.*?</svg>", upper, flags=re.S) for text in shown_by_figure(figure)]
    words = re.sub(r"<(style|svg|script).*?</\1>|<[^>]*>", " ", upper, flags=re.S)
    return [*style, *drawn, " ".join(unescape(words).split()), _rounded(series)]


def shown_by_paper_figure(number: int) -> list[str]:
    """How it is drawn, of numbers that are made up; and the numbers of one of the runs."""
    drawn, numbers = _paper_figures()
    return [*shown_by_figure(drawn[f"figure-{number}.svg"]), numbers]


def shown_by_epuck2(name: str) -> list[str]:
    """How it is drawn, and its numbers."""
    return [*shown_by_figure(epuck2_pictures.svg(name)), _rounded(epuck2_pictures.numbers(name))]


@cache
def _paper_figures() -> tuple[dict[str, str], str]:
    drawn = files(made(runs(lambda noise, robots, seed: 13.0 + 0.01 * robots + 0.1 * seed, seeds=3)))
    witness = paper_figures.measure(WITNESS, paper_figures.ROUNDS, ())
    numbers = _rounded((paper_figures.SEEDS, witness.average_m, *witness.errors_m))
    return {name: figure for name, figure in drawn.items() if isinstance(figure, str)}, numbers


def shown_by_figure(svg: str) -> list[str]:
    """The texts in a drawing but for the numbers at its axes, and the styles of its lines and areas."""
    texts = [text.strip() for text in re.findall(r"<!--(.*?)-->", svg, flags=re.S)]
    styles = set(re.findall(r"(?:fill|stroke|stroke-width|stroke-dasharray): [^;\"]+", svg))
    return [*(text for text in texts if not re.fullmatch(r"[−\d.,]+", text)), *sorted(styles)]


def _rounded(numbers: Iterable[float]) -> str:
    return " ".join(f"{number:.6g}" for number in numbers)


ANIMATED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    f"{name}.gif": (tuple(run.split()), ("--size", size, "--speed", speed))
    for name, run, size, speed in (
        ("battery", "battery --set run.duration=200", "320", "40"),
        (
            "convoy",
            "convoy --set convoy.robots=10 --set field.width=10 --set field.height=5.5 --set run.rounds=60",
            "480",
            "25",
        ),
        ("diffusion", "diffusion --set run.duration=40", "280", "9.5"),
        ("forage", "forage", "340", "50"),
        ("line_following", "line_following --set run.duration=62", "360", "12"),
        ("logistics", "logistics --seed 11", "270", "16"),
        (
            "loop",
            (
                "convoy_in_the_loop --stage loop --lab inside "
                "--set field.width=4 --set field.height=2.8 --set run.rounds=30"
            ),
            "520",
            "16",
        ),
        ("meet", "meet --set run.duration=50", "280", "13"),
        ("mixed_walk", "mixed_walk --set run.duration=50", "340", "12"),
        ("phototaxis", "phototaxis", "320", "8"),
        ("swarm", "swarm --set run.duration=30", "300", "5"),
        ("transport", "transport --set transport.robots=6 --set transport.items=6", "400", "250"),
        ("wander", "wander --set run.duration=100", "320", "20"),
    )
}
"""Animations: what is run, and how it is shown."""
TIMES = 12
"""Of an animation, at which it is looked at whether it would be the same today."""

SHOWN: dict[str, Callable[[], list[str]]] = {
    **{name: partial(shown_by_animation, name) for name in ANIMATED},
    "figure-10.png": lambda: shown_by_paper_figure(10),
    "figure-11.png": lambda: shown_by_paper_figure(11),
    "report.png": shown_by_report,
    "tree.svg": shown_by_tree,
    **{name: partial(shown_by_epuck2, name) for name in epuck2_pictures.NAMES},
}
MAKERS: dict[str, Callable[[Path], None]] = {
    **{name: partial(_make_animation, name) for name in ANIMATED},
    "figure-10.png": _make_figures,
    "figure-11.png": _make_figures,
    "report.png": _make_report,
    "tree.svg": _make_tree,
    **dict.fromkeys(epuck2_pictures.NAMES, epuck2_pictures.make_all),
}


if __name__ == "__main__":
    wrong = sorted(set(sys.argv[1:]) - set(SHOWN))
    if wrong:
        sys.exit(f"there is no picture {wrong[0]}: choose from {', '.join(SHOWN)}")
    make(sys.argv[1:] or list(SHOWN))
