"""Totals and tax breakdowns, told by arithmetic."""
