"""The figures and tables of Stolfi and Danoy's e-puck2 plug-in, made again from our models, beside what they published.

It is run by ``python -m devs_robotics.scenarios.epuck2_figures``.
"""
