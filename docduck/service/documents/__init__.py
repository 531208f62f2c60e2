"""Documents in the catalog: their status (``states``), how they are found, shown, changed and deleted."""
