"""The prose extractor: values found in running text. Begin at ``extractor`` and ``prose_finder``.

``text`` models the running text, ``values`` reads single values, ``court`` and ``contract`` read those
documents.
"""
