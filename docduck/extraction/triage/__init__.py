"""What a document is (``classify``), and where a file of several documents divides (``split``)."""
