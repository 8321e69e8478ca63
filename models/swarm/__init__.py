"""Decision models of the case swarm, once a robot and in arrays."""
