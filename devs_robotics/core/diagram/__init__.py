"""Diagrams of models: the model tree with ports and couplings, as text and as SVG."""

from devs_robotics.core.diagram.picture import tree_svg
from devs_robotics.core.diagram.text import tree_text

__all__ = ["tree_svg", "tree_text"]
