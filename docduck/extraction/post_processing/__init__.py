"""Changes of extracted values by a parser's post-processing: transforms and lookups in tables.

Begin at ``post_process``. ``steps`` holds the kinds of steps, ``lookup_table`` reads and searches a table.
"""
