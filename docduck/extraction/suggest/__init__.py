"""Schema suggestion: the fields and tables that a sample document could be read for.

Begin with ``suggester``.
"""
