"""Dagster definitions: jobs with their schedules, and sensors.

Begin with ``definitions``, which collects everything; ``instance`` writes ``dagster.yaml``.
"""
