"""The wire of Pera-Swarm: what robots' programs written for it say and hear over MQTT (Karunarathna et al. 2023).

Nothing else in the project knows it. `reading` and `writing` are pure functions between topics with bytes and the
messages of `devs_robotics.core.robots.outside`: centimetres, degrees and the arena's own origin outside, SI units and
field coordinates inside. `arena_files` reads the arena files that were published with it.
"""
