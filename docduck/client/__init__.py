"""A typed client of the REST API, sync and async."""
