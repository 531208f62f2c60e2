"""The jobs of worker processes: to read a document (``extraction_job``), to classify it and refuse what a
parser doesn't take (``classify_step``), to divide it (``split_step``), and to read its pages alone
(``page_job``).
"""
