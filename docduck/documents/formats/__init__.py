"""The readers of file formats, each with the shape of ``docduck.documents.reader.Reader``."""
