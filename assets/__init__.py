"""Dagster assets: sources, and each parser's tables with their checks.

Begin with ``processing``, the asset that processes documents. docduck's own assets are made from a
``Project``, those of the component from its attributes.
"""
