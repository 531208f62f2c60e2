"""Service values as the JSON of spec.md, one module per resource."""
