"""Spreadsheets: a reader for each format.

``number_format`` writes numbers and dates, ``sheet_pages`` lays out the cells.
"""
