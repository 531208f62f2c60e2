"""Dagster definitions: jobs, sensors, schedules."""
