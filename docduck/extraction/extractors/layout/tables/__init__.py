"""Tables. Begin at ``table_finder``.

``typed`` reads tables by their header and the types of their columns, ``generic`` those of texts by the names
of their columns.
"""
