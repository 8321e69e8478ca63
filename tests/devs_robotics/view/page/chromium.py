"""A real browser for the tests of the page.

Playwright keeps an event loop running in the thread that uses it; so it has a thread of its own, and tests that run
loops of theirs are not in its way. What is to be done with a page is a function, which is called in that thread.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar

from playwright.sync_api import Browser, Page, Playwright, Route, sync_playwright

T = TypeVar("T")

SITE = "http://view.test"
"""Address of the page's files; no name is looked up, each request is answered from the folder."""

PATIENCE = 20
"""What has not happened in a page for so long (s) does not happen."""

UNTIL = f"""async () => {{
  for (const end = performance.now() + 1000 * {PATIENCE}; !(CONDITION); await new Promise((on) => setTimeout(on, 5))) {{
    if (performance.now() > end) throw new Error("it has not come true: CONDITION");
  }}
}}"""


def until(condition: str) -> str:
    """A script that waits until something holds in a page."""
    return UNTIL.replace("CONDITION", condition.replace('"', "'"))


READY = until("window.view && view.ready")
"""Waits until everything is drawn."""

POLICY = "default-src 'self'"
"""Content-Security-Policy of a server of the page."""

Theme = Literal["light", "dark"]


class Chromium:
    """A browser, whose pages are gone after each use.

    Args:
        path: of its program
    """

    def __init__(self, path: str) -> None:
        self._thread = ThreadPoolExecutor(1, "chromium")
        self._playwright, self._browser = self._thread.submit(self._start, path).result()

    def _start(self, path: str) -> tuple[Playwright, Browser]:
        playwright = sync_playwright().start()
        return playwright, playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])

    def use(
        self, task: Callable[[Page], T], *, width: int = 1000, height: int = 800, theme: Theme = "light", **more: Any
    ) -> T:
        """What a function finds with a fresh page, on which nothing may go wrong."""

        def with_page() -> T:
            context = self._browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=theme, device_scale_factor=1, **more
            )
            page = context.new_page()
            page.set_default_timeout(30_000)
            trouble: list[str] = []
            page.on("pageerror", lambda error: trouble.append(str(error)))
            page.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
            try:
                found = task(page)
                assert not trouble, trouble
                return found
            finally:
                context.close()

        return self._thread.submit(with_page).result()

    def close(self) -> None:
        """End it."""

        def stop() -> None:
            self._browser.close()
            self._playwright.stop()

        self._thread.submit(stop).result()
        self._thread.shutdown()


def serve(page: Page, files: Mapping[str, bytes] | None = None) -> None:
    """Answer requests to `SITE`: from the page's folder, as a server does, or with these files."""
    folder = page_folder()

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(SITE).split("?")[0].split("#")[0].lstrip("/") or "index.html"
        data = (files or {}).get(name)
        if data is None and (folder / name).is_file():
            data = (folder / name).read_bytes()
        if data is None:
            route.fulfill(status=404)
            return
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        route.fulfill(body=data, headers={"Content-Type": kind, "Content-Security-Policy": POLICY})

    page.route(f"{SITE}/**", answer)


def page_folder() -> Path:
    """Where the page's files are."""
    return Path(str(files("devs_robotics.view"))) / "page"


def modules(page: Page, script: str, argument: Any = None) -> Any:
    """What an asynchronous function of the page's modules and an argument returns, given its body in JavaScript.

    It has `load(name)`, which imports a module.
    """
    serve(page, {"blank.html": b"<!doctype html><title>blank</title><body></body>"})
    page.goto(f"{SITE}/blank.html")
    return page.evaluate(f"async (argument) => {{ const load = (name) => import(`/${{name}}`); {script} }}", argument)


def open_html(page: Page, html: str, folder: Path) -> None:
    """Open HTML as a file, without any network, and wait until it is drawn."""
    path = folder / "page.html"
    path.write_text(html, encoding="utf-8")
    page.context.set_offline(True)
    page.goto(path.as_uri())
    page.evaluate(READY)


def axe(page: Page, where: str = "html") -> list[str]:
    """What axe-core finds that is serious, in a part of a page."""
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("where => axe.run(where, {resultTypes: ['violations']})", where)
    return [
        f"{each['id']}: {each['help']}: {[node['html'][:200] for node in each['nodes']]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def colour_at(
    page: Page, x: float, y: float, pane: int = 0, canvas: Literal["main", "field"] = "main"
) -> tuple[int, int, int, int]:
    """What a canvas of a window has at a place of the field: red, green, blue, opacity."""
    found = page.evaluate(
        """([x, y, pane, canvas]) => {
            const { view: v, [canvas]: drawn } = view.viewer.windows.panes[pane];
            const at = [v.px(x), v.py(y)].map((place) => Math.round(place * v.ratio));
            return Array.from(drawn.getContext("2d").getImageData(...at, 1, 1).data);
        }""",
        [x, y, pane, canvas],
    )
    red, green, blue, opacity = found
    return red, green, blue, opacity
