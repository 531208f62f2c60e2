"""Spreadsheets: a reader for each format, and ``sheet_pages`` that lays out their cells."""
