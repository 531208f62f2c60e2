"""Extracted data as JSON, XML, CSV and XLSX."""
