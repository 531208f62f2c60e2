"""The use cases; the only place where a document changes state."""
