from __future__ import annotations

import pytest

from docduck.files.names import clean_name, key_of, safe_text


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("Rechnung Müller.pdf", "Rechnung Müller.pdf"),
        ("Mu\u0308ller.pdf", "Müller.pdf"),
        ("two\nlines\t.pdf", "two lines .pdf"),
        ("bell\x07.pdf", "bell .pdf"),
        ("caf\udce9.pdf", "caf\ufffd.pdf"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("-rf.pdf", "-rf.pdf"),
        ("\x01", "document"),
        ("请求.pdf", "请求.pdf"),
    ],
)
def test_a_name_becomes_one_clean_line(name: str, clean: str) -> None:
    assert clean_name(name) == clean
    clean_name(name).encode("utf-8")


def test_paths_that_look_alike_have_keys_of_their_own() -> None:
    alike = ["caf\udce9", "caf\\xe9", "café", "cafe\u0301"]
    assert len({key_of(path) for path in alike}) == 4
    assert safe_text("caf\udce9") == "caf\\xe9"
    assert safe_text("café") == "café"
