from docduck.documents.detection.file_types import OWN_TYPES
from docduck.documents.reader import READERS


def test_what_uploads_take_is_what_can_be_read() -> None:
    assert READERS.keys() == {own.content_type for own in OWN_TYPES}
