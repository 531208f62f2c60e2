"""Making responses: links, errors, headers, metrics, the OpenAPI document."""
