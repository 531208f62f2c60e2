"""The MCP server: tools for agents, each the same use case as a route of the REST API.

``endpoint`` admits requests with an access token, ``server`` speaks the protocol, ``tools`` are what it
offers.
"""
