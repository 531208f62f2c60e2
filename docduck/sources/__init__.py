"""The kinds of sources, a folder for each."""
