"""What is said of commands and options that there are not: what may have been meant."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches


def no_command(name: str, known: Sequence[str]) -> str:
    """What to say of a command that there is not."""
    return no_choice(name, known, "command")


def no_choice(name: str, known: Sequence[str], what: str = "") -> str:
    """What to say of a word that is none of those out of which one is to be chosen.

    Args:
        name: the word
        known: those that there are
        what: they are; empty where the option says it
    """
    near = get_close_matches(name.casefold(), known, 1, 0.5)
    choices = ", ".join(known)
    there_is_none = f"there is no {what} {name[:40]!r}" if what else f"must be one of {choices}, not {name[:40]!r}"
    if near:
        return f"{there_is_none}: did you mean {near[0]!r}?"
    return f"{there_is_none}: there are {choices}" if what else there_is_none


def no_option(unknown: Sequence[str], parser: argparse.ArgumentParser, scenario: str | None) -> str:
    """What to say of arguments that a command does not know.

    Args:
        unknown: the first of them, and what follows it
        parser: of the command
        scenario: that the command was given, if it has ``--set``, so that a key may have been meant; else None
    """
    name, equals, value = unknown[0].partition("=")
    if not name.startswith("--"):
        if equals and scenario is not None and "." in name and not name.startswith("-"):
            return f"--set takes one key: write --set {unknown[0][:60]}"
        return f"there is no use for {unknown[0][:40]!r}: leave it out, or put quotes round what belongs together"
    if not equals and len(unknown) > 1 and not unknown[1].startswith("-"):
        value = unknown[1]
    known = [option.removeprefix("--") for option in _options(parser) if option.startswith("--")]
    whole = [option for option in known if option.startswith(name.removeprefix("--"))]
    keys = [] if scenario is None or whole else _keys(name, scenario)
    if keys:
        hints = " or ".join(f"--set {key}={value or 'VALUE'}" for key in keys)
        return f"there is no option {name}: write {hints}"
    near = whole or get_close_matches(name.removeprefix("--").casefold(), known, 1, 0.65)
    return f"there is no option {name[:40]}: {f'did you mean --{near[0]}?' if near else 'see --help'}"


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return parser.format_usage().replace("[", " ").replace("]", " ").split()


def _keys(name: str, scenario: str) -> list[str]:
    """The keys of a scenario that an option may stand for."""
    wanted = name.removeprefix("--").replace("-", "_").casefold()
    return [key for key in keys_that_can_be_set(scenario) if wanted in (key, key.rpartition(".")[2])]


def keys_that_can_be_set(scenario: str | None) -> list[str]:
    """The keys of a scenario's tables but for those of parts; those of the usual case if it cannot be read."""
    from devs_robotics import DevsRoboticsError
    from devs_robotics.scenarios.settings.loading import case_in, known_keys

    try:
        schema = None if scenario is None else case_in(scenario).scenario
    except DevsRoboticsError:
        schema = None
    return [key for key in known_keys(schema) if "." in key and ".NAME." not in key]
