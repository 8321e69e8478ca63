"""``python -m tests.wheel``: builds the wheel, and tries it as a newcomer does, without the repository.

It makes an environment of its own, installs the wheel in it with its plain dependencies, measures how large that
is, and runs commands of docs/first-run.md in an empty folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from devs_robotics import __version__
from tests.paths import ROOT

LARGEST = 250.0
"""Size of a plain install (MB)."""

COMMANDS = (
    "--version",
    "list",
    "run wander --out out",
    "new cleaning",
    "run cleaning.toml --seed 2",
    "run convoy --set run.rounds=20 --json",
    "run forage --stage loop --lab inside",
    "sweep cleaning.toml --vary cleaning.robots=2,3 --replicates 2 --out sweep",
)


def main() -> None:
    """Build, install, measure, run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder / "dist")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        python = install(folder / "env", wheel)
        size = installed(folder / "env")
        print(f"a plain install: {size:.0f} MB")
        if size > LARGEST:
            sys.exit(f"a plain install takes more than {LARGEST:.0f} MB: make what has come to it an extra")
        (folder / "empty").mkdir()
        for command in COMMANDS:
            said = run([str(python.parent / "devs-robotics"), *command.split()], folder / "empty")
            print(f"devs-robotics {command}: {said.splitlines()[-1][:100] if said else 'nothing is said'}")
            if command == "--version" and __version__ not in said:
                sys.exit(f"the wheel is not of version {__version__}: {said}")
        if not (folder / "empty" / "out" / "summary.json").exists():
            sys.exit("run --out has written no summary.json")


def build(folder: Path) -> Path:
    """The wheel, of files of today."""
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(folder: Path, wheel: Path) -> Path:
    """Make an environment with the wheel in it; returns its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)], folder)
    return python


def installed(folder: Path) -> float:
    """The size of all packages of an environment but those with which it was made (MB)."""
    (packages,) = folder.rglob("site-packages")
    made_with = ("pip", "setuptools", "pkg_resources", "_distutils_hack")
    files = (path for path in packages.rglob("*") if path.is_file())
    return (
        sum(path.stat().st_size for path in files if not path.relative_to(packages).parts[0].startswith(made_with))
        / 1e6
    )


def run(command: list[str], folder: Path) -> str:
    """Run a command there, without what leads to the repository; returns what it says, or ends with that."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
