"""Runs in step with a clock and with the outside: clocks, transports, the bridge between models and transports."""
