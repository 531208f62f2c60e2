"""Names that are meant for headers, folders, terminals or SQL stay names."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

import httpx
import pytest

from tests.api.request.hostile import nothing_changes, refused
from tests.server.served import Api


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("../../etc/passwd", "passwd"), ("..\\..\\x.txt", "x.txt"), ("..", "document"), ("/", "document"),
        ("\u202efdp.exe", "fdp.exe"), ("a\u2028b.txt", "a b.txt"), ("é\u0301.txt", None),
        ('a"b.txt', 'a"b.txt'), ("%0d%0aX-Evil: 1.txt", "%0d%0aX-Evil: 1.txt"),
        ("日本 😀.txt", "日本 😀.txt"),
        ("; filename=evil.exe", "; filename=evil.exe"), ("ü" * 255, "ü" * 255),
        ('a"; filename="evil.exe', 'a"; filename="evil.exe'), ("x;y,z=%41'*.txt", "x;y,z=%41'*.txt"),
        ("C:\\Users\\x\\a.txt", "a.txt"), ("a\x01b\x1f.txt", "a b .txt"), ("", "document"),
        ("x" * 400 + ".txt", "x" * 251 + ".txt"), ("x" * 300 + "." + "y" * 20, "x" * 255),
    ],
)  # fmt: skip
def test_names_of_files_do_nothing_to_headers_or_folders(shared: Api, given: str, name: str | None) -> None:
    p = shared.parser()
    head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{_quoted(given)}"\r\n'
    content = f"{head}\r\nhi\r\n--b--\r\n"
    answer = shared.post(
        f"/process/{p}/files",
        content=content.encode(),
        headers={"Content-Type": "multipart/form-data; boundary=b"},
    )
    item = answer.json()["result"][0]
    if name is not None:
        assert item["name"] == name
    with httpx.Client(trust_env=False) as anybody:
        file = anybody.get(item["url"])
    assert file.content == b"hi" and "x-evil" not in file.headers
    header = file.headers["content-disposition"]
    assert header.startswith('attachment; filename="') and header.isascii() and header.isprintable()
    assert re.fullmatch(r'attachment; filename="[^"\\/]*"(; filename\*=UTF-8\'\'[\w%.!#$&+^`|~-]+)?', header)


def _quoted(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def test_names_that_would_end_a_line_are_refused(shared: Api) -> None:
    p = shared.parser()
    content = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a\rb"\r\n\r\nhi\r\n--b--\r\n'
    form = {"Content-Type": "multipart/form-data; boundary=b"}
    with nothing_changes(shared):
        refused(shared.post(f"/process/{p}/files", content=content, headers=form), 400)
        for name in ("a\nb", "a\x7fb", "\x85", ".", " .. "):
            refused(shared.post("/parsers", json={"name": name}), 400)
            refused(shared.post(f"/parsers/{p}/folders", json={"name": name}), 400)
            refused(shared.post(f"/parsers/{p}/fields", json={"name": name}), 400)


@pytest.mark.parametrize(
    "name", ["'; DROP TABLE documents; --", "a/b", "%2e", "<script>", "__proto__", "😀" * 60]
)
def test_odd_names_are_kept_as_they_are(shared: Api, name: str) -> None:
    p = shared.parser()
    d = shared.upload(p, externalIds=json.dumps([name]))
    assert shared.post("/parsers", json={"name": name}).json()["name"] == name
    assert shared.post(f"/parsers/{p}/folders", json={"name": name}).json()["name"] == name
    assert shared.patch(f"/parsers/{p}/documents/{d}", json={"name": name}).json()["name"] == name
    assert shared.get(f"/process/{p}/files/data", params={"externalId": name}).json()["metadata"]["id"] == d
    fields = shared.post(f"/parsers/{p}/fields", json={"name": name}).json()["fields"]
    assert fields[-1]["name"] == name
    path = f"/parsers/{p}/fields/{quote(name, safe='')}"
    assert shared.patch(path, json={"description": "x"}).json()["fields"][-1]["description"] == "x"
    assert len(shared.delete(path).json()["fields"]) == len(fields) - 1


def test_an_external_id_of_several_lines_stays_data(shared: Api) -> None:
    p = shared.parser()
    d = shared.upload(p, externalIds='["a\\r\\nX-Evil: 1"]')
    answer = shared.get(f"/parsers/{p}/documents/{d}")
    assert answer.json()["externalId"] == "a\r\nX-Evil: 1" and "x-evil" not in answer.headers
    again = shared.post(
        f"/process/{p}/files",
        files={"file": ("b.txt", b"b")},
        data={"externalIds": '["a\\r\\nX-Evil: 1"]'},
    )
    refused(again, 400, "externalId already exists: a\r\nX-Evil: 1")
