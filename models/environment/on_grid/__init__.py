"""The environment on a grid of times, in arrays: contacts and proximity of all robots in one pass at each point.

It stands in the place of `SpaceManager` where ``sensing.strategy`` is ``"grid"``.
"""
