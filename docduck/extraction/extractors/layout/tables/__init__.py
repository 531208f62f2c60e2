"""Tables. Begin at ``table_finder``.

``parts`` finds a table's ``headers``, or does without (``headless``, ``receipts``), matches its ``columns``,
cuts lines at their ``bands`` and groups them into ``rows``; ``table_finder`` reads the cells. A table of
texts alone is read by ``printed``: its header by the names of its columns, its rows as they are printed.
"""
