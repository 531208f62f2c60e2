"""Parsers of typed values in printed text: dates, numbers, identifiers, addresses and others.

Begin with ``typed_values``.
"""
