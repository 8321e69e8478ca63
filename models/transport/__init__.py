"""Swarm transportation: robots find a path, smooth it, share it, and carry items along it (Pansuriya 2023)."""
