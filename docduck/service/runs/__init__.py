"""Dagster's runs as docduck sees them, without importing Dagster.

``processing_runs`` holds the rules; ``dagster_api`` lists and launches runs; ``run_starter`` starts one as
soon as documents are queued.
"""
