from __future__ import annotations

import threading
from typing import Any

import pytest
from sqlalchemy import func, select

from docduck.catalog.models import AuditEntry, Document, Folder, StoredFile
from docduck.errors import Conflict, DocduckError, InputError, NotFound
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
from docduck.service.outputs.warehouse_sync import publish, rebuild, sync_warehouse
from docduck.service.parsers.parsers import ParserView, set_fields
from tests.conftest import MakeInstallation
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
    sync_warehouse(inst)
    publish(inst, force=True)
    return {
        row[0]: row[1] for row in inst.warehouse.query("SELECT name, folder FROM invoices.documents").rows
    }


def test_a_folder_is_made_and_shown(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    root = make(any_inst, parser, "  Invoices & Größen 2026 ", color=" #ff0000 ")
    child = make(any_inst, parser, "2026", root)
    first, second = get(any_inst, parser, root.upper()), get(any_inst, parser, child)
    assert (first.name, first.slug, first.color) == (
        "Invoices & Größen 2026",
        "invoices-and-grossen-2026",
        "#ff0000",
    )
    assert (first.parent_id, first.depth, first.child_folder_count) == (None, 0, 1)
    assert (first.path_ids, first.path_names) == ((root,), ("Invoices & Größen 2026",))
    assert (first.has_auto_assign, first.auto_assignment) == (False, None)
    assert (second.name, second.slug, second.color, second.depth) == ("2026", "2026", None, 1)
    assert (second.parent_id, second.path_ids) == (root, (root, child))
    assert second.path_label == "Invoices & Größen 2026 / 2026"
    assert first.created_at <= second.created_at


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


@pytest.mark.parametrize("taken", ["Bills", " bills ", "BILLS"])
def test_a_name_is_there_once_under_one_parent(any_inst: Installation, taken: str) -> None:
    parser = make_parser(any_inst)
    bills = make(any_inst, parser, "Bills")
    other = make(any_inst, parser, "Other")
    with pytest.raises(Conflict, match=f"Folder already exists: {taken.strip()}"):
        make(any_inst, parser, taken)
    with pytest.raises(Conflict):
        change(any_inst, parser, other, name=taken)
    inner = make(any_inst, parser, taken, bills)
    with pytest.raises(Conflict):
        change(any_inst, parser, inner, parent_id=None)
    assert shown(any_inst, parser) == ["Bills", f"Bills / {taken.strip()}", "Other"]
    assert change(any_inst, parser, bills, name="BILLS").name == "BILLS"


def test_slugs_are_unique_under_one_parent(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    names = ["A B", "a-b", "A.B", "日本", "!!!", "2026"]
    slugs = [get(any_inst, parser, make(any_inst, parser, name)).slug for name in names]
    assert slugs == ["a-b", "a-b-2", "a-b-3", "folder", "folder-2", "2026"]
    other = make_parser(any_inst, "Others")
    assert get(any_inst, other, make(any_inst, other, "A B")).slug == "a-b"


def test_a_folder_can_be_changed(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    a = make(any_inst, parser, "a", color="red")
    b = make(any_inst, parser, "b")
    moved = change(any_inst, parser, b, name="New Name", parent_id=a)
    assert (moved.path_label, moved.slug, moved.depth) == ("a / New Name", "new-name", 1)
    assert moved.updated_at > moved.created_at
    assert change(any_inst, parser, a, color=None).color is None
    assert change(any_inst, parser, b, color="blue").path_label == "a / New Name"
    assert change(any_inst, parser, b, parent_id=None).depth == 0
    same = change(any_inst, parser, b)
    assert same.updated_at == get(any_inst, parser, b).updated_at
    with any_inst.catalog.read_session() as session:
        log = session.execute(select(AuditEntry.action, AuditEntry.details).order_by(AuditEntry.at)).all()
    assert [action for action, _ in log].count("folder.created") == 2
    assert [details["changed"] for action, details in log if action == "folder.updated" and details] == [
        ["name", "parentId"],
        ["color"],
        ["color"],
        ["parentId"],
    ]


def test_no_folder_gets_into_itself(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    a = make(any_inst, parser, "a")
    b = make(any_inst, parser, "b", a)
    c = make(any_inst, parser, "c", b)
    for target in (a, b, c):
        with pytest.raises(Conflict, match="can't be moved into itself"):
            change(any_inst, parser, a, parent_id=target)
    assert shown(any_inst, parser) == ["a", "a / b", "a / b / c"]


def test_folders_are_nested_ten_deep_at_most(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    chain = [make(any_inst, parser, "0")]
    for level in range(1, 11):
        chain.append(make(any_inst, parser, str(level), chain[-1]))
    assert get(any_inst, parser, chain[-1]).depth == 10
    with pytest.raises(InputError, match="at most 10 deep") as caught:
        make(any_inst, parser, "11", chain[-1])
    assert caught.value.path == "parentId"
    top = make(any_inst, parser, "top")
    make(any_inst, parser, "below", top)
    with pytest.raises(InputError, match="at most 10 deep"):
        change(any_inst, parser, top, parent_id=chain[9])
    assert change(any_inst, parser, top, parent_id=chain[8]).depth == 9


@pytest.mark.parametrize(
    ("changes", "path"),
    [
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
        (
            {"auto_assignment": {"rules": [{"field": "No", "condition": "exists"}]}},
            "autoAssignment.rules.0.field",
        ),
        ({"auto_assignment": {"rules": [{**RULES["rules"][0], "id": "x"}]}}, "autoAssignment.rules.0.id"),
        ({"auto_assignment": {"rules": [], "instructions": " "}}, "autoAssignment"),
        ({"auto_assignment": {"instructions": 5}}, "autoAssignment.instructions"),
        ({"auto_assignment": {"instructions": "x" * 4001}}, "autoAssignment.instructions"),
    ],
)
def test_what_is_wrong_is_refused(inst: Installation, changes: dict[str, Any], path: str) -> None:
    parser = make_parser(inst)
    folder = make(inst, parser, "a")
    before = get(inst, parser, folder)
    with pytest.raises(InputError) as caught:
        change(inst, parser, folder, **changes)
    assert caught.value.path == path
    new: Any = {"name": "b", **changes}
    with pytest.raises(InputError) as caught:
        create_folder(inst, parser.team_id, parser.id, new)
    assert caught.value.path == path
    assert get(inst, parser, folder) == before
    assert shown(inst, parser) == ["a"]


def test_all_forms_of_auto_assignment(any_inst: Installation) -> None:
    parser = make_parser(any_inst)

    def state(found: FolderView) -> tuple[bool, Any]:
        rules = found.auto_assignment
        return found.has_auto_assign, rules.as_json(by_id=False) if rules else None

    stored = {
        "match": "any",
        "rules": [
            {
                "type": "simple",
                "field": "Total",
                "condition": "exists",
                "operator": None,
                "value": None,
                "name": "Total exists",
            }
        ],
        "instructions": None,
    }
    folder = make(any_inst, parser, "a", auto_assignment=RULES)
    assert state(get(any_inst, parser, folder)) == (True, stored)
    assert state(change(any_inst, parser, folder, auto_assignment=False)) == (False, stored)
    assert state(change(any_inst, parser, folder, auto_assignment=RULES)) == (False, stored)
    assert state(change(any_inst, parser, folder, name="b")) == (False, stored)
    assert state(change(any_inst, parser, folder, auto_assignment=True)) == (True, stored)
    assert state(change(any_inst, parser, folder, has_auto_assign=False)) == (False, stored)
    assert state(change(any_inst, parser, folder, has_auto_assign=True)) == (True, stored)
    assert state(change(any_inst, parser, folder, auto_assignment=None)) == (False, None)
    words = {"instructions": " Leases only "}
    asked = {"match": "all", "rules": [], "instructions": "Leases only"}
    assert state(change(any_inst, parser, folder, auto_assignment=words)) == (True, asked)
    off = make(any_inst, parser, "off", auto_assignment=RULES, has_auto_assign=False)
    assert state(get(any_inst, parser, off)) == (False, stored)


def test_rules_follow_a_renamed_field(inst: Installation) -> None:
    parser = make_parser(inst)
    folder = make(inst, parser, "a", auto_assignment=RULES)
    by_name = {field.name: field for field in parser.fields}
    total = by_name["Total"].model_copy(update={"name": "Amount due"})
    set_fields(inst, parser.team_id, parser.id, [total])
    rules = get(inst, parser, folder).auto_assignment
    assert rules is not None and rules.as_json(by_id=False)["rules"][0]["field"] == "Amount due"


def test_strangers_see_and_change_nothing(any_inst: Installation) -> None:
    parser, other = make_parser(any_inst), make_parser(any_inst, "Others")
    folder = make(any_inst, parser, "a")
    stranger = make_team(any_inst)
    theirs = make_parser(any_inst, "Theirs", stranger)
    attempts = [
        (stranger, parser.id, "Parser not found"),
        (stranger, theirs.id, "Folder not found"),
        (parser.team_id, other.id, "Folder not found"),
    ]
    for team, parser_id, message in attempts:
        with pytest.raises(NotFound, match=message):
            get_folder(any_inst, team, parser_id, folder)
        with pytest.raises(NotFound, match=message):
            update_folder(any_inst, team, parser_id, folder, {"name": "x"})
        with pytest.raises(NotFound, match=message):
            delete_folder(any_inst, team, parser_id, folder)
        with pytest.raises(NotFound, match=message):
            create_folder(any_inst, team, parser_id, {"name": "x", "parent_id": folder})
        with pytest.raises(NotFound, match=message):
            list_folders(any_inst, team, parser_id, parent=folder)
    assert get(any_inst, parser, folder).name == "a"
    with pytest.raises(NotFound):
        get(any_inst, parser, "nothing")


def test_a_parser_has_so_many_folders_only(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_folders=2)
    parser = make_parser(inst)
    make(inst, parser, "a"), make(inst, parser, "b")
    with pytest.raises(InputError, match="may have 2 folders"):
        make(inst, parser, "c")


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


@pytest.mark.parametrize("batch", [1, 2, 3, 2000])
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


@pytest.mark.parametrize("batch", [1, 2, 3, 2000])
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
        released = session.scalar(
            select(func.count()).select_from(StoredFile).where(StoredFile.released_at.is_not(None))
        )
        left = session.scalar(select(func.count()).select_from(Folder))
        log = session.scalars(select(AuditEntry.action)).all()
    assert (released, left) == (3, 1)
    assert (log.count("document.deleted"), log.count("folder.deleted")) == (3, 1)


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


def together(*calls: Any) -> list[str]:
    """Do all at once, and give what came of each: ``done`` or the error's name."""
    barrier = threading.Barrier(len(calls))
    outcomes: list[str] = []

    def run(call: Any) -> None:
        barrier.wait()
        try:
            call()
            outcomes.append("done")
        except DocduckError as error:
            outcomes.append(type(error).__name__)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes)


def test_the_same_folder_made_twice_at_once_is_there_once(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    names = ["Bills", "bills", "BILLS", "Bills "]
    calls = [lambda name=name: make(any_inst, parser, name) for name in names]
    assert together(*calls) == ["Conflict", "Conflict", "Conflict", "done"]
    assert len(shown(any_inst, parser)) == 1


def test_two_moves_never_make_a_ring_together(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    for number in range(5):
        a, b = make(any_inst, parser, f"a{number}"), make(any_inst, parser, f"b{number}")
        outcomes = together(
            lambda a=a, b=b: change(any_inst, parser, a, parent_id=b),
            lambda a=a, b=b: change(any_inst, parser, b, parent_id=a),
        )
        assert outcomes == ["Conflict", "done"]
    assert len(shown(any_inst, parser)) == 10


def test_documents_that_come_into_a_folder_while_it_goes(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    for _ in range(5):
        folder = make(any_inst, parser, "a")
        documents = add(any_inst, parser, 4)
        put(any_inst, parser, documents[:2], folder)
        singly = [lambda one=one, to=folder: put(any_inst, parser, [one], to) for one in documents]
        at_once = [
            lambda some=documents[start:], to=folder: update_documents(
                any_inst, parser.team_id, parser.id, some, [], {"folder_id": to}
            )
            for start in range(3)
        ]
        outcomes = together(
            lambda gone=folder: delete_folder(any_inst, parser.team_id, parser.id, gone), *singly, *at_once
        )
        assert "done" in outcomes and set(outcomes) <= {"done", "NotFound", "Conflict"}
        assert folders_of(any_inst, documents) == [None] * 4
        assert shown(any_inst, parser) == []
