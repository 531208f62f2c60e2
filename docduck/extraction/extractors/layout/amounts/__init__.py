"""Totals and tax breakdowns, checked by arithmetic."""
