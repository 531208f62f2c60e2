"""Tables. Begin at ``table_finder``.

``parts`` finds a table's ``headers``, or does without (``headless``, ``receipts``), matches its ``columns``,
cuts lines at their ``bands`` and groups them into ``rows``; ``findings`` reads the cells. ``text_tables``
reads tables of texts as they are printed.
"""
