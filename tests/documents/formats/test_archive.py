"""Zip archives: members as pages, within limits."""

from __future__ import annotations

import contextlib
import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docduck.documents.formats.unpacking import MAX_NESTING, unpack
from docduck.documents.read_options import ReadOptions
from docduck.documents.reader import page_count, read
from docduck.documents.render import render_page
from docduck.errors import DamagedFile, DocumentError, EncryptedFile, UnsupportedFile
from tests.documents.formats.files import lines_page, pdf


def packed(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return buffer.getvalue()


def test_members_are_pages_in_the_order_of_their_names() -> None:
    data = packed(
        {
            "scan 10.txt": b"ten",
            "scan 9.txt": b"nine",
            "a.pdf": pdf(lines_page(("one",)), lines_page(("two",))),
            "__MACOSX/._a.pdf": b"junk",
            ".DS_Store": b"junk",
        }
    )
    document = read(data)
    assert document.content_type == "application/zip"
    assert [(p.number, p.text.strip()) for p in document.pages] == [
        (1, "one"),
        (2, "two"),
        (3, "nine"),
        (4, "ten"),
    ]
    assert document.page_count == page_count(data) == 4
    assert [p.text for p in read(data, "", ReadOptions(pages="3-")).pages] == ["nine", "ten"]
    assert render_page(data, 2, 100).size == (100, 142)


def test_of_signed_containers_only_what_was_signed_is_read() -> None:
    signatures = {"META-INF/signatures0.xml": b"<s/>", "META-INF/manifest.xml": b"<m/>"}
    data = packed({"mimetype": b"application/vnd.etsi.asic-e+zip", "a.txt": b"one", **signatures})
    assert [page.text for page in read(data).pages] == ["one"]
    plain = packed({"mimetype": b"x", "META-INF/manifest.txt": b"two"})
    assert [page.text for page in read(plain).pages] == ["two", "x"]


def test_bad_members_are_left_out_with_a_warning() -> None:
    document = read(packed({"a.txt": b"fine", "b.bin": b"\x00\x01\xff\xfe", "c.pdf": b"%PDF-1.4 broken"}))
    assert [page.text for page in document.pages] == ["fine"]
    assert document.warnings == [
        "b.bin was left out: Unsupported file type",
        "c.pdf was left out: File is damaged or not readable",
    ]
    with pytest.raises(UnsupportedFile):
        read(packed({"b.bin": b"\x00\x01\xff\xfe"}))
    with pytest.raises(DamagedFile):
        read(packed({"folder/": b""}))


def test_archives_inside_are_unpacked_to_a_depth() -> None:
    data = packed({"deep.txt": b"deep"})
    for level in range(MAX_NESTING - 1):
        data = packed({f"level{level}.zip": data})
    assert [page.text for page in read(data).pages] == ["deep"]
    with pytest.raises(DocumentError):
        read(packed({"one more.zip": data}))
    beside = read(packed({"one more.zip": data, "z.txt": b"beside"}))
    assert [page.text for page in beside.pages] == ["beside"]
    assert beside.warnings == ["one more.zip/level1.zip/level0.zip was left out: Unsupported file type"]


def test_a_locked_member_is_told() -> None:
    data = bytearray(packed({"a.txt": b"secret"}))
    for header in (b"PK\x03\x04", b"PK\x01\x02"):
        at = data.index(header)
        data[at + (6 if header[2] == 3 else 8)] |= 1
    with pytest.raises(EncryptedFile):
        read(bytes(data))


def test_bombs_end_at_the_limits() -> None:
    options = ReadOptions(max_unpacked_bytes=1_000_000, max_archive_files=10)
    with pytest.raises(DamagedFile):
        read(packed({"a.txt": b"0" * 2_000_000}), "", options)
    with pytest.raises(DamagedFile):
        read(packed({"in.zip": packed({f"{n}.txt": b"0" * 400_000 for n in range(4)})}), "", options)
    with pytest.raises(DamagedFile):
        read(packed({f"{n}.txt": b"x" for n in range(11)}), "", options)
    with pytest.raises(DamagedFile):
        read(packed({f"{n}.zip": packed({"a.txt": b"x", "b.txt": b"y"}) for n in range(5)}), "", options)


def test_paths_lead_nowhere() -> None:
    document = read(packed({"../../etc/evil.txt": b"here", "/abs.txt": b"there"}))
    assert sorted(page.text for page in document.pages) == ["here", "there"]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_archives_never_raise_anything_else(data: st.DataObject) -> None:
    raw = bytearray(packed({"a.txt": b"hello " * 50, "b/c.txt": b"x", "d.zip": packed({"e.txt": b"inner"})}))
    for _ in range(data.draw(st.integers(1, 10))):
        raw[data.draw(st.integers(4, len(raw) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(4, len(raw)))
    with contextlib.suppress(DocumentError):
        read(bytes(raw[:cut]), "x.zip", ReadOptions(ocr="none"))


def test_a_member_that_can_not_be_unpacked_comes_as_an_archive_of_its_own() -> None:
    whole = packed({"a.txt": b"first", "b/c.txt": b"second " * 50, "d.txt": b"third"})
    data = bytearray(whole)
    at = whole.index(b"PK\x03\x04", whole.index(b"PK\x03\x04") + 1)
    in_directory = whole.index(b"PK\x01\x02", whole.index(b"PK\x01\x02") + 1)
    data[at + 6] |= 1
    data[in_directory + 8] |= 1
    first, locked, third = unpack(bytes(data), ReadOptions())
    assert (first.data, third.data, first.error, third.error) == (b"first", b"third", None, None)
    assert (locked.path, type(locked.error)) == ("b/c.txt", EncryptedFile)
    with pytest.raises(EncryptedFile):
        read(locked.data)
    # With the lock taken off again, it has all that was there.
    alone = bytearray(locked.data)
    alone[6] &= ~1
    alone[alone.index(b"PK\x01\x02") + 8] &= ~1
    (member,) = unpack(bytes(alone), ReadOptions())
    assert (member.path, member.data) == ("b/c.txt", b"second " * 50)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_whose_packing_is_broken_is_left_out(method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        file.writestr("a.txt", bytes(range(256)))
        file.writestr("b.txt", b"fine", zipfile.ZIP_STORED)
    data = bytearray(buffer.getvalue())
    start = data.index(b"a.txt") + len("a.txt")
    data[start + 4 : start + 20] = b"\xff" * 16
    document = read(bytes(data))
    assert [page.text for page in document.pages] == ["fine"]
    assert document.warnings == ["a.txt was left out: File is damaged or not readable"]


def test_an_archive_of_itself_ends() -> None:
    inner = packed({"a.txt": b"x"})
    for _ in range(20):
        inner = packed({"r.zip": inner})
    with pytest.raises(UnsupportedFile):
        read(inner)


def test_the_password_opens_encrypted_members() -> None:
    data = packed({"a.pdf": pdf(lines_page(("one",)), encrypt="secret"), "b.txt": b"two"})
    assert [page.text for page in read(data).pages] == ["two"]
    assert [page.text for page in read(data, options=ReadOptions(password="secret")).pages] == ["one", "two"]
    assert render_page(data, 2, 100, password="secret").width == 100
