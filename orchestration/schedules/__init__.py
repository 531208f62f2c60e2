"""Schedules: upkeep every night. Those of exports come with the exports' assets."""
