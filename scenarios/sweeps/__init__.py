"""Sweeps: one scenario run at many points and with many seeds, into one table."""
