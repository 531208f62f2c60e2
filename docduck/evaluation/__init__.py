"""Evaluation: known-good documents are read again and their values compared with the truth.

Begin at ``run``; ``cases`` describes the files, ``comparison`` compares values, ``report`` writes the HTML
report.
"""
