from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docduck.outbound.file_names import announced_name, name_in_path


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("", ""),
        ("inline", ""),
        ("attachment; filename=a.pdf", "a.pdf"),
        ('attachment; filename="a b.pdf"', "a b.pdf"),
        ('attachment;FileName = "a b.pdf" ;x=y', "a b.pdf"),
        (r'attachment; filename="a \"b\" \\ c.pdf"', r'a "b" \ c.pdf'),
        ('attachment; filename="a; filename=b.pdf"', "a; filename=b.pdf"),
        ("attachment; filename=a.pdf; filename*=UTF-8''%e2%82%ac.pdf", "€.pdf"),
        ("attachment; filename*=utf-8'de'%e2%82%ac.pdf; filename=a.pdf", "€.pdf"),
        ("attachment; filename*=ISO-8859-1''%a3.pdf", "£.pdf"),
        ("attachment; filename*=UTF-7''x; filename=a.pdf", "a.pdf"),
        ("attachment; filename*=x; filename=a.pdf", "a.pdf"),
        ("attachment; filename*=UTF-8''%ff.pdf", "\ufffd.pdf"),
        ('attachment; filename="../../etc/passwd"', "../../etc/passwd"),
        ("attachment; filename=é.pdf", "é.pdf"),
        ("attachment; filename=a.pdf; filename=b.pdf", "a.pdf"),
    ],
)
def test_the_name_in_a_header(header: str, name: str) -> None:
    assert announced_name(header) == name


@pytest.mark.parametrize(
    ("path", "name"),
    [("/", ""), ("/a/b.pdf", "b.pdf"), ("/a/b.pdf/", "b.pdf"), ("/a%20b?x=/c", "a b"), ("/%ff", "\ufffd")],
)
def test_the_name_in_a_path(path: str, name: str) -> None:
    assert name_in_path(path) == name


@given(st.text())
def test_no_header_breaks_it(text: str) -> None:
    announced_name(f'attachment; filename="{text}"; filename*={text}')
    announced_name(text)
