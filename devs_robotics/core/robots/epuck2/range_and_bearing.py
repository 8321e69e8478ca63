"""The range-and-bearing board of an e-puck2, as ARGoS has it for any robot."""

from __future__ import annotations

REACH = 0.8
"""Distance above which nothing is heard (m), where no other is given; the value is Demiurge's."""
