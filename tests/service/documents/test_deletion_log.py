"""Deleted documents are listed for those who keep a copy."""

from __future__ import annotations

import datetime as dt

import pytest
from sqlalchemy import update

from docduck import clock
from docduck.catalog.models import DeletedDocument
from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.bin.contents import delete_for_good
from docduck.service.documents.bin.restoring import restore_documents
from docduck.service.documents.deletion import delete_documents, delete_from_parser
from docduck.service.documents.deletion_log import DeletionView, list_deletions
from docduck.service.folders import delete_folder
from docduck.service.parsers.parsers import ParserChanges, delete_parser, update_parser
from docduck.service.upkeep.expired_rows import delete_expired_rows
from docduck.service.upkeep.retention import delete_expired
from tests.conftest import MakeInstallation
from tests.service.core.documents import add, complete, make_parser, set_document
from tests.service.core.people import make_team
from tests.service.documents.test_document_changes import make_folder


def ids_of(page: Page[DeletionView]) -> list[str]:
    return [row.id for row in page.rows]


def test_deletions_of_every_kind_are_listed(any_inst: Installation) -> None:
    inst, team = any_inst, any_inst.team_id
    parser, gone = make_parser(inst), make_parser(inst, "Gone")
    a, b, c, d, e, f = add(inst, parser, 6)
    complete(inst, parser)
    hidden = add(inst, gone, 2)
    assert list_deletions(inst, team).rows == []
    began = clock.now()
    delete_documents(inst, team, [a])
    delete_from_parser(inst, team, parser.id, [b])
    bin_documents(inst, team, [c, d], "user")
    folder = make_folder(inst, parser)
    set_document(inst, e, folder_id=folder)
    delete_folder(inst, team, parser.id, folder, with_documents=True)
    set_document(inst, f, created_at=began - dt.timedelta(days=9))
    update_parser(inst, team, parser.id, ParserChanges(settings={"retentionDays": 5}))
    delete_expired(inst)
    delete_parser(inst, team, gone.id)
    page = list_deletions(inst, team, began)
    assert sorted(ids_of(page)) == sorted([a, b, c, d, e, f, *hidden]) and page.total == 8
    moments = [row.deleted_at for row in page.rows]
    assert moments == sorted(moments) and began <= moments[0] <= clock.now()
    assert {row.id: row.parser_id for row in page.rows} == {
        **dict.fromkeys([a, b, c, d, e, f], parser.id),
        **dict.fromkeys(hidden, gone.id),
    }
    delete_for_good(inst, team, [c], "user")
    restore_documents(inst, team, [d], "user")
    assert d not in ids_of(list_deletions(inst, team)) and c in ids_of(list_deletions(inst, team))
    delete_documents(inst, team, [d])
    assert ids_of(list_deletions(inst, team, only=[parser.id]))[-1] == d
    assert sorted(ids_of(list_deletions(inst, team, only=[gone.id]))) == sorted(hidden)
    assert list_deletions(inst, make_team(inst)).rows == []
    assert list_deletions(inst, team, clock.now() + dt.timedelta(seconds=1)).total == 0


def test_deletions_are_paged_by_cursors(any_inst: Installation) -> None:
    inst, team, parser = any_inst, any_inst.team_id, make_parser(any_inst)
    ids = add(inst, parser, 5)
    delete_documents(inst, team, ids)
    seen: list[str] = []
    cursor = None
    for number, count in ((1, 2), (2, 2), (3, 3)):
        page = list_deletions(inst, team, cursor=cursor, limit=2 if number < 3 else 9)
        assert (page.page, len(page.rows)) == (number, count)
        seen += ids_of(page)
        cursor = page.next_cursor
        if number == 2:
            delete_documents(inst, team, later := add(inst, parser, 2, "late"))
    assert cursor is None and sorted(seen) == sorted([*ids, *later])
    with pytest.raises(InputError, match="not one of this list"):
        list_deletions(inst, team, cursor="x")


@pytest.mark.parametrize(("bin_days", "kept"), [(0, 30), (30, 30), (90, 90)])
def test_deletions_are_forgotten_after_the_bin_or_30_days(
    make_installation: MakeInstallation, bin_days: int, kept: int
) -> None:
    inst = make_installation(bin_days=bin_days)
    team, now = inst.team_id, clock.now()
    old, young = add(inst, make_parser(inst), 2)
    delete_documents(inst, team, [old, young])
    for document_id, days in ((old, kept + 0.01), (young, kept - 0.01)):
        mine = update(DeletedDocument).where(DeletedDocument.id == document_id)
        with inst.catalog.transaction() as session:
            session.execute(mine.values(deleted_at=now - dt.timedelta(days=days)))
    delete_expired_rows(inst)
    assert ids_of(list_deletions(inst, team, now - dt.timedelta(days=kept - 0.005))) == [young]
    with pytest.raises(InputError, match=f"are listed for {kept} days; for an older copy, list all"):
        list_deletions(inst, team, now - dt.timedelta(days=kept, seconds=1))
