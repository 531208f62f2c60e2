from tests.extraction.extractors.model.reading import read as read
