"""Block diagrams in SVG: nested blocks with terminals on their edges, and the lines that connect these.

Knows blocks and connections, whatever they stand for.
"""

from devs_robotics.drawing.blocks import Block, Connection, Side, Terminal
from devs_robotics.drawing.boxes import LONGEST_NAME
from devs_robotics.drawing.svg import block_diagram

__all__ = ["LONGEST_NAME", "Block", "Connection", "Side", "Terminal", "block_diagram"]
