"""Application of pipeline.yaml to the catalog."""
