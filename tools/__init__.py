"""Programs that make the data docduck ships; they are not part of the package."""
