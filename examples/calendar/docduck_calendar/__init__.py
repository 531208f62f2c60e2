"""Calendars (RFC 5545) for docduck: a file format, a domain, a kind of source and an export format."""
