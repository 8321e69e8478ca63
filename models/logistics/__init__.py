"""Intralogistics by robots on omniwheels: they look for carriers, lift them and bring them to a drop zone.

After S. Jones, E. Milner, M. Sooriyabandara and S. Hauert, "DOTS: An Open Testbed for Industrial Swarm Robotic
Solutions", 2022, arXiv 2203.13809.
"""
