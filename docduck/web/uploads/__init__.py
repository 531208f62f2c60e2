"""Adding documents: the form, by drag and drop on any page, and the progress of reading."""
