"""Serves what a run or a recording shows: scenes, timelines, the page that draws them, and files for others' tools.

A viewer looks, and is no part of the simulation: no model, frame or driver knows of it; only `scenarios` imports it.
"""
