"""The pages of the sources from which documents come, and of their ledgers."""
