"""Scenarios: what is run, as data; how it is assembled for a stage; and the command line."""
