"""Completion in a shell: what may follow on the command line, by argcomplete (docs/commands.md says how to have it)."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

Completer = Callable[..., list[str]]
"""Gets what is typed already as `prefix`, and returns what it may become."""


def complete(parser: argparse.ArgumentParser) -> None:
    """Where a shell asks, tell it what may follow, and end the program."""
    if "_ARGCOMPLETE" in os.environ:
        import argcomplete

        argcomplete.autocomplete(parser)


def completed_by(action: argparse.Action, completer: Completer) -> None:
    """Have the values of an argument completed by a function."""
    action.completer = completer  # type: ignore[attr-defined]  # argcomplete looks for it there


def scenarios(prefix: str, **about: Any) -> list[str]:
    """Shipped scenarios and TOML files."""
    from argcomplete.completers import FilesCompleter

    from devs_robotics.scenarios.settings.loading import shipped_scenarios

    names = [name for name in shipped_scenarios() if name.startswith(prefix)]
    completer: Any = FilesCompleter  # without types before argcomplete 3.6
    return [*names, *completer(("toml",))(prefix)]


def keys(prefix: str, **about: Any) -> list[str]:
    """Keys of a scenario, with the sign that goes before a value."""
    from devs_robotics.scenarios.settings.loading import known_keys

    named = [key for key in known_keys() if "." in key and ".N." not in key and ".NAME." not in key]
    return [f"{key}=" for key in [*named, "title"] if key.startswith(prefix)]
