"""Splitting a file of several documents into its documents. Begin with ``splitter.split``."""
