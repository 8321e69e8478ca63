"""The exit statuses of commands, and what they mean."""

from __future__ import annotations

RAN, REJECTED, FAILED, BROKEN_OFF, UNDECIDED, UNFORESEEN, INTERRUPTED = 0, 1, 2, 3, 4, 70, 130

STATUSES = (
    "Exit status: 0 ran, 1 the acceptor rejected the run, 2 bad input or a faulty model, "
    "3 a robot, a link or a clock failed, 4 conform could not decide, 70 a fault of devs-robotics itself, "
    "130 interrupted."
)
"""The end of each command's help."""
