"""Tables of any content, found by column names and geometry alone.

Begin at ``table_reader``: it finds the header, cuts the lines below into columns and groups them into rows.
"""
