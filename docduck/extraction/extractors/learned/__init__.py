"""Learned layouts: positions of values, learned from documents that people corrected or approved.

Begin at ``layout_learning``, which learns a layout from one document; ``extractor`` reads later documents by
it, unless ``printed_labels`` say otherwise, and ``revision`` corrects what other extractors found. A layout
holds positions, not texts; only ``constants`` are texts.
"""
