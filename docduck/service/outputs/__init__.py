"""What leaves the catalog: ``warehouse_sync`` writes the warehouse, ``exporting`` writes files."""
