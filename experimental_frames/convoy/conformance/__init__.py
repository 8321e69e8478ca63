"""Conformance: the robots' protocol, and the frames of the five levels that are derived from it (section 3.3)."""
