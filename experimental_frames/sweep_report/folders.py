"""A sweep's folder as the report needs it: the table and its design, the settings, and the command of each run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from devs_robotics.experimental_frames.sweep.reading import Row, Sweep, SweepError, damaged, number, read_sweep
from devs_robotics.experimental_frames.sweep.subject import Subject

DATA = ("runs.csv", "runs.parquet", "design.json", "settings.jsonl")
"""Files of a sweep to which the report links, where they are there."""


class Description(Struct, frozen=True):
    """What ``design.json`` says besides the points.

    Attributes:
        title, scenario: of the scenario, and its name or path
        scenario_sha256: hash of its settings
        settings: of the scenario before anything was varied, as plain data
        runs: that were planned
        versions: of the software
        command: that made the sweep
        usual: settings by default, resolved for as many robots and as long, as plain data
    """

    scenario: str
    settings: dict[str, Any]
    runs: int
    title: str = ""
    scenario_sha256: str = ""
    versions: dict[str, str] = {}
    command: str = ""
    usual: dict[str, Any] = {}


class SweepFolder(Struct, frozen=True):
    """A sweep with what there is to say of it besides its numbers.

    Attributes:
        name: of the folder, or its path where others have the same name
        path: of the folder
        sweep: its runs and their design
        told: what else the design says
        commands: what does a run again by itself, by its number, for those that were not accepted
    """

    name: str
    path: Path
    sweep: Sweep
    told: Description
    commands: Mapping[int, str]

    @property
    def kind(self) -> str:
        """Of the design: factorial, sobol or morris."""
        return self.sweep.design.kind

    @property
    def scenario(self) -> Mapping[str, Any]:
        """Settings before anything was varied."""
        return self.told.settings

    @property
    def subject(self) -> Subject:
        """What was swept."""
        return self.sweep.subject

    @property
    def replicates(self) -> int:
        """Runs per point."""
        return self.sweep.design.replicates

    @property
    def data(self) -> list[Path]:
        """The raw data that is there."""
        return [self.path / name for name in DATA if (self.path / name).is_file()]


def read_folders(paths: Sequence[Path]) -> list[SweepFolder]:
    """Several sweeps of one scenario, read and checked against each other.

    Args:
        paths: of their folders

    Raises:
        SweepError: a folder is no sweep's, is named twice, or has no runs; or the sweeps are of different scenarios
    """
    resolved = [path.resolve() for path in paths]
    for place, path in enumerate(resolved):
        if path in resolved[:place]:
            raise SweepError(f"{paths[place]}: this sweep is named twice: name it once")
    names = [path.name for path in resolved]
    folders = [
        _read(path, name if names.count(name) == 1 else path.as_posix())
        for path, name in zip(paths, names, strict=True)
    ]
    first = folders[0]
    for other in folders[1:]:
        if identity(other) != identity(first):
            raise SweepError(
                f"{first.path} is a sweep of {identity(first)!r} and {other.path} one of {identity(other)!r}: "
                "make a report for each scenario"
            )
    return folders


def identity(folder: SweepFolder) -> str:
    """What the scenario of a sweep is: its title, or where it comes from if it has none."""
    return folder.told.title or folder.told.scenario


class _Line(Struct, frozen=True):
    """Of a line of ``settings.jsonl``: which run it is of, and its command."""

    run: int
    command: str = ""


def _read(path: Path, name: str) -> SweepFolder:
    if not path.is_dir():
        raise SweepError(f"{path}: there is no such folder: name one that devs-robotics sweep has written")
    sweep = read_sweep(path)
    if not sweep.rows:
        raise SweepError(f"{path}: none of the sweep's runs is done yet: let devs-robotics sweep go on with it first")
    plan = path / "design.json"
    try:
        told = msgspec.json.decode(plan.read_bytes(), type=Description)
    except OSError as exc:
        raise SweepError(f"{plan} cannot be read ({exc.strerror})") from exc
    except (ValueError, RecursionError) as exc:  # of msgspec, which lets some of Python's through
        raise damaged(plan, f"it is not the design of a sweep ({exc})") from exc
    wanted = {int(number(row, "run")) for row in sweep.rows if row["ended"] != "accepted"}
    commands = _commands(path / "settings.jsonl", wanted) if wanted else {}
    return SweepFolder(name, path, sweep, told, commands)


def _commands(path: Path, wanted: set[int]) -> dict[int, str]:
    """Of some runs, by their numbers."""
    decode = msgspec.json.Decoder(_Line).decode
    try:
        with path.open("rb") as file:
            lines = (decode(line) for line in file)
            return {line.run: line.command for line in lines if line.run in wanted}
    except FileNotFoundError:
        raise SweepError(f"{path}: the settings of the runs are missing: give the sweep's command again") from None
    except OSError as exc:
        raise SweepError(f"{path} cannot be read ({exc.strerror})") from exc
    except (ValueError, RecursionError) as exc:
        raise damaged(path, f"it is not the settings of each run ({exc})") from exc


def command_of(folder: SweepFolder, row: Row) -> str:
    """What does a run again by itself; empty where it is not known."""
    return folder.commands.get(int(number(row, "run")), "")


def value_at(folder: SweepFolder, key: str) -> Any:
    """The value of a dotted key before anything was varied; None where there is none."""
    table, _, name = key.partition(".")
    return folder.scenario.get(table, {}).get(name)
