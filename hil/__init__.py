"""Hardware in the loop: how real robots are reached, driven and seen.

Addresses and transports carry bytes; drivers are models that make them into motions and readings; the laboratory's
stand-ins take the place of hardware, and know nothing of the models.
"""
