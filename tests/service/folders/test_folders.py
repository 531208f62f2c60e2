from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import Document, Folder, StoredFile
from docduck.errors import Conflict, InputError, NotFound
from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import update_document, update_documents
from docduck.service.folders import (
    FolderView,
    create_folder,
    delete_folder,
    folder_deletion,
    get_folder,
    list_folders,
    update_folder,
)
from docduck.service.outputs.warehouse_sync import rebuild, sync_warehouse
from docduck.service.parsers.parsers import ParserView, set_fields
from tests.constants import SetConstants
from tests.service.core.at_once import at_once
from tests.service.core.catalog import audited, count, query_tables
from tests.service.core.documents import add, complete, make_parser
from tests.service.core.people import make_team

RULES: dict[str, Any] = {"match": "any", "rules": [{"field": "Total", "condition": "exists"}]}


def make(inst: Installation, parser: ParserView, name: str, parent: str | None = None, **more: Any) -> str:
    new: Any = {"name": name, "parent_id": parent, **more}
    return create_folder(inst, parser.team_id, parser.id, new).id


def shown(inst: Installation, parser: ParserView, **how: Any) -> list[str]:
    return [one.path_label for one in list_folders(inst, parser.team_id, parser.id, **how)]


def get(inst: Installation, parser: ParserView, folder_id: str) -> FolderView:
    return get_folder(inst, parser.team_id, parser.id, folder_id)


def put(inst: Installation, parser: ParserView, documents: list[str], folder_id: str | None) -> None:
    for document_id in documents:
        update_document(inst, parser.team_id, parser.id, document_id, {"folder_id": folder_id})


def change(inst: Installation, parser: ParserView, folder_id: str, **changes: Any) -> FolderView:
    return update_folder(inst, parser.team_id, parser.id, folder_id, changes)


def in_warehouse(inst: Installation) -> dict[str, str | None]:
    return dict(query_tables(inst, "SELECT name, folder FROM invoices.documents"))


def test_a_folder_is_made_and_shown(inst: Installation) -> None:
    parser = make_parser(inst)
    root = make(inst, parser, "  Invoices & Größen 2026 ", color=" #ff0000 ")
    child = make(inst, parser, "2026", root)
    first, second = get(inst, parser, root.upper()), get(inst, parser, child)
    assert (first.name, first.slug) == ("Invoices & Größen 2026", "invoices-and-grossen-2026")
    assert first.color == "#ff0000"
    assert (first.parent_id, first.depth, first.child_folder_count) == (None, 0, 1)
    assert (first.path_ids, first.path_names) == ((root,), ("Invoices & Größen 2026",))
    assert (first.has_auto_assign, first.auto_assignment) == (False, None)
    assert (second.name, second.slug, second.color, second.depth) == ("2026", "2026", None, 1)
    assert (second.parent_id, second.path_ids) == (root, (root, child))
    assert second.path_label == "Invoices & Größen 2026 / 2026"
    assert first.created_at <= second.created_at
    # Slugs are unique under one parent.
    names = ["A B", "a-b", "A.B", "日本", "!!!", "2026"]
    slugs = [get(inst, parser, make(inst, parser, name)).slug for name in names]
    assert slugs == ["a-b", "a-b-2", "a-b-3", "folder", "folder-2", "2026"]
    other = make_parser(inst, "Others")
    assert get(inst, other, make(inst, other, "A B")).slug == "a-b"


def test_folders_are_listed_depth_first(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    other = make_parser(any_inst, "Others")
    b, a = make(any_inst, parser, "b"), make(any_inst, parser, "A")
    a1 = make(any_inst, parser, "one", a)
    make(any_inst, parser, "deep One", a1)
    make(any_inst, parser, "two", b)
    make(any_inst, other, "elsewhere")
    assert shown(any_inst, parser) == ["A", "A / one", "A / one / deep One", "b", "b / two"]
    assert shown(any_inst, parser, flat=False) == ["A", "b"]
    assert shown(any_inst, parser, parent="root") == ["A", "b"]
    assert shown(any_inst, parser, parent="root", flat=True) == shown(any_inst, parser)
    assert shown(any_inst, parser, parent=a) == ["A / one"]
    assert shown(any_inst, parser, parent=a, flat=True) == ["A / one", "A / one / deep One"]
    assert shown(any_inst, parser, q=" ONE") == ["A / one", "A / one / deep One"]
    assert shown(any_inst, parser, q="one", parent="root") == []
    assert shown(any_inst, other) == ["elsewhere"]
    with pytest.raises(NotFound, match="Folder not found"):
        shown(any_inst, parser, parent=other.id)


def test_documents_are_counted_in_a_folder_and_below(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    root = make(any_inst, parser, "a")
    child = make(any_inst, parser, "b", root)
    grandchild = make(any_inst, parser, "c", child)
    make(any_inst, parser, "empty")
    documents = add(any_inst, parser, 6)
    put(any_inst, parser, documents[:1], root)
    put(any_inst, parser, documents[1:3], child)
    put(any_inst, parser, documents[3:5], grandchild)
    found = list_folders(any_inst, parser.team_id, parser.id)
    counts = [(one.name, one.document_count, one.direct_document_count) for one in found]
    assert counts == [("a", 5, 1), ("b", 4, 2), ("c", 2, 2), ("empty", 0, 0)]
    one = get(any_inst, parser, child)
    assert (one.document_count, one.direct_document_count, one.child_folder_count) == (4, 2, 1)


def test_a_name_is_there_once_under_one_parent(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    names = ["Bills", " bills ", "BILLS", "Bills "]
    made = at_once(*[partial(make, any_inst, parser, name) for name in names])
    (bills,) = (one for one in made if isinstance(one, str))
    other = make(any_inst, parser, "Other")
    for taken in names:
        with pytest.raises(Conflict, match=f"Folder already exists: {taken.strip()}"):
            make(any_inst, parser, taken)
        with pytest.raises(Conflict):
            change(any_inst, parser, other, name=taken)
    inner = make(any_inst, parser, " bills ", bills)
    with pytest.raises(Conflict):
        change(any_inst, parser, inner, parent_id=None)
    assert change(any_inst, parser, bills, name="BILLS").name == "BILLS"
    assert shown(any_inst, parser) == ["BILLS", "BILLS / bills", "Other"]


def test_a_folder_can_be_changed(inst: Installation) -> None:
    parser = make_parser(inst)
    a, b = make(inst, parser, "a", color="red"), make(inst, parser, "b")
    moved = change(inst, parser, b, name="New Name", parent_id=a)
    assert (moved.path_label, moved.slug, moved.depth) == ("a / New Name", "new-name", 1)
    assert moved.updated_at > moved.created_at
    assert change(inst, parser, a, color=None).color is None
    assert change(inst, parser, b, color="blue").path_label == "a / New Name"
    assert change(inst, parser, b, parent_id=None).depth == 0
    same = change(inst, parser, b)
    assert same.updated_at == get(inst, parser, b).updated_at
    log = [details["changed"] for _, _, details in audited(inst, action="folder.updated")]
    assert log == [["name", "parentId"], ["color"], ["color"], ["parentId"]]
    assert len(audited(inst, action="folder.created")) == 2


def test_no_folder_gets_into_itself_and_they_are_nested_ten_deep_at_most(inst: Installation) -> None:
    parser = make_parser(inst)
    chain = [make(inst, parser, "0")]
    for level in range(1, 11):
        chain.append(make(inst, parser, str(level), chain[-1]))
    for target in chain[:3]:
        with pytest.raises(Conflict, match="can't be moved into itself"):
            change(inst, parser, chain[0], parent_id=target)
    assert get(inst, parser, chain[-1]).depth == 10
    with pytest.raises(InputError, match="at most 10 deep") as caught:
        make(inst, parser, "11", chain[-1])
    assert caught.value.path == "parentId"
    top = make(inst, parser, "top")
    make(inst, parser, "below", top)
    with pytest.raises(InputError, match="at most 10 deep"):
        change(inst, parser, top, parent_id=chain[9])
    assert change(inst, parser, top, parent_id=chain[8]).depth == 9


def test_what_is_wrong_is_refused(inst: Installation, set_constants: SetConstants) -> None:
    one_rule = {"field": "Total", "condition": "exists"}
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"name": " "}, "name"),
        ({"name": "x" * 256}, "name"),
        ({"name": "a\nb"}, "name"),
        ({"name": "a\ud800b"}, "name"),
        ({"color": ""}, "color"),
        ({"color": "x" * 65}, "color"),
        ({"has_auto_assign": True}, "hasAutoAssign"),
        ({"auto_assignment": True}, "hasAutoAssign"),
        ({"auto_assignment": None, "has_auto_assign": True}, "hasAutoAssign"),
        ({"auto_assignment": False, "has_auto_assign": True}, "hasAutoAssign"),
        ({"auto_assignment": {}}, "autoAssignment"),
        ({"auto_assignment": []}, "autoAssignment"),
        ({"auto_assignment": {**RULES, "match": "one"}}, "autoAssignment.match"),
        ({"auto_assignment": {**RULES, "match": []}}, "autoAssignment.match"),
        ({"auto_assignment": {**RULES, "more": 1}}, "autoAssignment.more"),
        ({"auto_assignment": {"rules": {}}}, "autoAssignment.rules"),
        ({"auto_assignment": {"rules": RULES["rules"] * 21}}, "autoAssignment.rules"),
        ({"auto_assignment": {"rules": [{**one_rule, "field": "No"}]}}, "autoAssignment.rules.0.field"),
        ({"auto_assignment": {"rules": [{**one_rule, "id": "x"}]}}, "autoAssignment.rules.0.id"),
        ({"auto_assignment": {"rules": [], "instructions": " "}}, "autoAssignment"),
        ({"auto_assignment": {"instructions": 5}}, "autoAssignment.instructions"),
        ({"auto_assignment": {"instructions": "x" * 4001}}, "autoAssignment.instructions"),
    ]
    parser = make_parser(inst)
    folder = make(inst, parser, "a")
    before = get(inst, parser, folder)
    for changes, path in wrong:
        new: Any = {"name": "b", **changes}
        for act in (
            partial(change, inst, parser, folder, **changes),
            partial(create_folder, inst, parser.team_id, parser.id, new),
        ):
            with pytest.raises(InputError) as caught:
                act()
            assert caught.value.path == path
    assert (get(inst, parser, folder), shown(inst, parser)) == (before, ["a"])
    make(inst, parser, "b")
    set_constants(max_folders=2)
    with pytest.raises(InputError, match="may have 2 folders"):
        make(inst, parser, "c")


def test_all_forms_of_auto_assignment(inst: Installation) -> None:
    parser = make_parser(inst)

    def state(found: FolderView) -> tuple[bool, Any]:
        rules = found.auto_assignment
        return found.has_auto_assign, rules.as_json(by_id=False) if rules else None

    rule = {"type": "simple", "field": "Total", "condition": "exists", "operator": None, "value": None}
    stored = {"match": "any", "rules": [{**rule, "name": "Total exists"}], "instructions": None}
    words = {"instructions": " Leases only "}
    asked = {"match": "all", "rules": [], "instructions": "Leases only"}
    folder = make(inst, parser, "a", auto_assignment=RULES)
    assert state(get(inst, parser, folder)) == (True, stored)
    for changes, expected in (
        ({"auto_assignment": False}, (False, stored)),
        ({"auto_assignment": RULES}, (False, stored)),
        ({"name": "b"}, (False, stored)),
        ({"auto_assignment": True}, (True, stored)),
        ({"has_auto_assign": False}, (False, stored)),
        ({"has_auto_assign": True}, (True, stored)),
        ({"auto_assignment": None}, (False, None)),
        ({"auto_assignment": words}, (True, asked)),
    ):
        assert state(change(inst, parser, folder, **changes)) == expected, changes
    off = make(inst, parser, "off", auto_assignment=RULES, has_auto_assign=False)
    assert state(get(inst, parser, off)) == (False, stored)
    # Rules follow a renamed field.
    (total,) = (field for field in parser.fields if field.name == "Total")
    set_fields(inst, parser.team_id, parser.id, [total.model_copy(update={"name": "Amount due"})])
    rules = get(inst, parser, off).auto_assignment
    assert rules is not None and rules.as_json(by_id=False)["rules"][0]["field"] == "Amount due"


def test_strangers_see_and_change_nothing(inst: Installation) -> None:
    parser, other = make_parser(inst), make_parser(inst, "Others")
    folder = make(inst, parser, "a")
    stranger = make_team(inst)
    theirs = make_parser(inst, "Theirs", stranger)
    attempts = [
        (stranger, parser.id, "Parser not found"),
        (stranger, theirs.id, "Folder not found"),
        (parser.team_id, other.id, "Folder not found"),
    ]
    for team, parser_id, message in attempts:
        calls: list[Callable[[], Any]] = [
            partial(get_folder, inst, team, parser_id, folder),
            partial(update_folder, inst, team, parser_id, folder, {"name": "x"}),
            partial(delete_folder, inst, team, parser_id, folder),
            partial(create_folder, inst, team, parser_id, {"name": "x", "parent_id": folder}),
            partial(list_folders, inst, team, parser_id, parent=folder),
        ]
        for call in calls:
            with pytest.raises(NotFound, match=message):
                call()
    assert get(inst, parser, folder).name == "a"
    with pytest.raises(NotFound):
        get(inst, parser, "nothing")


def grown(inst: Installation, parser: ParserView) -> tuple[str, list[str]]:
    """Folders a / b and c, with documents in each and outside; gives a and the documents."""
    a = make(inst, parser, "a")
    b = make(inst, parser, "b", a)
    c = make(inst, parser, "c")
    documents = add(inst, parser, 5)
    complete(inst, parser)
    put(inst, parser, documents[:1], a)
    put(inst, parser, documents[1:3], b)
    put(inst, parser, documents[3:4], c)
    return a, documents


def folders_of(inst: Installation, documents: list[str]) -> list[str | None]:
    with inst.catalog.read_session() as session:
        return [row.folder_id for one in documents if (row := session.get(Document, one))]


@pytest.mark.parametrize("batch", [2, 3])
def test_a_folder_is_deleted_without_its_documents(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(folder_deletion, "BATCH", batch)
    parser = make_parser(any_inst)
    a, documents = grown(any_inst, parser)
    gone = delete_folder(any_inst, parser.team_id, parser.id, a)
    assert (gone.id, gone.deleted_folders, gone.moved_documents, gone.deleted_documents) == (a, 2, 3, 0)
    assert shown(any_inst, parser) == ["c"]
    assert [one is None for one in folders_of(any_inst, documents)] == [True, True, True, False, True]
    assert in_warehouse(any_inst) == {f"doc-{i}.txt": "c" if i == 3 else None for i in range(5)}
    with pytest.raises(NotFound):
        delete_folder(any_inst, parser.team_id, parser.id, a)


@pytest.mark.parametrize("batch", [2, 3])
def test_a_folder_is_deleted_with_its_documents(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(folder_deletion, "BATCH", batch)
    parser = make_parser(any_inst)
    a, documents = grown(any_inst, parser)
    gone = delete_folder(any_inst, parser.team_id, parser.id, a, with_documents=True)
    assert (gone.deleted_folders, gone.moved_documents, gone.deleted_documents) == (2, 0, 3)
    assert len(folders_of(any_inst, documents)) == 2
    assert set(in_warehouse(any_inst)) == {"doc-3.txt", "doc-4.txt"}
    with any_inst.catalog.read_session() as session:
        released = session.scalars(select(StoredFile).where(StoredFile.released_at.is_not(None))).all()
    assert (len(released), count(any_inst, Folder)) == (3, 1)
    for action, times in (("document.deleted", 3), ("folder.deleted", 1)):
        assert len(audited(any_inst, action=action)) == times


def test_the_warehouse_follows_folders(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    a, documents = grown(any_inst, parser)
    paths = ["a", "a / b", "a / b", "c", None]
    expected = {f"doc-{i}.txt": path for i, path in enumerate(paths)}
    assert in_warehouse(any_inst) == expected
    change(any_inst, parser, a, name="A")
    renamed = {name: path and path.replace("a", "A") for name, path in expected.items()}
    assert in_warehouse(any_inst) == renamed
    c = list_folders(any_inst, parser.team_id, parser.id, q="c")[0].id
    change(any_inst, parser, a, parent_id=c)
    moved = {name: path and path.replace("A", "c / A") for name, path in renamed.items()}
    assert in_warehouse(any_inst) == moved
    put(any_inst, parser, documents[:1], None)
    after = {**moved, "doc-0.txt": None}
    assert in_warehouse(any_inst) == after
    change(any_inst, parser, a, color="red")
    assert sync_warehouse(any_inst).documents == 0
    rebuild(any_inst)
    assert in_warehouse(any_inst) == after


def test_two_moves_never_make_a_ring_together(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    for number in range(5):
        a, b = make(any_inst, parser, f"a{number}"), make(any_inst, parser, f"b{number}")
        outcomes = at_once(
            partial(change, any_inst, parser, a, parent_id=b),
            partial(change, any_inst, parser, b, parent_id=a),
        )
        assert {type(one) for one in outcomes} == {Conflict, FolderView}
    assert len(shown(any_inst, parser)) == 10


def test_documents_that_come_into_a_folder_while_it_goes(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    team = parser.team_id
    for _ in range(3):
        folder = make(any_inst, parser, "a")
        documents = add(any_inst, parser, 4)
        put(any_inst, parser, documents[:2], folder)
        update = partial(update_documents, any_inst, team, parser.id)
        gone, *others = at_once(
            partial(delete_folder, any_inst, team, parser.id, folder),
            *[partial(put, any_inst, parser, [one], folder) for one in documents],
            *[partial(update, documents[start:], [], {"folder_id": folder}) for start in range(3)],
        )
        outcomes = {type(one) for one in others if isinstance(one, Exception)}
        assert gone.id == folder and outcomes <= {NotFound, Conflict}
        assert folders_of(any_inst, documents) == [None] * 4
        assert shown(any_inst, parser) == []
