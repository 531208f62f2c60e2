"""Answers of last resort, by what the words of fields, labels and sentences mean."""
