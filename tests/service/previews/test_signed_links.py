from __future__ import annotations

import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from docduck.errors import Forbidden, InputError, NotFound
from docduck.service.core import secrets
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import delete_parser
from docduck.service.previews import signed_links
from docduck.service.previews.signed_links import check_link, file_link, linked_file, linked_markdown
from docduck.settings import Settings
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, make_parser


def parts(address: str) -> tuple[str, str, str, str]:
    split = urlsplit(address)
    _, _, kind, document_id = split.path.split("/")
    query = parse_qs(split.query)
    return kind, document_id, query["expires"][0], query["signature"][0]


def test_a_link_opens_the_one_thing_it_names(
    inst: Installation, make_installation: MakeInstallation, tmp_path: Path
) -> None:
    parser = make_parser(inst)
    first, second = add(inst, parser, 2)
    address = file_link(inst, "https://docs.example.org/", first)
    assert address.startswith(f"https://docs.example.org/files/file/{first}?expires=")
    kind, document_id, expires, signature = parts(address)
    check_link(inst, kind, document_id, expires, signature)
    found = linked_file(inst, document_id)
    assert (found.name, found.content_type) == ("doc-0.txt", "text/plain")
    assert found.path.read_bytes() == b"invoices doc 0"
    for forged in [
        ("thumbnail", document_id, expires, signature),
        ("file", second, expires, signature),
        ("file", document_id, str(int(expires) + 1), signature),
        ("file", document_id, expires, signature[:-1]),
        ("file", document_id, expires, signature + "="),
        ("file", document_id, expires, "é"),
        ("file", document_id, expires, ""),
        ("file", document_id, "", signature),
        ("file", "", expires, signature),
    ]:
        with pytest.raises(Forbidden, match="Access denied"):
            check_link(inst, *forged)
    for kind, document_id, expires in [("file", "../secret", "9" * 10), ("file", "x", "9" * 40)]:
        signature = signed_links._signature(inst, kind, document_id, expires)
        with pytest.raises(Forbidden):
            check_link(inst, kind, document_id, expires, signature)
    other = make_installation(home=tmp_path / "other")
    with pytest.raises(Forbidden):
        check_link(other, *parts(address))


def test_a_link_expires(make_installation: MakeInstallation, monkeypatch: pytest.MonkeyPatch) -> None:
    inst = make_installation(link_seconds=60)
    (document_id,) = add(inst, make_parser(inst))
    given = parts(file_link(inst, "", document_id))
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 58)
    check_link(inst, *given)
    monkeypatch.setattr("time.time", lambda: now + 61)
    with pytest.raises(Forbidden):
        check_link(inst, *given)


def test_links_of_what_is_gone_lead_nowhere(inst: Installation) -> None:
    parser = make_parser(inst)
    (document_id,) = add(inst, parser)
    with pytest.raises(NotFound, match=r"no markdown|not found"):
        linked_markdown(inst, document_id)
    inst.files.remove(linked_file(inst, document_id).sha256, time.time() + 10)
    with pytest.raises(NotFound, match="file store"):
        linked_file(inst, document_id)
    delete_parser(inst, inst.team_id, parser.id)
    with pytest.raises(NotFound):
        linked_file(inst, document_id)


def test_processes_that_start_together_make_one_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = secrets.derived_key(Settings(home=tmp_path), "test")
    secrets._from_file.cache_clear()
    # As one that looked before the other had made it.
    monkeypatch.setattr(Path, "exists", lambda _: False)
    assert secrets.derived_key(Settings(home=tmp_path), "test") == first
    assert [path.name for path in tmp_path.iterdir()] == ["secret.key"]
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    monkeypatch.undo()
    secrets._from_file.cache_clear()
    (tmp_path / "secret.key").write_text("short")
    with pytest.raises(InputError, match=r"secret\.key is damaged"):
        secrets.derived_key(Settings(home=tmp_path), "a")


def test_the_secret_can_be_a_setting_and_each_purpose_has_its_own_key(tmp_path: Path) -> None:
    given = Settings(home=tmp_path, secret_key="x" * 32)
    assert secrets.derived_key(given, "a") == secrets.derived_key(given, "a")
    assert secrets.derived_key(given, "a") != secrets.derived_key(given, "b")
    assert not (tmp_path / "secret.key").exists()
    assert "xxx" not in repr(given)
