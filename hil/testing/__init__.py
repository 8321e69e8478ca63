"""Robots without hardware, threads or waiting, for tests, sweeps and proofs."""

from devs_robotics.hil.testing.inside_lab import InsideLab, LabClock

__all__ = ["InsideLab", "LabClock"]
