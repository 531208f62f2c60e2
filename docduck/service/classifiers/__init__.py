"""Classifiers: their rules, the documents they route, and what people teach them.

Begin with ``classifiers``; README.md has an example.
"""
