"""Figures 4 to 14 of Stolfi and Danoy, from what our models do."""
