"""What is published of the e-puck2, as constants: one table for models, drivers and stand-ins.

The modules here hold constants alone. What a sensor makes of them is in `sensing`, which stand-ins do without: they
have code of their own.
"""
