"""Wrong settings of sources are told with the file, the line and the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.pipeline.pipeline_spec import load_pipeline
from docduck.service.pipeline.source_kinds import KINDS
from docduck.service.provisioning.pipeline import apply_pipeline
from tests.service.sources.intake_world import invoices

PLACES = {
    "folder": "folder: scans",
    "url": "url: https://example.org/a.pdf",
    "mailbox": "mailbox: imaps://h\n  username: u\n  password: p",
    "bucket": "bucket: s3://b",
}
_EMPTY = "must not be empty"
_DURATION = "must be a duration"
_YES_OR_NO = "must be true or false"
_WEB = "must be the address of a web server"
WRONG = {
    "folder": [
        ("pattern: ''", _EMPTY),
        ("pattern: 7", "must be text"),
        ("recursive: perhaps", _YES_OR_NO),
        ("folders: perhaps", _YES_OR_NO),
        ("after: burn", "must be keep, move or delete"),
        ("move_to: done", "needs after: move"),
        ("expect_every: 10s", "must be 60s or more"),
        ("expect_every: often", "must be a duration such as 30s, 15m, 2h or 1d"),
    ],
    "url": [
        ("links: ''", _EMPTY),
        ("on_change: forget", "must be new or replace"),
        ("headers: {'a b': c}", "is no header that can be set"),
        ("headers: {Host: c}", "is no header that can be set"),
        ('headers: {X-Key: "a\\nb"}', "has characters that no header may have"),
        ("headers: [a]", "must be keys with values"),
        ("username: u", "needs a password, too"),
        ("password: p", "needs a username, too"),
        ("token: ''", _EMPTY),
        ('token: "a\\nb"', "has characters that no header may have"),
        ("private: perhaps", _YES_OR_NO),
        ("robots: true", "is about links; it needs links"),
        ("every: 1s", "must be 5s or more"),
    ],
    "mailbox": [
        ("oauth: {token_url: nowhere, client_id: a, refresh_token: b}", _WEB),
        ("oauth: {token_url: 'https://h/t', client_id: a}", "is missing"),
        ("ca: ''", _EMPTY),
        ("folders: INBOX", "must be a list"),
        ("folders: []", "must be a list of names"),
        ("since: yesterday", "must be a date such as 2026-01-31"),
        ("order: random", "must be oldest or newest"),
        ("after: burn", "must be keep, seen, move or delete"),
        ("after: move", "move needs move_to, the folder"),
        ("move_to: Done", "needs after: move"),
        ("every: often", _DURATION),
    ],
    "bucket": [
        ("endpoint: s3.example.org", "must be http://… or https://…"),
        ("region: 7", "must be text"),
        ("access_key: ''", _EMPTY),
        ("secret_key: ''", _EMPTY),
        ("public: perhaps", _YES_OR_NO),
        ("pattern: a/*.txt", "is for names, which have no '/'"),
        ("exclude: a/*.txt", "is for names, which have no '/'"),
        ("recursive: perhaps", _YES_OR_NO),
        ("folders: perhaps", _YES_OR_NO),
        ("after: seen", "must be keep, move or delete"),
        ("move_to: done", "needs after: move"),
        ("every: 5", _DURATION),
    ],
}
_CASES = [(kind, line, words) for kind, lines in WRONG.items() for line, words in lines]
_KEYS_OF_ALL = [("parser: ''", _EMPTY), ("name: ''", _EMPTY), ("nmae: x", "unknown key; did you mean name?")]


def _problem(folder: Path, text: str) -> str:
    file = folder / "pipeline.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        load_pipeline(file)
    return caught.value.message


@pytest.mark.parametrize(("kind", "line", "words"), _CASES)
def test_a_wrong_setting_is_told_with_its_line(tmp_path: Path, kind: str, line: str, words: str) -> None:
    text = f"sources:\n- name: a\n  parser: p\n  {PLACES[kind]}\n  {line}\n"
    at = f"pipeline.yaml:{text.count(chr(10))}: sources[0].{line.partition(':')[0]}"
    message = _problem(tmp_path, text)
    assert any(one.startswith(at) and words in one for one in message.splitlines()), message


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize(("line", "words"), _KEYS_OF_ALL)
def test_so_is_one_that_all_kinds_have(tmp_path: Path, kind: str, line: str, words: str) -> None:
    others = "\n  ".join(one for one in ("name: a", "parser: p") if one.split(":")[0] != line.split(":")[0])
    text = f"sources:\n- {others}\n  {PLACES[kind]}\n  {line}\n"
    at = f"pipeline.yaml:{text.count(chr(10))}: sources[0].{line.partition(':')[0]}: {words}"
    assert at in _problem(tmp_path, text)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("folder: ''", _EMPTY),
        ("url: example.org/a.pdf", _WEB),
        ("url: ftp://example.org/a.pdf", _WEB),
        ("url: 'http://h:99999/'", _WEB),
        ("mailbox: ''", _EMPTY),
        ("mailbox: pop3://h\n  username: u\n  password: p", "must be imaps://host"),
        ("bucket: https://example.org/b", "must be s3://bucket/prefix"),
        ("folder: ${NOT_SET_ANYWHERE}", "the environment variable NOT_SET_ANYWHERE is not set"),
    ],
)
def test_a_wrong_place_is_told_with_its_line(tmp_path: Path, place: str, words: str) -> None:
    message = _problem(tmp_path, f"sources:\n- name: a\n  parser: p\n  {place}\n")
    assert f"pipeline.yaml:4: sources[0].{place.partition(':')[0]}: {words}" in message


def test_each_setting_of_each_kind_is_tried() -> None:
    common = {"name", "parser", "classifier", "expect_every"}
    for key, kind in KINDS.items():
        tried = {line.partition(":")[0] for line, _ in WRONG[key]} | {key}
        assert tried | common >= kind.model_fields.keys() - {"username", "password"}


def test_settings_that_contradict_others_are_told(tmp_path: Path) -> None:
    mails = "parser: p, mailbox: imaps://h, username: u, password: p"
    for settings, words in (
        ("parser: p, folder: scans, after: move, move_to: scans", "move_to: must be another folder"),
        (f"{mails}, after: move, move_to: INBOX", "move_to: must be none of folders"),
        ("classifier: p, folder: scans, folders: true", "folders: needs a parser"),
        ("parser: p, folder: scans, folders: true, recursive: false", "folders: needs recursive: true"),
    ):
        message = _problem(tmp_path, f"sources:\n- {{name: a, {settings}}}\n")
        assert f"pipeline.yaml:2: sources[0].{words}" in message


def test_an_unknown_parser_classifier_or_file_is_told_by_apply(inst: Installation, tmp_path: Path) -> None:
    invoices(inst)
    file = tmp_path / "pipeline.yaml"
    file.write_text(
        """sources:
- name: a
  folder: a
  parser: none
- name: b
  folder: b
  classifier: none
- name: c
  mailbox: imaps://h
  username: u
  password: p
  ca: none.pem
  parser: invoices
"""
    )
    with pytest.raises(InputError) as caught:
        apply_pipeline(inst, inst.team_id, load_pipeline(file))
    assert caught.value.message.splitlines() == [
        "pipeline.yaml:4: sources[0].parser: no parser is called 'none', in this file or in the catalog",
        "pipeline.yaml:7: sources[1].classifier: no classifier is called 'none',"
        " in this file or in the catalog",
        f"pipeline.yaml:12: sources[2].ca: there is no file {tmp_path / 'none.pem'}",
    ]
