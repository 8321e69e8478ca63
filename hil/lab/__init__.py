"""Stand-in robots: an independent physical reality, in a process of its own (``python -m devs_robotics.hil.lab``).

It shares no code with the models: bodies with wheels in an arena (`physics`, `arena`, `courses`), robots that speak the
protocols of real ones (`json_robot`, `sercom`, `epuck_wifi`) without input or output of their own, classes of case
studies' own that play further equipment (`equipment`), thin links that carry their bytes, and one loop that keeps the
lab's time (`process`). `launch` starts it from another process.
"""
