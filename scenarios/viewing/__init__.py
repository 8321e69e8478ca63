"""How a run is seen: its scene, and what of it is kept to be drawn again."""
