"""Subtle mistakes made on purpose, to see whether the mirrored tests notice them: ``python -m tests.mutants``."""
