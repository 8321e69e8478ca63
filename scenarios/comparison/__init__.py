"""Several runs held against each other: stages of a study, levels of conformance, published figures."""
