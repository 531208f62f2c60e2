"""Kinds of sources of other packages: declared in pipeline.yaml by their own keys, taken in as all others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.pipeline.pipeline_spec import load_pipeline
from docduck.service.sources.intake import describe_source, ingest, inspect_source
from docduck.service.sources.remote_sources import RemoteSource
from docduck.service.sources.sources import source_of, sources
from docduck.service.sources.team_sources import team_sources
from tests.conftest import MakeInstallation
from tests.made_plugins import MakePlugin, make_plugin
from tests.service.sources.intake_world import documents, invoices

__all__ = ["make_plugin"]

CODE = """
from docduck.service.pipeline.source_specs import RemoteSpec
from docduck.sources.remote import FetchedItem, ItemUnavailable, NewItems, RemoteItem

class Spec(RemoteSpec):
    shelf: str
    limit: int = 5

class Reader:
    def __init__(self, spec, policy, look_seconds):
        self.spec, self.policy, self.look_seconds = spec, policy, look_seconds
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace): ...
    def look(self, cursor):
        assert 0 < self.look_seconds <= 20 and self.policy.max_bytes > 0
        names = ["a.txt", "b.txt", "bad.txt"][: self.spec.limit]
        return NewItems([RemoteItem(f"{self.spec.shelf}/{name}", "1") for name in names], {"at": 1})
    def fetch(self, item, write):
        if "bad" in item.name:
            raise ItemUnavailable("is bad")
        write(item.name.encode())
        return FetchedItem(item.name.rpartition("/")[2], {"shelf": self.spec.shelf})
    def finish(self, items): ...

class added:
    settings = Spec
    finishes = False
    def connect(self, settings, policy, look_seconds):
        return Reader(settings, policy, look_seconds)
"""
BROKEN = "The plugin shelf (sources) of the package made-plugin 1.0 can't be loaded: KeyError: 'x'"


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    path = tmp_path / "pipeline.yaml"
    path.write_text("sources:\n- {name: books, shelf: left, parser: invoices}\n")
    return path


@pytest.fixture
def inst(make_installation: MakeInstallation, pipeline: Path) -> Installation:
    return make_installation(pipeline=pipeline)


def shelf(inst: Installation) -> RemoteSource:
    source = sources(inst)[1]
    assert isinstance(source, RemoteSource)
    return source


def test_its_items_become_documents(inst: Installation, make_plugin: MakePlugin) -> None:
    make_plugin("sources", "shelf", CODE)
    invoices(inst)
    source = shelf(inst)
    assert (source.kind, source.place) == ("shelf", "left")
    assert inspect_source(inst, source).message == "3 documents to take in from left."
    report = ingest(inst, source)
    assert (report.registered, report.refused) == (2, 1)
    assert sorted(documents(inst)) == ["a.txt", "b.txt"]
    (row,) = [row for row in team_sources(inst, inst.team_id).rows if row.name == "books"]
    assert (row.kind, row.place, row.state) == ("shelf", "left", "working")


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("shelf: left, parser: p, limit: many", "sources[0].limit: must be an integer"),
        ("shelf: left, parser: p, limt: 3", "sources[0].limt: unknown key; did you mean limit?"),
        ("shelf: left, url: 'https://example.org', parser: p", "sources[0]: has url and shelf"),
        ("shelve: left, parser: p", "shelve is unknown, did you mean shelf?"),
        ("shelf: left", "needs either parser or classifier"),
    ],
)
def test_its_keys_are_checked(pipeline: Path, make_plugin: MakePlugin, keys: str, problem: str) -> None:
    make_plugin("sources", "shelf", CODE)
    pipeline.write_text(f"sources:\n- {{name: books, {keys}}}\n")
    with pytest.raises(InputError, match=problem.replace("[", r"\[").replace("?", r"\?")):
        load_pipeline(pipeline)


def test_without_the_package_the_key_is_unknown(pipeline: Path) -> None:
    with pytest.raises(InputError, match="needs a place: one of folder, url, mailbox, bucket"):
        load_pipeline(pipeline)


def test_a_broken_kind_leaves_the_other_sources_alone(
    inst: Installation, pipeline: Path, make_plugin: MakePlugin
) -> None:
    make_plugin("sources", "shelf", "{}['x']")
    pipeline.write_text(pipeline.read_text() + "- {name: scans, folder: scans, parser: invoices}\n")
    invoices(inst)
    (pipeline.parent / "scans").mkdir()
    (pipeline.parent / "scans" / "one.txt").write_text("one")
    _, books, scans = sources(inst)
    assert (books.kind, books.place) == ("shelf", "left")
    assert BROKEN in inspect_source(inst, books).message
    assert BROKEN in describe_source(inst, books)
    assert ingest(inst, scans).registered == 1


@pytest.mark.parametrize(
    ("part", "instead"),
    [
        ("write(item.name.encode())", "1 / 0"),
        ("assert 0 < self.look_seconds <= 20", "1 / 0"),
        ("return self\n", "1 / 0\n"),
        ("return Reader(settings, policy, look_seconds)", "1 / 0"),
    ],
)
def test_its_errors_make_it_unavailable_and_are_told(
    inst: Installation, make_plugin: MakePlugin, part: str, instead: str
) -> None:
    assert part in CODE
    make_plugin("sources", "shelf", CODE.replace(part, instead))
    invoices(inst)
    report = ingest(inst, shelf(inst))
    assert report.registered == 0
    assert "The source kind shelf failed: ZeroDivisionError: division by zero" in "".join(report.messages)


def test_a_full_disk_is_no_error_of_its_own(
    inst: Installation, make_plugin: MakePlugin, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_plugin("sources", "shelf", CODE)
    invoices(inst)

    def full(*_: Any) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("docduck.service.sources.timed_intake._in_time", lambda write, seconds: full)
    with pytest.raises(OSError, match="No space left"):
        ingest(inst, shelf(inst))


def test_a_kind_called_like_a_key_of_docducks_own_adds_nothing(
    pipeline: Path, make_plugin: MakePlugin
) -> None:
    make_plugin("sources", "username", CODE.replace("shelf: str", "username: str"))
    pipeline.write_text(
        "sources:\n- {name: m, mailbox: 'imaps://example.org', username: u, password: p, parser: x}\n"
    )
    (spec,) = load_pipeline(pipeline).sources
    assert source_of(spec).kind == "mailbox"
