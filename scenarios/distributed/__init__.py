"""One run over several processes: the host, its nodes, and what both must work out alike."""
