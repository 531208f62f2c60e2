"""The catalog's tables, one file per resource."""
