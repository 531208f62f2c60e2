"""The pipeline as code: ``pipeline_spec`` reads ``pipeline.yaml``, ``pipeline`` applies it."""
