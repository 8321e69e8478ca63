"""Pages opened in a real browser."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from html import escape, unescape
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)

FRAMES = """<!doctype html><meta charset="utf-8"><body>{frames}<pre id="answer"></pre><script>
addEventListener("load", () => {{
  const ask = (document, window) => {{ {script} }};
  const answers = {{}};
  for (const frame of document.querySelectorAll("iframe"))
    answers[frame.title] = ask(frame.contentDocument, frame.contentWindow);
  document.getElementById("answer").textContent = JSON.stringify(answers);
}});
</script></body>"""


def dom(chromium: str, page: Path, *flags: str) -> str:
    """A page as a browser has it when everything is loaded."""
    command = [chromium, *FLAGS.split(), *flags, f"--user-data-dir={page.parent / 'profile'}", "--dump-dom"]
    return subprocess.run([*command, page.as_uri()], capture_output=True, text=True, check=True, timeout=120).stdout


def asked(
    chromium: str, folder: Path, pages: Mapping[str, str], script: str, *flags: str, width: int = 1000
) -> dict[str, Any]:
    """What a script returns of each of some pages, by name.

    Args:
        chromium: the browser
        folder: empty, for the browser
        pages: HTML by name, all shown at once
        script: the body of a JavaScript function of a page's `document` and `window`
        flags: of the browser, further ones
        width: of each page (pixels)
    """
    frames = "".join(
        f'<iframe title="{name}" style="width: {width}px; height: 900px; border: 0" srcdoc="{escape(page)}"></iframe>'
        for name, page in pages.items()
    )
    path = folder / "pages.html"
    path.write_text(FRAMES.format(frames=frames, script=script))
    (answer,) = re.findall(r'<pre id="answer">(.*?)</pre>', dom(chromium, path, *flags), flags=re.S)
    answers: dict[str, Any] = json.loads(unescape(answer))
    return answers
