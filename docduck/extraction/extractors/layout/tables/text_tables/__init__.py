"""Tables of texts alone, as printed: found by the names of their columns.

Begin at ``reader``: it finds the header, cuts the lines below into columns and groups them into rows.
"""
