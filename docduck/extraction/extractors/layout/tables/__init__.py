"""Tables.

Begin with ``table_finder``, which reads the cells. ``parts`` finds a table's ``headers``, or does without
(``headless``, ``receipts``), matches its ``columns``, cuts lines at their ``bands`` and groups them into
``rows``. A table of texts alone is read by ``printed``: its header by the names of its columns, its rows as
they are printed.
"""
