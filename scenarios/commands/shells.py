"""``devs-robotics completion``: what a shell needs to complete the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from devs_robotics.scenarios.commands.exit_status import RAN

SUMMARY = "show what a shell needs to complete commands, options, scenarios and keys"

SHELLS = {
    "bash": 'eval "$(devs-robotics completion bash)"        # at the end of ~/.bashrc',
    "zsh": 'eval "$(devs-robotics completion zsh)"         # at the end of ~/.zshrc, after compinit',
    "fish": "devs-robotics completion fish | source         # in ~/.config/fish/config.fish",
}
"""Each with the line that switches it on."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is given."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    lines = "\n".join(f"  {line}" for line in SHELLS.values())
    parser.epilog = f"One line in the shell's start-up file switches it on:\n{lines}"
    parser.add_argument("shell", choices=SHELLS, help="for which shell")


def execute(options: argparse.Namespace, show: Callable[[str], None]) -> int:
    """Show it; returns the exit status."""
    from argcomplete.shell_integration import shellcode  # which argcomplete itself does not call its own

    code: str = shellcode(["devs-robotics"], shell=options.shell)
    show(code.strip("\n"))
    return RAN
