"""The pipeline as code: ``pipeline_spec`` reads ``pipeline.yaml``.

``docduck.service.provisioning`` applies it.
"""
