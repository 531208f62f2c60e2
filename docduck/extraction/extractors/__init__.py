"""The extractors: each finds values of fields in its own way, in the order of
``docduck.extraction.run_extractors``. Each folder has an ``extractor`` to begin with.
"""
