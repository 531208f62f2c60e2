"""The source of parsers and documents for commands: this machine's installation, or a server."""
