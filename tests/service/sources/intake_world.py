"""What the intake's tests look at: documents, ledger and files."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from obstore.store import S3Store
from sqlalchemy import select

from docduck import clock
from docduck.catalog.models import Document, IntakeEntry, StoredFile
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.pipeline.source_specs import BucketSpec, UrlSpec
from docduck.service.sources.remote_intake import read_progress
from docduck.service.sources.remote_sources import RemoteSource, bucket_source, url_source
from tests.object_store import KEYS
from tests.outbound.web import Site


@dataclass(frozen=True)
class Known:
    """An entry of the ledger."""

    outcome: str
    message: str
    document_id: str | None
    finished: bool


def invoices(inst: Installation, name: str = "Invoices") -> ParserView:
    return create_parser(inst, inst.team_id, NewParser(name=name))


def web(site: Site, path: str = "/", **more: Any) -> RemoteSource:
    """A source of documents of a site."""
    spec = {"name": "web", "parser": "invoices", "url": site.url(path), "private": True, **more}
    return url_source(UrlSpec.model_validate(spec))


def objects_of(server: str, store: S3Store, prefix: str = "", **more: Any) -> RemoteSource:
    """A source of the objects of a bucket."""
    place = f"s3://{store.config['bucket']}{prefix}"
    spec = {"name": "store", "parser": "invoices", "bucket": place, "endpoint": server, **KEYS, **more}
    return bucket_source(BucketSpec.model_validate(spec))


def pass_time(monkeypatch: pytest.MonkeyPatch, by: dt.timedelta = dt.timedelta(days=1)) -> None:
    later = clock.now() + by
    monkeypatch.setattr("docduck.clock.now", lambda: later)


def wait_of(inst: Installation, name: str = "web") -> float:
    """The seconds until the next look at a source."""
    with inst.catalog.read_session() as session:
        found = read_progress(session, inst.team_id, name).next_look_at
    assert found is not None
    return (found - clock.now()).total_seconds()


def drop(folder: Path, name: str, content: bytes = b"text") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def documents(inst: Installation, parser: ParserView | None = None) -> list[str]:
    """The names of all documents, sorted."""
    statement = select(Document.name).order_by(Document.name)
    if parser is not None:
        statement = statement.where(Document.parser_id == parser.id)
    with inst.catalog.read_session() as session:
        return list(session.scalars(statement))


def rows(inst: Installation) -> list[Document]:
    with inst.catalog.read_session() as session:
        found = list(session.scalars(select(Document).order_by(Document.name)))
        session.expunge_all()
        return found


def ledger_of(inst: Installation) -> dict[str, Known]:
    """The ledger by item."""
    with inst.catalog.read_session() as session:
        return {
            entry.item: Known(entry.outcome, entry.message, entry.document_id, entry.finished_at is not None)
            for entry in session.scalars(select(IntakeEntry))
        }


def outcomes(inst: Installation) -> dict[str, str]:
    return {item: known.outcome for item, known in ledger_of(inst).items()}


def assert_files_match(inst: Installation) -> None:
    """Every document's bytes are in the store, and each file's references are counted right."""
    with inst.catalog.read_session() as session:
        counted = Counter(session.scalars(select(Document.sha256)))
        counted.update(
            session.scalars(select(Document.split_sha256).where(Document.split_sha256.is_not(None)))
        )
        refs = {file.sha256: file.refs for file in session.scalars(select(StoredFile))}
    assert {sha: n for sha, n in refs.items() if n} == counted
    for sha256 in counted:
        assert inst.files.path(sha256).is_file()
