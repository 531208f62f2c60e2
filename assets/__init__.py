"""Dagster assets: sources, and each parser's tables with their checks.

Begin with ``parser_tables``, the asset that processes documents. All assets are made from a ``Project``.
"""
