"""Tables of texts as printed, found by the names of their columns, with their headings and sums."""
