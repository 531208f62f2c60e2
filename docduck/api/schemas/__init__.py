"""Bodies and responses, one module per resource; the OpenAPI document is made of them."""
