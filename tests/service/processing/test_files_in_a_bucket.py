"""Documents whose files are in a bucket."""

from __future__ import annotations

import datetime as dt
import hashlib
import logging
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx
import obstore
import pytest
from obstore.store import S3Store

from docduck import clock
from docduck.errors import InputError, Transient
from docduck.files import StoreAway
from docduck.files.bucket_files import BucketFiles
from docduck.outbound.bucket_endpoint import BucketEndpoint
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document, history_of
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.previews.page_views import page_picture
from docduck.service.previews.signed_links import linked_file
from docduck.service.processing.processing import RunOptions, process_queue
from docduck.service.processing.run_report import RunReport
from docduck.service.upkeep import health
from docduck.service.upkeep.doctor import examine
from docduck.service.upkeep.housekeeping import sweep
from tests.conftest import MakeInstallation
from tests.documents.formats.office.files import zipped
from tests.object_store import KEYS, bucket, paths, server, writes_refused
from tests.server.served import serving
from tests.service.core.documents import upload
from tests.service.sources.intake_world import assert_files_match
from tests.service.sources.mails import known

__all__ = ["bucket", "server"]

NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def make(
    make_installation: MakeInstallation, server: str, bucket: S3Store, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], Installation]:
    """Opens an installation whose files are in the bucket; its keys are in the environment."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS["access_key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret_key"])
    return lambda: make_installation(
        files_url=f"s3://{bucket.config['bucket']}/stored", files_endpoint=server
    )


def lose_bucket(inst: Installation, copies: Path) -> None:
    """Have the installation look for its bucket where nobody is, with the folder ``copies``."""
    endpoint = BucketEndpoint(str(inst.settings.files_url), NOBODY, **KEYS)
    inst.__dict__["files"] = BucketFiles(endpoint, copies, 1 << 20)


def status_of(inst: Installation, document_id: str) -> str:
    return get_document(inst, inst.team_id, document_id).status


def test_documents_are_read_shown_linked_and_swept(
    make: Callable[[], Installation], bucket: S3Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst = make()
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    document_id = upload(inst, inst.team_id, "ones", b"Total: 17.00", "one.txt")
    (name,) = paths(bucket)
    assert name.startswith("stored/")
    assert not list((inst.settings.home / "files").glob("*"))
    process_queue(inst)
    assert status_of(inst, document_id) == "processed"
    assert page_picture(inst, inst.team_id, document_id, 1, 800).startswith(b"RIFF")
    for copy in (inst.settings.home / "cache" / "files").glob("??/*"):
        copy.unlink()
    assert linked_file(inst, document_id).path.read_bytes() == b"Total: 17.00"

    left = inst.files.put_bytes(b"never registered").sha256
    delete_documents(inst, inst.team_id, [document_id])
    assert sweep(inst) == 0, "a file may be about to be used"
    now = clock.now() + dt.timedelta(days=1)
    monkeypatch.setattr("docduck.clock.now", lambda: now)
    assert sweep(inst) >= 2
    assert name not in paths(bucket)
    assert inst.files.stored_at(left) is None


def test_a_bucket_that_is_away_is_no_failure_of_its_documents(
    make: Callable[[], Installation], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    inst = make()
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    document_id = upload(inst, inst.team_id, "ones", b"Total: 17.00", "one.txt")
    there = inst.files
    url = str(inst.settings.files_url)
    lose_bucket(inst, tmp_path / "other")
    with caplog.at_level(logging.WARNING), pytest.raises(StoreAway):
        process_queue(inst)
    waiting = get_document(inst, inst.team_id, document_id)
    assert (waiting.status, waiting.error) == ("queued", None)
    assert waiting.waiting is not None
    assert "The file store can't be used at the moment" in waiting.waiting.reason
    assert f"The file store {url} (DOCDUCK_FILES_URL, on " in caplog.text
    assert list(health.problems(inst)) == ["files"]
    assert [finding.part for finding in examine(inst)] == ["files", "checks"]
    with pytest.raises(Transient, match="file store can't be used"):
        upload(inst, inst.team_id, "ones", b"another", "two.txt")

    inst.__dict__["files"] = there
    process_queue(inst)
    assert status_of(inst, document_id) == "processed"
    assert health.problems(inst) == {}


def test_files_that_are_gone_or_of_another_content_keep_no_other_document_back(
    make: Callable[[], Installation], bucket: S3Store
) -> None:
    inst = make()
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    gone = upload(inst, inst.team_id, "ones", b"Total: 17.00", "one.txt")
    obstore.delete(bucket, paths(bucket)[0])
    changed = upload(inst, inst.team_id, "ones", b"Total: 18.00", "two.txt")
    obstore.put(bucket, paths(bucket)[0], b"Total: 19.00")
    for copy in (inst.settings.home / "cache" / "files").glob("??/*"):
        copy.unlink()
    other = upload(inst, inst.team_id, "ones", b"Total: 20.00", "three.txt")
    process_queue(inst)
    assert [status_of(inst, one) for one in (gone, changed, other)] == ["queued", "queued", "processed"]
    waiting = get_document(inst, inst.team_id, gone).waiting
    assert waiting is not None
    assert "its file can't be opened" in waiting.reason


def test_nothing_more_is_claimed_once_the_bucket_is_away(make: Callable[[], Installation]) -> None:
    inst = make()
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    first = upload(inst, inst.team_id, "ones", b"Total: 1.00", "first.txt")
    others = [upload(inst, inst.team_id, "ones", f"Total: {n}.00".encode(), f"{n}.txt") for n in range(2, 9)]
    copies = inst.settings.home / "cache" / "files"
    sha256 = hashlib.sha256(b"Total: 1.00").hexdigest()
    for copy in copies.glob("??/*"):
        if copy.parent.name + copy.name != sha256:
            copy.unlink()
    lose_bucket(inst, copies)
    reports: list[RunReport] = []
    with pytest.raises(StoreAway):
        process_queue(inst, RunOptions(idle_seconds=600, max_seconds=600, on_report=reports.extend))
    assert [report.documents for report in reports] == [1], "what is in work is finished"
    assert status_of(inst, first) == "processed"
    for document_id in others:
        assert history_of(inst, inst.team_id, None, document_id).total <= 3, "it is claimed once at most"


def test_an_upload_whose_files_the_bucket_refuses_is_sent_again(make: Callable[[], Installation]) -> None:
    with serving(make()) as api:
        path = f"/process/{api.parser()}/files"

        def send(number: int) -> httpx.Response:
            files = [("file", (f"{letter}.txt", f"{letter} {number}".encode())) for letter in "abc"]
            return api.post(path, files=files, headers={"Idempotency-Key": f"order {number}"})

        for first in (1, 2, 3):
            with writes_refused(first) as writes:
                refused = send(first)
            assert writes.count > first and refused.status_code == 503, refused.text
            assert len(known(api.inst)) == 3 * (first - 1)
            assert send(first).status_code == 200
            assert len(known(api.inst)) == 3 * first
        assert {file_of(api.inst, document.id) for document in known(api.inst)} == {
            f"{letter} {number}".encode() for letter in "abc" for number in (1, 2, 3)
        }


def test_what_is_read_while_the_bucket_refuses_files_is_neither_lost_nor_doubled(
    make: Callable[[], Installation],
) -> None:
    inst = make()
    create_parser(inst, inst.team_id, NewParser(name="Ones"))

    def upload_both(number: int) -> None:
        members = {f"{name}.txt": f"Total: {number}.00 of {name}".encode() for name in ("one", "two")}
        upload(inst, inst.team_id, "ones", zipped(members), f"{number}.zip")
        upload(inst, inst.team_id, "ones", f"Total: {number}.00".encode(), f"{number}.txt")

    upload_both(0)
    with writes_refused() as undisturbed:
        process_queue(inst)
    assert len(known(inst)) == 3
    assert undisturbed.count == 2, "the members of the archive"
    for first in range(1, undisturbed.count + 1):
        upload_both(first)
        with writes_refused(first), suppress(StoreAway):
            process_queue(inst)
        process_queue(inst)
        documents = known(inst)
        assert {document.status for document in documents} == {"processed"}, first
        assert len(documents) == 3 * (first + 1), first
    assert_files_match(inst)


def file_of(inst: Installation, document_id: str) -> bytes:
    """Return a document's file as it is in the bucket."""
    shutil.rmtree(inst.settings.home / "cache" / "files")
    return linked_file(inst, document_id).path.read_bytes()


def test_a_home_with_files_of_its_own_is_refused(
    make: Callable[[], Installation], make_installation: MakeInstallation
) -> None:
    make_installation().files.put_bytes(b"one")
    with pytest.raises(InputError, match="Copy them there under the same names") as caught:
        make()
    assert caught.value.path == "DOCDUCK_FILES_URL"
