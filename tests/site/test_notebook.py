"""The notebook: its cells are those of the page, a kernel executes them, and they show what is kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import missing
from tests.paths import ROOT

EXECUTE = """
import sys, json
from pathlib import Path
from tests.notebook import executed, shown
print(json.dumps(shown(executed(Path(sys.argv[1])))))
"""


def test_the_cells_are_those_of_the_page() -> None:
    pytest.importorskip("nbclient")
    from tests.notebook import NOTEBOOK, cells

    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in kept] == cells(), "python -m tests.notebook"


@pytest.mark.long
def test_a_kernel_executes_it_and_shows_what_is_kept(tmp_path: Path) -> None:
    try:
        import nbformat

        from tests.notebook import NOTEBOOK, shown
    except ImportError:
        missing("nbclient", "pip install nbclient ipykernel")
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE, str(tmp_path)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    kept = shown(nbformat.read(NOTEBOOK, as_version=4))
    assert json.loads(done.stdout.splitlines()[-1]) == kept
    assert any("image/png" in each for each in kept)
    assert any("text/html" in each for each in kept)
