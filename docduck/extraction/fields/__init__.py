"""What fields ask for: each is resolved once, by its name, labels and description.

Begin with ``field_query``.
"""
