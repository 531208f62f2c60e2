"""Outbound connections: all that docduck opens go through this package.

``download`` fetches callers' URLs, ``post`` sends to them, and ``http`` talks to endpoints that the operator
configured.
"""
