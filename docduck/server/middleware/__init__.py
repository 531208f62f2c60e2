"""Middleware: connections, CORS, the access log, unhandled errors."""
