"""Making a response: JSON, errors, headers, the OpenAPI document."""
