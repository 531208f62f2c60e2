"""Readers of marked-up and delimited text: HTML, XML, Markdown, RTF, CSV."""
