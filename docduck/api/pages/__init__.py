"""Pages for visitors without an API key, rendered on the server."""
