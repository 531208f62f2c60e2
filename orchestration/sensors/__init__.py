"""Sensors, a module each."""
