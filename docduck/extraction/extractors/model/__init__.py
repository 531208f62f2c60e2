"""The language model extractor: an OpenAI-compatible endpoint reads the pages, and each value that it returns
is looked up on them. Begin with ``second_reading``.
"""
