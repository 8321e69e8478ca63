"""Hardware in the loop: how real robots are reached, driven and seen.

Addresses and transports carry bytes; protocols know what they mean, and nothing else; the driver is a model that speaks
with a robot in its protocol; the laboratory's stand-ins take the place of hardware, and know nothing of the models.
"""
