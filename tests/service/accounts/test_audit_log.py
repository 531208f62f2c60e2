from __future__ import annotations

import datetime as dt
import json
from typing import Any, Literal

import pytest

from docduck import clock
from docduck.errors import InputError
from docduck.ids import new_id
from docduck.service.accounts.audit_log import ActorView, AuditEntryView, find_audit_entries
from docduck.service.accounts.keys import create_key
from docduck.service.core import audit
from docduck.service.core.installation import Installation
from docduck.service.core.pages import Page
from docduck.service.corrections.corrections import set_values
from docduck.service.documents.document_changes import update_document
from docduck.service.folders import create_folder, update_folder
from docduck.service.parsers.field_editing import reorder_fields
from docduck.service.parsers.parsers import ParserChanges, set_fields, update_parser
from tests.service.core.documents import make_parser, read_document
from tests.service.core.people import make_member, make_team


def shown(kind: Literal["user", "key", "system"], actor_id: str | None, name: str) -> ActorView:
    return ActorView(type=kind, id=actor_id, name=name)


def find(inst: Installation, **wanted: Any) -> Page[AuditEntryView]:
    return find_audit_entries(inst, inst.team_id, **wanted)


def changes(inst: Installation, action: str) -> tuple[Any, Any, Any]:
    """What the newest entry of an action says was changed, before and after."""
    details = find(inst, action=action).rows[0].details
    assert details is not None
    return details["changed"], details["before"], details["after"]


def test_entries_are_listed_with_their_actors_newest_first_and_filtered(any_inst: Installation) -> None:
    inst, parser = any_inst, make_parser(any_inst)
    ann, key = make_member(inst), create_key(inst, inst.team_id, "CI").key
    for actor in (f"key {key.prefix}", ann, "cli", "key unknown_"):
        name = f"by {actor}"
        update_parser(inst, inst.team_id, parser.id, ParserChanges(name=name), actor)
    rows = find(inst, action="parser.updated").rows
    assert [row.actor for row in rows] == [
        shown("key", None, "unknown_"),
        shown("system", None, "cli"),
        shown("user", ann, "Ann"),
        shown("key", key.id, "CI"),
    ]
    assert {(row.resource_type, row.resource_id) for row in rows} == {("parser", parser.id)}
    for actor in (ann, key.id, "cli"):
        (row,) = find(inst, actor=actor).rows
        assert (row.actor.id or row.actor.name) == actor
    pages = [find(inst, resource_type="parser", page=page, limit=2) for page in (1, 2, 3, 4)]
    names = [row.details["after"]["name"] for page in pages[:2] for row in page.rows if row.details]
    assert names == [f"by {actor}" for actor in ("key unknown_", "cli", ann, f"key {key.prefix}")]
    assert [(len(page.rows), page.total) for page in pages] == [(2, 5), (2, 5), (1, 5), (0, 5)]
    folder = create_folder(inst, inst.team_id, parser.id, {"name": "Paid"})
    assert [row.resource_id for row in find(inst, resource_type="folder").rows] == [folder.id]
    assert find(inst, resource_id=folder.id.upper()).total == 1
    assert find(inst, resource_id=folder.id, action="parser.created").total == 0
    (row,) = find(inst, resource_id=folder.id).rows
    assert find(inst, resource_id=folder.id, since=row.at, until=row.at).total == 1
    moment = clock.milliseconds(row.at) + dt.timedelta(seconds=1)
    assert find(inst, since=moment).total == 0
    with pytest.raises(InputError, match="Invalid resourceId"):
        find(inst, resource_id="x")
    assert find(inst, actor=new_id()).total == 0


def test_other_teams_entries_are_never_listed(any_inst: Installation) -> None:
    parser, other = make_parser(any_inst), make_team(any_inst)
    make_parser(any_inst, "Theirs", other)
    theirs = find_audit_entries(any_inst, other)
    assert [row.details for row in theirs.rows] == [{"name": "Theirs"}]
    assert find_audit_entries(any_inst, other, resource_id=parser.id).total == 0
    key = create_key(any_inst, any_inst.team_id, "CI").key
    with any_inst.catalog.transaction() as session:
        audit.record(session, other, f"key {key.prefix}", "x.done", "x", [(new_id(), None)])
    (row,) = find_audit_entries(any_inst, other, action="x.done").rows
    assert row.actor == shown("key", None, key.prefix)
    assert find_audit_entries(any_inst, other, actor=key.id).total == 0


def test_changes_have_values_before_and_after(any_inst: Installation) -> None:
    inst, team_id = any_inst, any_inst.team_id
    parser, document_id = read_document(inst)
    for pages in ("1", "2"):
        update_parser(inst, team_id, parser.id, ParserChanges(settings={"parsePages": pages}))
    name = "settings.parsePages"
    assert changes(inst, "parser.updated") == ([name], {name: "1"}, {name: "2"})
    folder = create_folder(inst, team_id, parser.id, {"name": "Paid"})
    update_folder(inst, team_id, parser.id, folder.id, {"name": "Done", "color": "red"})
    before, after = {"color": None, "name": "Paid"}, {"color": "red", "name": "Done"}
    assert changes(inst, "folder.updated") == (["color", "name"], before, after)
    update_document(inst, team_id, parser.id, document_id, {"custom": {"a": 1}, "name": "doc-0.txt"})
    assert changes(inst, "document.updated") == (["custom"], {"custom": None}, {"custom": {"a": 1}})
    set_values(inst, team_id, parser.id, document_id, {"Number": "B" * 1500, "Total": 12.5})
    cut = {"Number": "B" * 999 + "…"}
    assert changes(inst, "document.corrected") == (["Number"], {"Number": "A-1"}, cut)
    set_fields(inst, team_id, parser.id, parser.fields[1:])
    reorder_fields(inst, team_id, parser.id, ["Tags", "Line Items", "Total"])
    order = [str(parser.fields[number].id) for number in (1, 2, 3)]
    moved = {"order": [order[1], order[2], order[0]]}
    assert changes(inst, "fields.reordered") == (["order"], {"order": order}, moved)
    gone = str(parser.fields[0].id)
    changed, fields, left = changes(inst, "fields.replaced")
    assert (changed, fields[gone]["name"], left) == ([gone], "Number", {})


def test_long_values_are_cut_off() -> None:
    found = audit.changes({"a": list(range(1000)), "b": 1}, {"a": "x", "c": None})
    assert found["changed"] == ["a", "b", "c"]
    assert found["before"] == {"a": json.dumps(list(range(1000)))[:999] + "…", "b": 1}
    assert found["after"] == {"a": "x", "c": None}
    assert audit.changes({"a": 1}, {"a": 1}) == {"changed": [], "before": {}, "after": {}}
