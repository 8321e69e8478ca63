"""Robots without hardware, threads or waiting, for tests, sweeps and proofs; and a bench for drivers of one's own."""

from devs_robotics.hil.testing.driver_bench import FEEL, LOOK, DriverBench
from devs_robotics.hil.testing.inside_lab import InsideLab, LabClock

__all__ = ["FEEL", "LOOK", "DriverBench", "InsideLab", "LabClock"]
