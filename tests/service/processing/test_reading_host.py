"""Reading on a second machine: a home of its own, on the same catalog and bucket."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from obstore.store import S3Store
from sqlalchemy import text, update

from docduck import __version__
from docduck.catalog.models import ReadingHome
from docduck.errors import Conflict, Defect, InputError
from docduck.files.bucket_files import BucketFiles
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.owner import LEASE_SECONDS
from docduck.service.core.installation import Installation, open_installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing import reading_host
from docduck.service.processing.processing import process_queue
from docduck.service.processing.reading_homes import note, reading_homes
from docduck.service.processing.reading_host import read_until
from docduck.service.processing.run_lock import exclusive_run
from docduck.service.processing.run_report import RunReport
from docduck.service.upkeep.doctor import examine
from tests.conftest import MakeInstallation
from tests.object_store import KEYS, bucket, new_bucket, server
from tests.service.core.documents import upload
from tests.waiting import wait_for

__all__ = ["bucket", "server"]

pytestmark = pytest.mark.postgres

OpenHost = Callable[..., Installation]


@pytest.fixture
def main(
    make_installation: MakeInstallation,
    server: str,
    bucket: S3Store,
    postgres_catalog: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Installation:
    """The home that keeps the tables, with a parser."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS["access_key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret_key"])
    inst = make_installation(
        catalog_url=postgres_catalog, files_url=f"s3://{bucket.config['bucket']}", files_endpoint=server
    )
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    return inst


@pytest.fixture
def host(main: Installation, tmp_path: Path) -> Iterator[OpenHost]:
    """Opens the home of another machine that reads the documents of ``main``."""
    opened: list[Installation] = []

    def open_host(**changes: object) -> Installation:
        settings = main.settings.model_copy(update={"home": tmp_path / "host", **changes})
        opened.append(open_installation(settings, only_reads=True))
        return opened[-1]

    yield open_host
    for inst in opened:
        inst.close()


@contextmanager
def reading(inst: Installation) -> Iterator[threading.Thread]:
    """Read in a thread during the block."""
    ended = threading.Event()
    thread = threading.Thread(target=read_until, args=(inst, ended.wait))
    thread.start()
    try:
        yield thread
    finally:
        ended.set()
        thread.join()


def status_of(inst: Installation, document_id: str) -> str:
    return get_document(inst, inst.team_id, document_id).status


def test_what_another_machine_reads_is_written_to_the_tables_and_reported(
    main: Installation, host: OpenHost
) -> None:
    upload(main, main.team_id, "ones", b"Total: 9.00", "own.txt")
    (report,) = process_queue(main)
    assert (report.documents, report.written) == (1, 1)
    away = host()
    with reading(away):
        ids = [upload(main, main.team_id, "ones", f"Total: {n}.00".encode(), f"{n}.txt") for n in range(3)]
        wait_for(lambda: all(status_of(main, document_id) == "processed" for document_id in ids))
    assert not list(away.settings.home.glob("*.duckdb"))
    assert not (away.settings.home / "installation-id").exists()
    assert not away.settings.inbox.exists()
    assert [home.is_lost for home in reading_homes(main)] == [False] * 2, "it has said that it ended"

    (report,) = process_queue(main)
    assert (report.slug, report.documents, report.written) == ("ones", 0, 3)
    assert main.warehouse.counts(published=False)["ones"]["documents"] == 4
    assert process_queue(main) == []
    assert len(reading_homes(main)) == 2


def test_who_reads_is_listed_and_a_lost_one_is_told(main: Installation, host: OpenHost) -> None:
    away = host()
    note(away, "owner")
    (home,) = reading_homes(main)
    assert (home.place.partition(" on ")[0], home.workers) == (str(away.settings.home), away.settings.workers)
    assert (home.version, home.is_lost) == (__version__, False)
    assert examine(main) == []
    with main.catalog.transaction() as session:
        session.execute(update(ReadingHome).values(version="0.0.1"))
    assert [finding.message for finding in examine(main)] == [
        f"{home.place} reads with docduck 0.0.1, and this is docduck {__version__}: "
        "install the same on all machines"
    ]
    with main.catalog.transaction() as session:
        ago = text(f"renewed_at - interval '{LEASE_SECONDS + 1} seconds'")
        session.execute(update(ReadingHome).values(renewed_at=ago))
    assert [home.is_lost for home in reading_homes(main)] == [True]
    assert "was lost while it read" in examine(main)[0].message


def test_what_can_not_read_for_the_home_is_refused(
    main: Installation, host: OpenHost, server: str, postgres_database: str, tmp_path: Path
) -> None:
    upload(main, main.team_id, "ones", b"Total: 1.00", "one.txt")
    other = f"s3://{new_bucket(server).config['bucket']}"
    for changes, words in (
        ({"catalog_url": None}, "DOCDUCK_CATALOG_URL is not set on "),
        ({"files_url": None}, "DOCDUCK_FILES_URL is not set on "),
        ({"files_url": other}, f"{other} has none of the catalog's newest files: .* needs the DOC"),
        ({"home": main.settings.home}, "keeps tables: docduck up reads there"),
        ({"catalog_url": postgres_database}, r"The catalog is at version None, and docduck "),
    ):
        with pytest.raises(InputError, match=words) as caught:
            host(**changes)
        if words.endswith("not set on "):
            assert caught.value.path == words.partition(" ")[0]
    away = host()
    with pytest.raises(InputError, match="The catalog belongs to the home"):
        open_installation(main.settings.model_copy(update={"home": tmp_path / "host"}))
    with exclusive_run(away), pytest.raises(Conflict, match="Another process reads with the home"):
        read_until(away, lambda seconds: False)


def test_it_ends_once_the_catalog_is_of_another_version(main: Installation, host: OpenHost) -> None:
    away = host()
    with main.catalog.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match=r"at version 9999, .*: install the same docduck on all machines"):
        read_until(away, lambda seconds: False)


def test_a_bucket_that_is_away_is_tried_again(
    main: Installation, host: OpenHost, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    away = host()
    url = str(main.settings.files_url)
    there, away.__dict__["files"] = (
        away.files,
        BucketFiles(BucketEndpoint(url, "http://127.0.0.1:9", **KEYS), tmp_path / "copies", 1 << 20),
    )
    document_id = upload(main, main.team_id, "ones", b"Total: 1.00", "one.txt")
    waits: list[float] = []

    def stopped(seconds: float) -> bool:
        waits.append(seconds)
        if seconds > 1:
            away.__dict__["files"] = there
        return status_of(main, document_id) == "processed" and seconds == 1

    with caplog.at_level(logging.WARNING):
        read_until(away, stopped)
    assert "reading goes on in 10 s: The file store can't be used at the moment" in caplog.text
    assert max(waits) == 10


def test_defects_do_not_end_it(
    main: Installation, host: OpenHost, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    away = host()
    document_id = upload(main, main.team_id, "ones", b"Total: 1.00", "one.txt")
    errors = iter(
        [Defect("Worker processes do not start"), ZeroDivisionError(), Conflict("moved"), None, None]
    )
    waits: list[float] = []

    def failing(*given: Any) -> list[RunReport]:
        if (error := next(errors)) is not None:
            raise error
        return process_queue(*given)

    def stopped(seconds: float) -> bool:
        waits.append(seconds)
        return status_of(main, document_id) == "processed" and seconds == 1

    monkeypatch.setattr(reading_host, "process_queue", failing)
    with caplog.at_level(logging.ERROR):
        read_until(away, stopped)
    assert [seconds for seconds in waits if seconds > 1] == [10, 20, 40]
    assert "reading goes on in 10 s after a defect of docduck\nTraceback" in caplog.text
    assert "docduck.errors.Defect: Reading failed: moved" in caplog.text
