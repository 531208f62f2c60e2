"""The kinds of sources, each in a folder of its own."""
