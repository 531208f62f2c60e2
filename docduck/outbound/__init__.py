"""Outbound connections: all that docduck opens go through this package.

``download`` fetches callers' URLs, ``http`` talks to endpoints that the operator configured.
"""
