"""The prose extractor: values found in running text.

Begin with ``extractor`` and ``prose_finder``. ``text`` models the running text, ``values`` reads single
values, ``contract`` those of contracts.
"""
