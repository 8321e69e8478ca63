"""The view: a process of its own that serves the page, and what it draws, to those who look.

Only `process` and `serving` are imported by runs; all else needs the extra ``[view]``.
"""
