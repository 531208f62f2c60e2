from tests.extraction.model.reading import read as read
