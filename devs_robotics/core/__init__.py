"""The formalism and how it runs: models, ports and couplings, the simulator, and what surrounds them."""
