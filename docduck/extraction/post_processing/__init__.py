"""Changes of extracted values by a parser's post-processing: transforms and lookups in tables.

Begin with ``post_process``.
"""
