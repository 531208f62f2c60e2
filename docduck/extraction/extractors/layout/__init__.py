"""The layout engine: typed candidates, labels, geometry and arithmetic."""
