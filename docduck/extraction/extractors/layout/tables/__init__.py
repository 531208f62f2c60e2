"""Tables: rows assembled under the headers that match a table's columns."""
