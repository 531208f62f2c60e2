"""Dagster resources and I/O managers, and look-ups in the catalog that assets and jobs share.

Begin with ``installation``, the resource of all ops.
"""
