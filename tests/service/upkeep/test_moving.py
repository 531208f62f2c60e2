"""A home is moved to PostgreSQL and a bucket: all that it had is there, and it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from obstore.store import S3Store
from sqlalchemy import func, select, text

from docduck.catalog.database import Catalog
from docduck.catalog.migrate import migrate
from docduck.catalog.models import StoredFile
from docduck.catalog.models.base import Base
from docduck.errors import Conflict, InputError
from docduck.files.store import open_files
from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import get_document, history_of
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.queries.listing import list_documents
from docduck.service.folders.folder_changes import create_folder, update_folder
from docduck.service.parsers.parsers import get_parser
from docduck.service.processing.processing import process_queue
from docduck.service.search.query import DocumentQuery
from docduck.service.upkeep.doctor import examine
from docduck.service.upkeep.moving import copy_catalog, copy_files
from docduck.settings import Settings
from tests.conftest import MakeInstallation
from tests.object_store import KEYS, bucket, paths, server
from tests.service.core.documents import add, complete, make_parser, upload

__all__ = ["bucket", "server"]


@pytest.fixture
def old(make_installation: MakeInstallation, tmp_path: Path) -> Installation:
    """A home with a read invoice, and a folder in one that was made after it."""
    inst = make_installation(home=tmp_path / "old")
    parser = make_parser(inst, "Ones")
    inner = create_folder(inst, inst.team_id, parser.id, {"name": "Ärger ✓"})
    outer = create_folder(inst, inst.team_id, parser.id, {"name": "Outer"})
    update_folder(inst, inst.team_id, parser.id, inner.id, {"parent_id": outer.id})
    (document_id,) = add(inst, parser)
    complete(inst, parser, total=17.0)
    update_document(inst, inst.team_id, parser.id, document_id, {"folder_id": inner.id})
    return inst


@pytest.fixture
def settings(
    server: str, bucket: S3Store, postgres_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    """Those of the same home after it has moved."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS["access_key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret_key"])
    return Settings(
        home=tmp_path / "old",
        catalog_url=postgres_database,
        files_url=f"s3://{bucket.config['bucket']}",
        files_endpoint=server,
    )


def counts(catalog: Catalog) -> dict[str, int]:
    tables = [table for table in Base.metadata.sorted_tables if table.name != "home"]
    with catalog.read_session() as session:
        return {table.name: session.scalar(select(func.count()).select_from(table)) or 0 for table in tables}


def found(inst: Installation) -> list[str]:
    """The documents with a value that has 17 in it."""
    parser = get_parser(inst, inst.team_id, "ones")
    rows = find_documents(inst, inst.team_id, parser.id, DocumentQuery(q="17", in_values=True)).rows
    return [row.id for row in rows]


def ignore(done: int, total: int) -> None:
    assert done <= total


@pytest.mark.postgres
def test_a_home_goes_on_where_it_was_moved_to(
    old: Installation, settings: Settings, bucket: S3Store, make_installation: MakeInstallation
) -> None:
    (document,) = list_documents(old, old.team_id).rows
    assert found(old) == [document.id]
    steps = history_of(old, old.team_id, None, document.id).rows
    before = counts(old.catalog)
    files = open_files(settings)
    assert copy_files(old.files, files, ignore) == before["stored_files"] == len(paths(bucket))
    assert copy_files(old.files, files, ignore) == 0, "what is there is not copied again"
    target = Catalog(str(settings.catalog_url), 2)
    assert copy_catalog(old.catalog, target, ignore) == sum(before.values()) + 1
    assert counts(target) == before
    target.close()
    assert counts(old.catalog) == before, "the old home is as it was"
    old.close()

    (settings.home / "files").rename(settings.home / "files.moved")
    new = make_installation(
        **settings.model_dump(include={"home", "catalog_url", "files_url", "files_endpoint"})
    )
    assert new.team_id == old.team_id
    assert history_of(new, new.team_id, None, document.id).rows == steps
    assert found(new) == [document.id]
    process_queue(new)
    (row,) = new.warehouse.query("SELECT folder, total FROM ones.documents").rows
    assert (row[0], float(row[1])) == ("Outer / Ärger ✓", 17.0)
    added = upload(new, new.team_id, "ones", b"Total: 18.00 EUR", "two.txt")
    process_queue(new)
    assert get_document(new, new.team_id, added).status == "processed"
    assert len(list_documents(new, new.team_id, "ones").rows) == 2
    assert new.warehouse.counts(published=False)["ones"]["documents"] == 2
    assert examine(new) == []


@pytest.mark.postgres
def test_all_rows_are_copied_or_none(
    old: Installation, postgres_database: str, postgres_catalog: str
) -> None:
    taken = Catalog(postgres_catalog, 2)
    with pytest.raises(InputError, match="is the catalog of a home already: name an empty database"):
        copy_catalog(old.catalog, taken, ignore)
    taken.close()
    target = Catalog(postgres_database, 2)

    def stop(done: int, total: int) -> None:
        if done > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_catalog(old.catalog, target, stop)
    assert not any(counts(target).values())
    assert copy_catalog(old.catalog, target, ignore) > 5
    target.close()


@pytest.mark.postgres
def test_a_row_that_would_be_another_is_refused(
    old: Installation, postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = Catalog(postgres_database, 2)
    migrate(target)
    with target.engine.begin() as connection:
        connection.execute(text("ALTER TABLE documents ALTER COLUMN name TYPE char(40)"))
    with pytest.raises(Conflict, match="Rows of documents would not be the same there; nothing was copied"):
        copy_catalog(old.catalog, target, ignore)
    assert not any(counts(target).values())
    target.close()


def test_a_damaged_file_is_named_once_the_others_are_copied(
    old: Installation, settings: Settings, bucket: S3Store
) -> None:
    other = old.files.put_bytes(b"another").sha256
    with old.catalog.read_session() as session:
        sha256 = session.scalars(select(StoredFile.sha256)).first() or ""
    old.files.path(sha256).write_bytes(b"damaged")
    with pytest.raises(Conflict, match=f"1 stored files are damaged, among them {sha256}"):
        copy_files(old.files, open_files(settings), ignore)
    assert f"{other[:2]}/{other[2:]}" in paths(bucket)
    assert f"{sha256[:2]}/{sha256[2:]}" not in paths(bucket)
