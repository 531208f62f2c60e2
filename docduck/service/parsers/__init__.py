"""Parsers, their fields, their settings and their post-processing.

Begin with ``parsers``; ``settings_schema`` declares the settings.
"""
