"""The running text of a document, with the place of each character on the pages."""
