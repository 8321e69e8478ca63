"""One run of a scenario: how it is made, and what came of it."""
