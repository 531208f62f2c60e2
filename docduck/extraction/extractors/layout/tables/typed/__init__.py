"""Tables with typed columns, read from the page's reading: heads, columns, rows.

Begin at ``reader``; ``headers`` finds the heads, ``matching`` decides which columns they are, ``bands`` cuts
lines into columns and ``rows`` groups the lines.
"""
