from docduck.documents.reader import READERS
from docduck.service.documents.file_types import READABLE


def test_what_uploads_take_is_what_can_be_read() -> None:
    assert READERS.keys() == READABLE
