"""Application of pipeline.yaml to the catalog. Begin with ``pipeline``."""
