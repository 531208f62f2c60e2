"""Dagster resources and I/O managers.

Begin with ``installation``, the resource of all ops.
"""
