"""Dagster definitions: jobs, sensors, schedules. Begin with ``definitions.py``, which collects everything."""
