"""Where commands find parsers and documents: on this machine, or on a server."""
