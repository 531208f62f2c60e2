"""The server process: one application that serves the REST API, MCP and the pages.

``app`` puts it together, ``http_server`` listens. A request passes ``middleware`` first.
"""
