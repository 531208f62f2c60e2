"""The command line: translates, decides nothing."""
