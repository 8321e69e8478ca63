"""The report of one run of a convoy."""
