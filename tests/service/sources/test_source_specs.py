"""What keys of sources in pipeline.yaml need of each other is told with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.service.pipeline.pipeline_spec import load_pipeline
from docduck.service.pipeline.source_specs import MailboxSpec

_LOGIN = "username: a, password: b"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("parser: p", ": needs a place: one of folder, url, mailbox, bucket"),
        ("parser: p, url: 'http://h', folder: y", ": has folder and url; a source has one place"),
        ("url: 'http://h'", ": needs either parser or classifier"),
        ("parser: p, bucket: 's3://b', access_key: a", ".bucket: needs both access_key and secret_key"),
        (
            "parser: p, bucket: 'gs://b', region: eu",
            ".bucket: of Google has no endpoint, region or access_key",
        ),
        ("parser: p, bucket: 's3://b', after: move", ".after: move needs move_to, the prefix"),
        ("parser: p, mailbox: imaps://h, password: x", ": needs username, and either password or oauth"),
        ("parser: p, mailbox: imaps://h, username: a", ": needs username, and either password or oauth"),
        (f"parser: p, mailbox: imaps://h/INBOX, {_LOGIN}", ".mailbox: must be imaps://host"),
        (
            f"parser: p, mailbox: imap+plain://example.org, {_LOGIN}",
            ".mailbox: imap+plain:// sends passwords",
        ),
        ("parser: p, mailbox: Maildir, username: a", ".username: is for mail servers only"),
    ],
)
def test_what_keys_need_of_each_other_is_told(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "pipeline.yaml"
    file.write_text(f"sources:\n- {{name: a, {text}}}\n")
    with pytest.raises(InputError) as caught:
        load_pipeline(file)
    assert f"pipeline.yaml:2: sources[0]{words}" in caught.value.message


def test_paths_are_those_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "pipeline.yaml"
    file.write_text("sources:\n- {name: a, parser: p, mailbox: post/Maildir}\n")
    (spec,) = load_pipeline(file).sources
    assert isinstance(spec, MailboxSpec) and spec.mailbox == str(tmp_path / "post/Maildir")
