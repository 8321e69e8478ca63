"""The report of one or several sweeps: a page for people, and a paragraph for a paper."""
