"""Values and tables found in a Document, each with its place and a confidence."""
