"""What surrounds every request: connections, CORS, the access log, errors that nothing handled."""
