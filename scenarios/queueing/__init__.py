"""A queue of experiments: scenarios wait, are certified, and run in arenas one after the other."""
