"""Reading without Dagster, when no run starts."""

from __future__ import annotations

import time

import pytest

from docduck.service.classifiers.classifiers import delete_classifier
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.processing.run_lock import RUN, SERVICE, exclusive_run, is_wanted, reader_of
from docduck.service.runs.run_starter import starting_runs
from docduck.service.upkeep.health import reading_trouble
from tests.conftest import MakeInstallation
from tests.service.classifiers.classifiers_world import make_classifier, unrouted
from tests.service.core.documents import upload
from tests.waiting import wait_for

SOON = 60.0
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def inst(make_installation: MakeInstallation) -> Installation:
    inst = make_installation(dagster_url=NOWHERE, read_alone_seconds=0.5, workers=1)
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    return inst


def test_what_waits_is_read_without_a_run(inst: Installation, caplog: pytest.LogCaptureFixture) -> None:
    document_id = upload(inst, inst.team_id, "ones", b"hello", "a.txt")
    (inst.settings.inbox / "ones" / "b.txt").write_bytes(b"dropped")
    with starting_runs(inst):
        wait_for(lambda: get_document(inst, inst.team_id, document_id).status == "processed", SOON)
        wait_for(lambda: inst.warehouse.counts().get("ones", {}).get("documents") == 2, SOON)
    assert "no run of Dagster has read for" in caplog.text


def test_a_run_that_reads_is_left_alone(inst: Installation, caplog: pytest.LogCaptureFixture) -> None:
    upload(inst, inst.team_id, "ones", b"hello", "a.txt")
    with exclusive_run(inst) as alone:
        assert alone
        with starting_runs(inst):
            time.sleep(1.5)
    assert "no run of Dagster has read for" not in caplog.text


def test_the_health_says_when_nothing_is_being_read(make_installation: MakeInstallation) -> None:
    inst = make_installation(run_start_seconds=0.001)
    create_parser(inst, inst.team_id, NewParser(name="Ones"))
    assert reading_trouble(inst) is None
    upload(inst, inst.team_id, "ones", b"hello", "a.txt")
    time.sleep(0.01)
    assert "nothing is being read: 1 documents wait" in str(reading_trouble(inst))
    with exclusive_run(inst, reader=SERVICE):
        assert "the service reads documents itself" in str(reading_trouble(inst))
    with exclusive_run(inst):
        assert reading_trouble(inst) is None


def test_documents_that_wait_to_be_routed_count_until_their_classifier_is_deleted(
    make_installation: MakeInstallation,
) -> None:
    inst = make_installation(run_start_seconds=0.001)
    classifier, _ = make_classifier(inst, "Invoices")
    unrouted(inst, classifier, "a.txt")
    time.sleep(0.01)
    assert "nothing is being read: 1 documents wait" in str(reading_trouble(inst))
    delete_classifier(inst, inst.team_id, classifier.id)
    assert reading_trouble(inst) is None


def test_the_health_is_silent_while_a_run_may_still_start(inst: Installation) -> None:
    upload(inst, inst.team_id, "ones", b"hello", "a.txt")
    assert reading_trouble(inst) is None


def test_the_lock_tells_who_reads_and_whether_another_waits(inst: Installation) -> None:
    assert reader_of(inst) is None
    with exclusive_run(inst) as alone:
        assert alone
        assert reader_of(inst) == RUN
        assert not is_wanted(inst)
        with exclusive_run(inst, wait_seconds=0.2) as second:
            assert not second
        assert is_wanted(inst)
    assert reader_of(inst) is None
