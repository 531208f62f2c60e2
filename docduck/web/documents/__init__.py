"""Documents: the inbox, and the page where a document's values are seen beside its pages and corrected."""
