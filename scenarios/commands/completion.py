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
    """Shipped scenarios, case studies that packages bring, and files."""
    from argcomplete.completers import FilesCompleter

    from devs_robotics.scenarios.case_study.finding import brought
    from devs_robotics.scenarios.settings.loading import shipped_scenarios

    names = [name for name in (*shipped_scenarios(), *brought()) if name.startswith(prefix)]
    completer: Any = FilesCompleter  # without types before argcomplete 3.6
    return [*names, *completer(("toml", "py"))(prefix)]


def keys(prefix: str, **about: Any) -> list[str]:
    """Keys of the scenario that stands before them, with the sign that goes before a value."""
    from devs_robotics.scenarios.commands.hints import keys_that_can_be_set

    keys_of_it = keys_that_can_be_set(getattr(about.get("parsed_args"), "scenario", None))
    named = [key for key in keys_of_it if ".N." not in key]
    return [f"{key}=" for key in [*named, "title"] if key.startswith(prefix)]
