"""Hardware in the loop: transports, drivers, stand-in robots and safety.

Nothing lives here yet: every robot of the stage `fast` is virtual. Hardware activities will offer the same services
as the virtual ones (see `devs_robotics.activity`) and have boundary ports in place of the environment's.
"""
