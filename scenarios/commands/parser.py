"""The parser of the command line: of what is chosen out of a few words, it says what may have been meant."""

from __future__ import annotations

import argparse
from typing import Any

from devs_robotics.scenarios.commands.hints import no_choice, no_option


class CommandParser(argparse.ArgumentParser):
    """An ArgumentParser whose subparsers are of this class, too, and which takes no options cut short.

    Else ``--seed 7`` would be ``--seeds 7`` where a command has only that, and mean something else.
    """

    def __init__(self, **how: Any) -> None:
        super().__init__(allow_abbrev=False, **how)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Those of a program of one command; raises SystemExit, when it has told what may have been meant."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.error(no_option(unknown, self, None))
        return options

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raises ArgumentError for a word that is none of those that there are."""
        if action.choices is not None and value not in action.choices:
            what = "action" if isinstance(action, argparse._SubParsersAction) else ""
            raise argparse.ArgumentError(None if what else action, no_choice(str(value), list(action.choices), what))
