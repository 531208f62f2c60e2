"""Reading a request: who asks, how much they may, parameters, body and files."""
