"""Schedules: upkeep every night, and exports of the pipeline file."""
