"""How often keys may ask, and requests that are sent again."""
