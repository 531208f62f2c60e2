"""Reading a request: authentication, limits, parameters, body and uploaded files."""
