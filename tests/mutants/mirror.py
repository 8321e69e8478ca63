"""Which tests mirror a module, and which of them come to each of its lines."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from coverage import CoverageData

SLOW = 1800
"""The tests that mirror a folder may take so long when each line is watched (s)."""


@dataclass
class Mirror:
    """The tests that mirror the modules of a folder.

    Attributes:
        files: of the tests, from the project's root
        passing: whether they pass where there is no mistake
        by_line: the tests that come to a line of a module, as pytest names them
    """

    files: list[str]
    passing: bool = True
    by_line: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))

    def tests(self, module: str, line: int) -> list[str]:
        """What could notice a mistake in a line, the most likely first; a line that is run at import concerns all."""
        stem = f"test_{Path(module).stem}"
        return sorted(self.by_line.get((module, line), self.files), key=lambda name: (stem not in name, name))


def mirror(root: Path, folder: Path, scratch: Path) -> Mirror:
    """Run the tests that mirror a folder once, and see where each of them comes.

    Args:
        root: of the project
        folder: of modules, from there
        scratch: for what is written meanwhile
    """
    files = sorted(path.relative_to(root).as_posix() for path in (root / "tests" / folder).glob("test_*.py"))
    found = Mirror(files)
    if not files:
        return found
    data_file, settings = scratch / "coverage.data", scratch / "coverage.ini"
    settings.write_text(f"[run]\ndata_file = {data_file}\nsource = {root / folder}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", *files]
    command += ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="]
    done = subprocess.run(command, cwd=root, timeout=SLOW, check=False, capture_output=True, text=True)
    found.passing = done.returncode == 0
    if not found.passing:
        print(done.stdout[-3000:], file=sys.stderr)
    data = CoverageData(str(data_file))
    data.read()
    for name in data.measured_files():
        module = Path(name).relative_to(root).as_posix()
        for line, contexts in data.contexts_by_lineno(name).items():
            tests = {context.rpartition("|")[0] for context in contexts if context}
            if tests:
                found.by_line[module, line] = tests
    return found
