"""Corrections of values, and learning from them.

``corrections`` stores them, ``learning`` learns a layout from each, ``lessons`` lists what was learned,
``accuracy`` counts how much was corrected.
"""
