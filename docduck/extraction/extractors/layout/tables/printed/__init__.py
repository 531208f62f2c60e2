"""Tables read as printed: columns found by their own names, rows by geometry alone.

Where the line-item reader knows what quantities and amounts mean, this one knows nothing but the page: the
words of a column's name, white space, ruled lines and the distances of lines.
"""
