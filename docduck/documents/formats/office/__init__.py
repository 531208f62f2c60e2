"""Readers of office files: texts, slides and spreadsheets."""
