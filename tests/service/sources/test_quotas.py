"""Sources of teams with a quota: what it has no room for waits for the next day."""

from __future__ import annotations

import obstore
import pytest

from docduck.service.accounts.accounts import create_team, get_team, limit_team
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.sources.intake import ingest, inspect_source
from docduck.service.sources.received_mails import receive_mail
from docduck.service.sources.sources import inbox
from docduck.service.sources.targets import parsers_by_slug
from docduck.service.uploads.file_uploads import UploadTarget, check_upload
from tests.object_store import new_bucket, paths, server
from tests.service.sources.intake_world import (
    assert_files_match,
    documents,
    drop,
    invoices,
    objects_of,
    outcomes,
    pass_time,
)

__all__ = ["server"]

NO_ROOM = "The team's quota of 2 documents a day has no room for "


def used(inst: Installation) -> int | None:
    return get_team(inst, inst.team_id).documents_today


def test_files_wait_for_the_next_day(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    invoices(any_inst)
    others = create_team(any_inst, "Others")
    create_parser(any_inst, others.id, NewParser(name="Bills"))
    limit_team(any_inst, any_inst.team_id, documents_per_day=2)
    for number in range(5):
        drop(any_inst.settings.inbox, f"invoices/{number}.txt", b"%d" % number)
        drop(any_inst.settings.inbox, f"bills/{number}.txt", b"%d" % number)
    assert inspect_source(any_inst, inbox(any_inst)).new == 7
    assert ingest(any_inst, inbox(any_inst)).registered == 7
    seen = inspect_source(any_inst, inbox(any_inst))
    assert (seen.new, seen.waiting) == (0, 0), "no run is started, and none waits for them"
    assert f"{NO_ROOM}3 more: 2 were taken in today. It starts anew at" in seen.message
    assert ingest(any_inst, inbox(any_inst)).registered == 0
    again = inspect_source(any_inst, inbox(any_inst), seen.signature)
    pass_time(monkeypatch)
    assert inspect_source(any_inst, inbox(any_inst), again.signature).new == 2
    assert ingest(any_inst, inbox(any_inst)).registered == 2
    limit_team(any_inst, any_inst.team_id, documents_per_day=0)
    assert ingest(any_inst, inbox(any_inst)).registered == 1
    assert len(documents(any_inst)) == 10
    # What came in without a quota is not counted.
    assert used(any_inst) is None
    pass_time(monkeypatch)
    drop(any_inst.settings.inbox, "invoices/more.txt")
    assert ingest(any_inst, inbox(any_inst)).registered == 1
    limit_team(any_inst, any_inst.team_id, documents_per_day=1)
    check_upload(any_inst, any_inst.team_id, UploadTarget(parsers_by_slug(any_inst)["invoices"].id, 1))
    assert_files_match(any_inst)


def test_objects_stay_in_the_bucket_until_there_is_room(
    inst: Installation, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(inst)
    limit_team(inst, inst.team_id, documents_per_day=2)
    bucket = new_bucket(server)
    for name in ("a.txt", "b.txt", "c.txt"):
        obstore.put(bucket, name, name.encode())
    store = objects_of(server, bucket, after="delete")
    report = ingest(inst, store)
    assert (report.registered, paths(bucket)) == (2, ["c.txt"])
    assert any(f"{NO_ROOM}3 more: 0 were taken in today" in message for message in report.messages)
    monkeypatch.setattr("docduck.service.sources.remote_intake.Progress.is_due", True)
    seen = inspect_source(inst, store)
    assert (seen.new, f"{NO_ROOM}1 more: 2 were taken in today" in seen.message) == (0, True)
    pass_time(monkeypatch)
    assert inspect_source(inst, store).new == 1
    assert ingest(inst, store).registered == 1
    assert (documents(inst), paths(bucket)) == (["a.txt", "b.txt", "c.txt"], [])


def test_what_another_process_used_meanwhile_is_noticed(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    invoices(any_inst)
    limit_team(any_inst, any_inst.team_id, documents_per_day=2)
    for name, content in (("a", b"1"), ("b", b"1"), ("c", b"2"), ("d", b"3")):
        drop(any_inst.settings.inbox, f"invoices/{name}.txt", content)
    with monkeypatch.context() as patch:
        # As if the quota had been free when the files were counted.
        patch.setattr("docduck.service.sources.folder_intake.quotas", lambda inst: {})
        report = ingest(any_inst, inbox(any_inst))
    assert (report.registered, report.duplicates, report.waiting) == (2, 1, 1)
    assert sorted(outcomes(any_inst).values()) == ["duplicate", "registered", "registered", "waiting"]
    assert used(any_inst) == 2
    pass_time(monkeypatch)
    assert ingest(any_inst, inbox(any_inst)).registered == 1
    assert used(any_inst) == 1
    assert_files_match(any_inst)


def test_mails_are_sent_again(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    invoices(inst)
    target = parsers_by_slug(inst)["invoices"]
    limit_team(inst, inst.team_id, documents_per_day=1)
    first, second = (f"Message-ID: <{n}@x>\nSubject: {n}\n\n{n}\n".encode() for n in "ab")
    assert receive_mail(inst, target, first, "in@example.org") is None
    for _ in range(2):
        refusal = receive_mail(inst, target, second, "in@example.org")
        assert refusal is not None and "has no room for 1 more" in refusal
    assert receive_mail(inst, target, first, "in@example.org") is None, "it is known"
    pass_time(monkeypatch)
    assert receive_mail(inst, target, second, "in@example.org") is None
    assert len(documents(inst)) == 2
