"""What every test may need: real components, and no excuses for their absence in CI."""

from __future__ import annotations

import os
import shutil
import signal

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("fresh", deadline=None, derandomize=False, max_examples=1000, print_blob=True)
settings.load_profile("default")  # --hypothesis-profile=fresh takes the place of it

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # so started by a shell that put the tests into the background: the processes that tests start would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def chromium() -> str:
    """A Chromium browser; without one the test is skipped, or in CI failed."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        missing("Chromium", "apt-get install chromium")
    assert path is not None
    return path


def missing(component: str, remedy: str) -> None:
    """Skip a test for want of a real component; in CI (CI=true) fail it."""
    reason = f"{component} is not installed: {remedy}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
