"""What all pages share: the base template, the icon, and the style sheet ``docduck.css`` with the colours of
light and dark, the spaces and the type.
"""
