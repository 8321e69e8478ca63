"""The commands of the documents: which of them a test runs, with what they need, and why others are not run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from tests.documents import TITLED
from tests.scenarios.case_study.files import modules_as_they_were
from tests.scenarios.commands.calling import called

STARTS = (
    "devs-robotics",
    "python",
    "python3",
    "pip",
    "make",
    "dask",
    "ray",
    "mosquitto",
    "openssl",
    "eval",
    "ros2",
    ".",
)
"""How a line of a block without a language begins, if the block is one of commands."""

GOES_ON = "it goes on until somebody stops it"
CLOCK = "it waits for a clock, with processes of its own: tests/test_first_case_study.py plays such runs"
LONG = "it takes minutes or hours"
INSTALLS = "it installs something: tests/wheel.py does so, as make wheel"
ROBOTS = "it needs robots or a camera"
CLUSTER = "it needs a cluster: tests/scenarios/sweeps/test_places.py has one"
OTHERS = "it is a program of others"
BROKER = "it needs a broker at a given address, or a password that is typed: tests/hil/transports/test_mqtt.py has them"
ROS = "it needs a robot or tools of ROS 2: tests/hil/ros2 has robots"

NOT_RUN = {
    r"(pip|python3 -m venv|\.venv/bin/python -m pip|\. \.venv/bin/activate)\b": INSTALLS,
    r"make (test|papers|figures)\b": LONG,
    r"make convoy": INSTALLS,
    r"devs-robotics (lab|node|serve)\b": GOES_ON,
    r"devs-robotics run .*--view\b": GOES_ON,
    r"devs-robotics view \S+$": GOES_ON,
    r"devs-robotics queue work\b": "it works off a queue: tests/scenarios/commands/test_queue_command.py does",
    r"devs-robotics run (?!.*--lab inside).*--stage (loop|real|distributed)\b": CLOCK,
    r"devs-robotics study\b": f"{LONG}: tests/scenarios/comparison/test_study.py makes studies",
    r"devs-robotics conform .*--level (hybrid|final)\b": CLOCK,
    r"devs-robotics conform .*--level large\b": f"{LONG}: tests/scenarios/commands/test_conform_command.py has it",
    r"devs-robotics conform .*my_robots:Eager": "its module is tried by tests/scenarios/convoy/test_own_follower.py",
    r"devs-robotics run my\.toml": "its module is tried by tests/scenarios/convoy/test_own_metrics.py",
    r"devs-robotics experiment\b": f"{LONG}: tests/scenarios/pera/test_experiments.py makes short ones",
    r"devs-robotics (camera|probe)\b": ROBOTS,
    r"devs-robotics certify delivery\.toml": "the page is played with it up to here",
    r"devs-robotics run .*--ros2\b": ROS,
    r"devs-robotics sweep .*--(dask|ray)\b": CLUSTER,
    r"(dask|ray)\b": CLUSTER,
    r"(ros2|rviz2)\b": ROS,
    r"(mosquitto|mosquitto_passwd|openssl)\b": OTHERS,
    r"python -m devs_robotics\.hil\.broker\b": BROKER,
    r"eval |devs-robotics completion": "it is for a shell: tests/scenarios/commands/test_shells.py has some",
    r"python -m devs_robotics\.scenarios\.papers\b": f"{LONG}: tests/scenarios/test_papers.py has it",
    r"python -m devs_robotics\.scenarios\.\w+_(figures|traffic)\b": f"{LONG}: tests/scenarios has a test of each",
}
"""What is not run, by how its line begins, with the reason; it is parsed only."""

CONVOY = "--set run.rounds=5"

SHORTER = {
    r"^(devs-robotics (run|certify) (convoy|convoy_in_the_loop)\b(?!.*run\.rounds)[^|]*)": rf"\1 {CONVOY} ",
    r"^(devs-robotics sweep convoy --vary (noise|convoy)\b.*)": rf"\1 --replicates 1 --jobs 1 {CONVOY}",
    r"^(devs-robotics sweep convoy --(sobol|morris)\b.*)": rf"\1 --samples 2 --jobs 1 --set convoy.robots=4 {CONVOY}",
    r"--set run\.rounds=20\b": "--set run.rounds=5",
    r"20,30,40,100,300,1000": "20",
    r"^(devs-robotics run (logistics|transport|wander|mixed_walk|diffusion|swarm|forage)\b.*)": r"\1 --duration 2",
    r"^(devs-robotics sweep (logistics|transport|diffusion)\b.*)": r"\1 --replicates 2 --jobs 1 --duration 1",
    r"--export (\S+) --(from 10|to 60)\b.*": r"--export \1 --to 1",
    r"--rate 4\b": "--rate 400",
    r"^(devs-robotics certify mine\.toml) --seeds 299 --jobs 4": r"\1 --seeds 5",
    r"^(devs-robotics certify turtle\.toml)": r"\1 --seeds 5 --duration 1",
    r"^(devs-robotics certify convoy_in_the_loop)": r"\1 --seeds 5",
    r"^(devs-robotics conform convoy --level team)": r"\1 --rounds 5",
}
"""What is made shorter, and how."""

GIVEN = {
    "mine.toml": 'case = "wander"\n\n[run]\nduration = "2 s"\n\n[field]\nobstacles = []\n\n[wandering]\nrobots = 1\n'
}
"""Files that pages speak of and do not show; those that they show have titles."""

FIRST = {"view.md": ("devs-robotics run convoy_in_the_loop --stage loop --lab inside --record run.mcap",)}
"""What is run before the commands of a page, in place of what is not run."""


class PageCommand(Struct, frozen=True):
    """A line of a block.

    Attributes:
        line: without its comment
        comment: behind it
        kind: the language of its block
    """

    line: str
    comment: str
    kind: str

    @property
    def reason(self) -> str:
        """Why it is not run; empty where it is."""
        line = self.line.removeprefix("PYTHONPATH=. ")
        return next((reason for begins, reason in NOT_RUN.items() if re.match(begins, line)), "")

    @property
    def shorter(self) -> str:
        """As a test runs it."""
        line = self.line
        for long, short in SHORTER.items():
            line = re.sub(long, short, line)
        return line


def page_commands(page: Path) -> Iterator[PageCommand]:
    """All lines of all blocks of commands of a page."""
    for kind, _, block in TITLED.findall(page.read_text(encoding="utf-8")):
        if kind in ("shell", "bash") or (not kind and block.startswith(STARTS)):
            for line in block.replace("\\\n", " ").splitlines():
                command, _, comment = line.partition("  #")
                if command.strip() and not command.startswith("#"):
                    yield PageCommand(" ".join(command.split()), comment.strip(), kind)


def write_files(page: Path, folder: Path) -> None:
    """Write the files that a page shows, or speaks of."""
    shown = {title: text for _, title, text in TITLED.findall(page.read_text(encoding="utf-8")) if title}
    for name, text in {**GIVEN, **shown}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def carry_out(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Do a line in a folder, in this process, as far as it is a command of the project; a pipe leads on to Python."""
    words = shlex.split(line)
    if "|" in words:
        place = words.index("|")
        done = carry_out(shlex.join(words[:place]), folder)
        assert words[place + 1] == "python"
        further = [sys.executable, *words[place + 2 :]]
        return subprocess.run(further, input=done.stdout, capture_output=True, text=True, check=False, cwd=folder)
    assert words[0] == "devs-robotics", f"{line}: run it, or say in NOT_RUN why not"
    with modules_as_they_were():
        return called(*words[1:], cwd=folder)
