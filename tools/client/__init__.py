"""The generator of the Python client: its types and resources come from the OpenAPI document."""
