"""What leaves the catalog: the warehouse and exported files."""
