"""How fast the simulator is beside its peers: ``python -m tests.benchmarks.kernel``."""
