"""Dagster assets: each parser's tables, and the sources that feed them."""
