"""Makes subtle mistakes in modules, one at a time, and tells which of them no mirrored test notices.

python -m tests.mutants                          all modules whose tests have to notice (hours)
python -m tests.mutants --share 0.05             every twentieth mistake of each, chosen by chance
python -m tests.mutants hil/transports --share 0.2
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
import tomllib
import traceback
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from tests.mutants.making import Mutant, mutants
from tests.mutants.mirror import Mirror, mirror
from tests.mutants.trying import copy_of, load_libraries, noticed, passing
from tests.paths import ROOT

WHERE = (
    "devs_robotics/core",
    "devs_robotics/core/realtime",
    "devs_robotics/core/robots",
    "hil/transports",
    "hil/drivers",
    "hil/protocols",
    "hil/protocols/ros2",
    "models/environment",
    "experimental_frames/coherence",
    "experimental_frames/convoy/coherence.py",
    "experimental_frames/convoy/conformance",
)
"""Folders whose tests have to notice; their own modules only, not those of folders inside."""

WANTED = 0.9
"""So large a share has to be noticed."""

HARMLESS = Path(__file__).parent / "harmless.toml"
"""Mistakes that no test can notice, each with the reason."""

TIMEOUT = 180.0
"""Tests may take so long with a mistake (s)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Make mutants, try them, and print those that were not noticed; returns the exit status."""
    options = _options(arguments)
    modules = sorted({path for place in options.where for path in _modules(Path(place))})
    chosen: list[Mutant] = []
    for module in modules:
        made = mutants(module.as_posix(), (ROOT / module).read_text(encoding="utf-8"))
        count = (
            len(made) if options.share >= 1.0 else min(len(made), max(options.least, round(options.share * len(made))))
        )
        chosen += sorted(random.Random(f"{options.seed} {module}").sample(made, count), key=lambda each: each.line)
    print(f"{len(chosen)} mistakes in {len(modules)} modules", flush=True)
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        survivors = _try_all(chosen, options.jobs, Path(scratch))
    return _report(chosen, survivors)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("where", nargs="*", default=WHERE, help="modules or folders, from the project's root")
    parser.add_argument("--share", type=float, default=1.0, help="of each module's mistakes (default: 1)")
    parser.add_argument("--least", type=int, default=3, help="so many of each module at least (default: 3)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tried at once (default: one per processor)")
    return parser.parse_args(arguments)


def _modules(place: Path) -> Iterator[Path]:
    if (ROOT / place).is_file():
        yield place
    else:
        for path in sorted((ROOT / place).glob("*.py")):
            if path.name != "__init__.py":
                yield path.relative_to(ROOT)


def _try_all(chosen: Sequence[Mutant], jobs: int, scratch: Path) -> list[Mutant]:
    """Try all; each job takes every so manyth, in a copy of the project of its own."""
    survivors: list[Mutant] = []
    for folder, group in groupby(chosen, key=lambda mutant: Path(mutant.module).parent):
        together = list(group)
        tests = mirror(ROOT, folder, scratch)
        if not tests.passing:
            sys.exit(f"the tests of {folder} fail without any mistake: mend them first")
        started = time.monotonic()
        ended = [_job(together[number::jobs], tests, scratch / f"copy-{number}", scratch) for number in range(jobs)]
        found = [mutant for child, told in ended for mutant in _survivors_of(child, told, together)]
        survivors += found
        print(
            f"{folder}: {len(together) - len(found)} of {len(together)} noticed, {time.monotonic() - started:.0f} s",
            flush=True,
        )
    return survivors


def _job(some: Sequence[Mutant], tests: Mirror, copy: Path, scratch: Path) -> tuple[int, Path]:
    """Fork a process that tries some mutants, and tells in a file which survive."""
    told = scratch / f"{copy.name}.json"
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if not copy.exists():
                copy_of(ROOT, copy)
            load_libraries()
            if some and not passing(tests.tests(some[0].module, some[0].line), copy, TIMEOUT):
                print(f"tests that pass here fail in a copy of the project, or take over {TIMEOUT:g} s: {copy}")
            else:
                told.write_text(json.dumps([str(mutant) for mutant in _left(some, tests, copy)]), encoding="utf-8")
                status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    return child, told


def _left(some: Sequence[Mutant], tests: Mirror, copy: Path) -> Iterator[Mutant]:
    """Those that no test notices, each printed at once: hours may go by until the last is tried."""
    for mutant in some:
        if not noticed(mutant, tests.tests(mutant.module, mutant.line), copy, TIMEOUT):
            print(f"not noticed: {mutant}   [{mutant.operator}]", flush=True)
            yield mutant


def _survivors_of(child: int, told: Path, together: Sequence[Mutant]) -> list[Mutant]:
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit("a job has failed: see above")
    left = set(json.loads(told.read_text(encoding="utf-8")))
    return [mutant for mutant in together if str(mutant) in left]


def _report(chosen: Sequence[Mutant], survivors: Sequence[Mutant]) -> int:
    reasons = {(each["module"], each["before"], each["after"]): each["reason"] for each in _harmless()}
    known = [each for each in survivors if (each.module, each.before, each.after) in reasons]
    for mutant in known:
        print(f"harmless: {mutant}   [{reasons[mutant.module, mutant.before, mutant.after]}]")
    judged = len(chosen) - len(known)
    share = (judged - (len(survivors) - len(known))) / judged if judged else 1.0
    print(f"{100.0 * share:.1f} % of {judged} noticed ({len(known)} more are harmless); {100.0 * WANTED:.0f} % wanted")
    return int(share < WANTED)


def _harmless() -> list[dict[str, str]]:
    found: list[dict[str, str]] = tomllib.loads(HARMLESS.read_text(encoding="utf-8"))["harmless"]
    return found


if __name__ == "__main__":
    sys.exit(main())
