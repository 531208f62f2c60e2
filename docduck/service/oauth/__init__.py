"""The OAuth 2.1 authorization server for MCP clients: public clients, PKCE, opaque tokens for one team.

``authorization`` checks what a client asks a user for, ``codes`` what comes of the user's consent, ``tokens``
what clients exchange and what MCP checks. Clients are known by their registration or by the metadata document
that their id is the URL of (``clients``).
"""
