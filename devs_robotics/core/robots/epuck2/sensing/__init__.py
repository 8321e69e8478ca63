"""What the sensors of an e-puck2 make of the world: pure functions over scalars, without any model.

Stand-ins do without: they read by the same tables, and have code of their own.
"""
