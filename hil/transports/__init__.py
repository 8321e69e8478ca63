"""Transports that lead out of this process: MQTT, serial lines, TCP."""
