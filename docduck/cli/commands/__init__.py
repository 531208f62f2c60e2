"""The commands, one module each; listed in ``docduck.cli.main``."""
