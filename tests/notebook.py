"""``python -m tests.notebook``: makes docs/notebook.ipynb anew from docs/notebook.md, with what its cells show.

The page is the source: its texts and its Python are the cells. Needs the extra ``[notebook]``, and nbclient.
"""

from __future__ import annotations

import os
import re
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.paths import ROOT

PAGE = ROOT / "docs" / "notebook.md"
NOTEBOOK = PAGE.with_suffix(".ipynb")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n.*?^```\n)?", flags=re.S | re.M)


def cells() -> list[tuple[str, str]]:
    """The cells that the page says: their kinds and what stands in them; outputs are left out, and made."""
    found, text, last = [], PAGE.read_text(encoding="utf-8"), 0
    for block in BLOCK.finditer(text):
        found += [("markdown", text[last : block.start()].strip()), ("code", block[1].strip())]
        last = block.end()
    return [*found, ("markdown", text[last:].strip())]


def executed(folder: Path) -> Any:
    """A notebook of these cells, after a kernel has executed it in a folder."""
    v4: Any = nbformat.v4  # which says nothing of types
    notebook = v4.new_notebook()
    for number, (kind, text) in enumerate(cells()):
        make = v4.new_code_cell if kind == "code" else v4.new_markdown_cell
        notebook.cells.append(make(text, id=f"cell{number}"))
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    for cell in notebook.cells:
        cell.metadata.clear()  # when it was executed
    return notebook


def shown(notebook: Any) -> list[str]:
    """What its cells print, and of which kinds the other outputs are; a kernel may send one print in several parts."""
    found = []
    for cell in notebook.cells:
        for is_text, outputs in groupby(cell.get("outputs", ()), lambda output: output.output_type == "stream"):
            if is_text:
                found.append("".join(output.text for output in outputs))
            else:
                found += [", ".join(sorted(output.data)) for output in outputs]
    return found


if __name__ == "__main__":
    nbformat.write(executed(ROOT / "docs"), NOTEBOOK)
