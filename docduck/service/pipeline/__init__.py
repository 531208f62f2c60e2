"""The pipeline as code: ``pipeline.yaml`` is read by ``pipeline_spec`` and applied by ``pipeline``."""
