"""What a reader of the table has to know."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from importlib.metadata import version

from tests.benchmarks.kernel.work import FLAT, FLOORS

GENERAL = """\
Times are processor times; they and the peaks are medians of {repeats}, each measured in a process of its own.
make: to make the model. set-up: to make the kernel ready for it. run: the simulation alone.
peak: the memory that model and kernel add to the interpreter's. Garbage is collected as each kernel has it.
transitions: a confluent one is one. All kernels make equally many on a model, counted at the models' functions.
ring: each step is an internal and an external transition; kernels are given different numbers of steps.
to xdevs: transitions/s to those of xdevs. to floor: cost of a transition to that of the floor of the same models."""
PEERS = {
    "xdevs": "xdevs {version}: its hierarchical Coordinator.",
    "pyjevsim": "pyjevsim {version}: in virtual time, with the models flattened, since its coupled models lose what "
    "their components send. It hands a model message by message what counts as one transition here.",
    "simpy": "SimPy {version}: a station is a process with a Store as its inbox; a transition is a process resumed. "
    "DEVStone has no counterpart in processes.",
}
FLATTENED = "xdevs, flattened: its Coordinator with flatten=True, measured once."
FLOOR = (
    "floor: the output and transition functions that a run calls, called again in the same order without a kernel. "
    "What they send stays in the ports, which costs less than emptying them."
)


def notes(kernels: Iterable[str], repeats: int) -> list[str]:
    """The notes on a table of these kernels."""
    kernels = set(kernels)
    found = [f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} processors."]
    found += GENERAL.format(repeats=repeats).splitlines()
    found += [note.format(version=version(peer)) for peer, note in PEERS.items() if peer in kernels]
    found += [FLATTENED] * (FLAT in kernels)
    found += [FLOOR] * bool(kernels & set(FLOORS.values()))
    return found
