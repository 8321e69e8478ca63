"""Studies: one scenario in several stages, held against each other."""
