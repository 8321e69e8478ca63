"""The range-and-bearing board of an e-puck2, as ARGoS has it for any robot."""

from __future__ import annotations

REACH = 0.8
"""It hears no further (m), by default; a parameter, this value is Demiurge's."""
