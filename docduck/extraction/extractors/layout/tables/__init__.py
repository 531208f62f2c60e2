"""Tables. Begin at ``table_finder``.

``line_items`` reads tables whose columns have known meanings, ``generic`` all others by column names and
geometry.
"""
