"""Documents in buckets of object stores."""
