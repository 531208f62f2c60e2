"""The layout extractor: values found by type, label, geometry and arithmetic.

Begin at ``extractor``. ``typed_values`` scores dates, amounts and identifiers, ``untyped_values`` finds
names, addresses and text, and ``tables`` reads tables.
"""
