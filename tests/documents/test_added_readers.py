"""Readers of other packages: their files are recognised, labelled and read as those of docduck's own."""

from __future__ import annotations

import pytest

from docduck.documents.detection.file_types import labels, usual_suffixes
from docduck.documents.detection.sniff import content_type
from docduck.documents.reader import can_read, page_count, read
from docduck.errors import DamagedFile, UnsupportedFile
from tests.made_plugins import MakePlugin, make_plugin

__all__ = ["make_plugin"]

_READER = """
from docduck.documents.detection.file_types import FileType
from docduck.documents.document import Document

class added:
    file_types = ({types},)
    def page_count(self, data, options): return 7
    def read(self, data, content_type, options): return Document(content_type, [], page_count=1 // len(data))
    def render(self, data, number, width, options): ...
"""
_LOG = _READER.format(types='FileType("text/x-log", "Log", suffixes=(".log",))')
_BOOK = _READER.format(types='FileType("application/x-book", "Book", (".bk",), ((2, b"BOOK"), (0, b"BK9")))')


def test_a_type_with_signatures_is_recognised_by_them_alone(make_plugin: MakePlugin) -> None:
    make_plugin("readers", "book", _BOOK)
    assert content_type(b"??BOOK and more", "x") == content_type(b"BK9", "x") == "application/x-book"
    assert content_type(b"plain text", "x.bk") == "text/plain"


def test_a_type_without_signatures_is_recognised_by_its_suffix(make_plugin: MakePlugin) -> None:
    make_plugin("readers", "log", _LOG)
    assert content_type(b"12:00 started", "events.LOG") == "text/x-log"
    assert content_type(b"12:00 started", "events.txt") == "text/plain"
    assert content_type(b"\x00\x01\x02", "events.log") == "text/x-log"


def test_what_docduck_recognises_for_certain_stays(make_plugin: MakePlugin) -> None:
    make_plugin("readers", "log", _LOG)
    make_plugin("readers", "pdf", _READER.format(types='FileType("x/pdf", "P", (), ((0, b"%PDF"),))'))
    assert content_type(b"%PDF-1.7", "a.log") == "application/pdf"
    assert content_type(b"\x89PNG\r\n\x1a\n", "a.log") == "image/png"


def test_it_reads_its_type(make_plugin: MakePlugin) -> None:
    assert not can_read("text/x-log")
    make_plugin("readers", "log", _LOG)
    assert can_read("text/x-log")
    assert page_count(b"12:00 started", "a.log") == 7
    assert read(b"1", "a.log").content_type == "text/x-log"
    assert labels()["text/x-log"] == "Log"
    assert usual_suffixes(["text/x-log", "text/plain"]) == [".txt", ".log"]


def test_an_error_of_its_own_is_a_damaged_file(make_plugin: MakePlugin) -> None:
    make_plugin("readers", "log", _LOG.replace("1 // len(data)", "1 // 0"))
    with pytest.raises(DamagedFile) as caught:
        read(b"12:00", "a.log")
    assert caught.value.detail.startswith("text/x-log: ZeroDivisionError")


def test_a_type_that_has_a_reader_keeps_it(make_plugin: MakePlugin, caplog: pytest.LogCaptureFixture) -> None:
    make_plugin("readers", "csv", _READER.format(types='FileType("text/csv", "Mine")'))
    assert labels()["text/csv"] == "CSV"
    assert caplog.messages == [
        "The plugin csv (readers) of the package made-plugin 1.0 is not used: text/csv has a reader already"
    ]


def test_a_file_that_a_broken_reader_might_read_says_so(make_plugin: MakePlugin) -> None:
    make_plugin("readers", "book", "raise OSError('no library')")
    with pytest.raises(UnsupportedFile) as caught:
        read(b"\x00\x01", "a.bk")
    assert caught.value.message == (
        "Unsupported file type. The plugin book (readers) of the package made-plugin 1.0 can't be loaded: "
        "OSError: no library"
    )
    assert read(b"text", "a.txt").content_type == "text/plain"
