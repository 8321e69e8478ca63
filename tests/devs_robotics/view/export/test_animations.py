"""Animations show at each time what the recording says, where it says."""

from __future__ import annotations

import io
import sys
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from PIL import Image, ImageFont, ImageSequence

from devs_robotics.view import colours
from devs_robotics.view.export.drawing import INK, PAPER, Moments, Words
from devs_robotics.view.export.export import exported
from devs_robotics.view.export.extent import Extent
from devs_robotics.view.export.gif import gif
from devs_robotics.view.export.mp4 import mp4
from devs_robotics.view.export.options import MOST_FRAMES, ExportError, Options, Span, span_of, windows_of
from devs_robotics.view.export.raster import Canvas, Frames
from devs_robotics.view.recording import read
from devs_robotics.view.replay import MarkChange, Replay
from devs_robotics.view.scene import Mark
from tests.conftest import missing
from tests.devs_robotics.view.recorded import Recorded
from tests.devs_robotics.view.timelines import scene, written

SHORT = Options(begin=2.0, end=6.0, speed=5.0, size=200)


def made(replay: Replay, options: Options) -> tuple[Frames, Span]:
    """The frames of a recording, and their times."""
    span = span_of(replay, options)
    return Frames(Moments(replay), span, options), span


def near(found: tuple[int, ...], expected: tuple[int, ...]) -> bool:
    """Whether two colours are alike."""
    return sum(abs(a - b) for a, b in zip(found, expected, strict=True)) < 60


@pytest.mark.parametrize("windows", ["one", "two", "overlay"])
def test_robots_are_where_the_recording_says(recorded: Recorded, windows: str) -> None:
    _, replay = recorded("convoy_in_the_loop", "jsonl")
    options = Options(size=900, windows=windows)  # type: ignore[arg-type]  # mypy knows no text as a literal
    moments = Moments(replay)
    frames = Frames(moments, span_of(replay, options), options)
    shown = windows_of(replay.scene, options.windows)
    for time in np.linspace(replay.timeline.begin + 1.0, replay.timeline.end, 7).tolist():
        image = frames.at(time)
        assert image.size == (frames.width, frames.height)
        for body, (x, y, heading) in zip(moments.bodies, moments.posing.at(time).tolist(), strict=True):
            for number, window in enumerate(shown):
                if body.kind in window.kinds and not isnan(x):
                    beside = (x - 0.6 * body.radius * np.sin(heading), y + 0.6 * body.radius * np.cos(heading))
                    column, row = frames.pixel(number, *beside)
                    found = image.getpixel((round(column), round(row)))
                    assert isinstance(found, tuple)
                    if body.kind == "real":
                        assert near(found, colours.rgb("", colours.KINDS["real"])), (time, body.name)
                    elif body.kind == "virtual":
                        assert near(found, PAPER), (time, body.name)


def test_a_gif_shows_the_frames(recorded: Recorded) -> None:
    path, _ = recorded("forage", "mcap")
    replay = read(path)
    frames, span = made(replay, SHORT)
    content = gif(frames, SHORT.fps)
    assert content == gif(made(replay, SHORT)[0], SHORT.fps) == exported(replay, ".gif", SHORT, {})
    with Image.open(io.BytesIO(content)) as image:
        assert image.size == (frames.width, frames.height)
        assert sum(1 for _ in ImageSequence.Iterator(image)) == len(span.times)
        again = list(made(replay, SHORT)[0])
        for number in (0, 1, len(span.times) // 2, len(span.times) - 1):
            image.seek(number)
            assert image.info["duration"] == 40
            difference = np.asarray(image.convert("RGB")).astype(int) - np.asarray(again[number]).astype(int)
            assert np.abs(difference).max() < 60, number
            assert np.abs(difference).mean() < 1.0


def test_a_gif_has_one_of_two_rates(recorded: Recorded) -> None:
    _, replay = recorded("forage", "mcap")
    with pytest.raises(ExportError, match="25 or 50 frames per second, not 30"):
        exported(replay, ".gif", Options(fps=30), {})


def test_who_is_followed_stays_in_the_middle(recorded: Recorded) -> None:
    _, replay = recorded("forage", "jsonl")
    frames, span = made(replay, Options(size=400, follow=2, end=5.0))
    for time in span.times[::40]:
        image = frames.at(time)
        ring = [image.getpixel((200 + dx, 20 + (image.height - 20) // 2)) for dx in (-15, 15)]
        assert all(isinstance(each, tuple) and near(each, colours.rgb("", colours.CHOSEN)) for each in ring)
    with pytest.raises(ExportError, match="--follow 9: there is no such robot, they are numbered from 1 to 4"):
        exported(replay, ".gif", Options(follow=9), {})


def test_a_film_is_made_by_ffmpeg(recorded: Recorded, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _, replay = recorded("forage", "jsonl")
    monkeypatch.setenv("PATH", str(tmp_path))
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "imageio_ffmpeg", None)
        with pytest.raises(ExportError, match=r"pip install 'devs-robotics\[video\]', or install ffmpeg"):
            exported(replay, ".mp4", SHORT, {})
    try:
        import imageio_ffmpeg  # noqa: F401
    except ImportError:
        missing("imageio-ffmpeg", "pip install imageio-ffmpeg")
    content = mp4(made(replay, SHORT)[0], SHORT.fps)
    assert content[4:8] == b"ftyp"
    assert content == mp4(made(replay, SHORT)[0], SHORT.fps)


@given(st.floats(0.0, 50.0), st.floats(0.0, 50.0), st.floats(0.1, 100.0), st.sampled_from([25, 30, 50]))
def test_frames_are_at_even_times_from_begin_to_end(begin: float, length: float, speed: float, fps: int) -> None:
    assume(length * fps / speed < MOST_FRAMES)
    replay = Replay(scene=scene(["virtual"]), timeline=written([(0.0, 0.0, 0.0)], [], 100 * 1024))
    span = span_of(replay, Options(begin=begin, end=begin + length, speed=speed, fps=fps))
    assert (span.times[0], span.times[-1]) == (begin, begin + length)
    steps = np.diff(span.times)
    assert (steps >= 0.0).all()
    assert steps[:-1] == pytest.approx(speed / fps)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(begin=-1.0), "--from -1 is not in this recording, which goes from 0 s to 100 s"),
        (Options(begin=3.0, end=2.0), "--to 2 is before --from 3"),
        (Options(speed=1e-3), "frames, and 20,000 are the most"),
        (Options(windows="two"), "there are none: leave it out"),
        (Options(size=5), "--size must be from 64 to 4096"),
    ],
)
def test_what_cannot_be_shown_is_said(options: Options, words: str) -> None:
    replay = Replay(scene=scene(["virtual"]), timeline=written([(0.0, 0.0, 0.0)], [], 100 * 1024))
    with pytest.raises(ExportError, match=words):
        exported(replay, ".gif", options, {})


@given(st.data())
def test_marks_are_those_of_the_time_whichever_way_it_goes(data: st.DataObject) -> None:
    names = st.sampled_from(["a", "b", "c"])
    marks = st.one_of(st.none(), st.sampled_from([Mark(text="x"), Mark(text="y")]))
    times = sorted(data.draw(st.lists(st.floats(0.0, 9.0), max_size=8)))
    changes = tuple(MarkChange(time, data.draw(names), data.draw(marks)) for time in times)
    replay = Replay(scene=scene(["virtual"]), timeline=written([(0.0, 0.0, 0.0)], [], 9 * 1024), marks=changes)
    moments = Moments(replay)
    for time in data.draw(st.lists(st.floats(0.0, 9.0), min_size=1, max_size=8)):
        expected: dict[str, Mark | None] = {}
        for change in changes:
            if change.time <= time:
                expected[change.name] = change.mark
        assert moments.marks(time) == {name: mark for name, mark in expected.items() if mark is not None}


@given(st.lists(st.tuples(st.floats(0.0, 4.0), st.floats(0.0, 3.0)), max_size=12))
def test_words_cover_no_others_and_stay_in_the_picture(places: list[tuple[float, float]]) -> None:
    canvas = Canvas(Image.new("RGB", (400, 300)), Extent(0.0, 0.0, 4.0, 3.0), 50.0, ImageFont.load_default(24))
    for x, y in places:
        canvas.draw([Words(x, y, "25 %", INK, 0.1, 10.0), Words(x, y, "1", INK, -0.1, -9.0, 0.1)])
    for number, (left, top, right, bottom) in enumerate(canvas.taken):
        assert 0.0 <= left < right <= 400.0
        assert 0.0 <= top < bottom <= 300.0
        for x0, y0, x1, y1 in canvas.taken[:number]:
            assert right <= x0 or x1 <= left or bottom <= y0 or y1 <= top
    assert bool(canvas.taken) is bool(places)
