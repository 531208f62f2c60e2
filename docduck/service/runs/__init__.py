"""Dagster as docduck sees it from outside: which runs are live, and starting one."""
