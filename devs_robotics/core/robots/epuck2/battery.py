"""The battery of an e-puck2: as it goes over the wire (firmware), and how it was measured to discharge."""

from __future__ import annotations

RAW_PER_VOLT = 819.2
"""The raw value for one volt: 12 bits, 3 V reference, divider 0.6."""

EMPTY, FULL = 3.4, 4.2
"""Voltages that count as 0 % and 100 % (V)."""

LOW_RAW, OFF_RAW = 2900, 2600
"""Raw values below which the robot warns, and switches itself off (3.54 V and 3.17 V)."""

AT_REST, MOVING = -5.064963e-5, -8.699124e-5
"""Slopes of the charge, from 1 to 0, while no wheel turns and while one does (1/s): 5.484 h and 3.193 h (Stolfi and
Danoy)."""

KEPT = 0.8
"""Share of the old value in the next one, which is smoothed so."""
