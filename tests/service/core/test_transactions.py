"""What takes time happens before a transaction of the catalog, never inside one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from sqlalchemy import update as sql_update
from sqlalchemy.orm import Session

from docduck import regex
from docduck.api.response.responses import response_for
from docduck.catalog.database import Catalog
from docduck.catalog.models import Parser, SearchEntry
from docduck.errors import Transient
from docduck.service.conditions import evaluation, work_limits
from docduck.service.conditions.work_limits import RULE_SECONDS
from docduck.service.core import transactions
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write
from docduck.service.corrections import marked_values
from docduck.service.corrections.corrections import set_values
from docduck.service.documents import value_checks
from docduck.service.documents.bin.binning import bin_documents
from docduck.service.documents.bin.restoring import restore_documents
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.document_changes import update_document, update_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.finding import find_documents
from docduck.service.documents.reprocessing import reprocess
from docduck.service.folders import create_folder, delete_folder
from docduck.service.processing.results import StoredOutcomes, store_outcomes
from docduck.service.search import index, maintenance, reindexing
from docduck.service.search.query import DocumentQuery
from tests.service.core.documents import add, complete, make_parser, read_document, read_outcomes
from tests.service.folders.test_auto_assignment import folder, rule, where

_LONG = 30
_FEW = 20
_MANY = 250
_LARGE = 10_000
"""Characters of JSON that take time."""


@pytest.fixture
def slow_parts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The parts that take time and were called inside a transaction."""
    inside = threading.local()
    found: list[str] = []
    transaction = Catalog.transaction

    @contextmanager
    def noted(catalog: Catalog, *, durable: bool = False) -> Iterator[Session]:
        with transaction(catalog, durable=durable) as session:
            inside.here = True
            try:
                yield session
            finally:
                inside.here = False

    def watch(module: Any, name: str, is_slow: Callable[[Any], bool] = lambda _result: True) -> None:
        original = getattr(module, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if getattr(inside, "here", False) and is_slow(result):
                found.append(name)
            return result

        monkeypatch.setattr(module, name, watched)

    monkeypatch.setattr(Catalog, "transaction", noted)
    watch(regex, "matches")
    watch(evaluation, "holds")
    watch(index, "value_entries")
    watch(index, "values_text")
    watch(index, "custom_entries", lambda entries: len(entries) > _FEW)
    watch(index, "property_entries", lambda entries: len(entries) > _FEW)
    watch(msgspec.json, "encode", lambda text: len(text) > _LARGE)
    watch(msgspec.json, "decode", lambda value: len(str(value)) > _LARGE)
    return found


def test_nothing_slow_is_done_inside_a_transaction(inst: Installation, slow_parts: list[str]) -> None:
    team, parser = inst.team_id, make_parser(inst)
    bills = folder(inst, parser, "bills", rule("Number", "matches_regex", "^A"))
    first, second, third = add(inst, parser, 3)
    complete(inst, parser, rows=_MANY)
    assert [where(inst, one) for one in (first, second, third)] == [bills] * 3
    rows = [{"Description": f"new {number}"} for number in range(_MANY)]
    set_values(inst, team, parser.id, first, {"Line Items": rows})
    set_values(inst, team, parser.id, first, {"Line Items": rows[:-50]}, replace=True)
    custom = {"numbers": list(range(500))}
    update_documents(inst, team, parser.id, [first, second], [], {"custom": custom})
    update_document(inst, team, parser.id, first, {"name": "renamed", "custom": {"a": 1}})
    reprocess(inst, team, [first])
    complete(inst, parser, rows=_MANY)
    with inst.catalog.transaction() as session:
        session.execute(sql_update(SearchEntry).values(shape_id=0))
    assert maintenance.index_stale_documents(inst) == 3
    bin_documents(inst, team, [first, second], "user")
    restore_documents(inst, team, [first, second], "user")
    delete_documents(inst, team, [second])
    delete_folder(inst, team, parser.id, bills, with_documents=True)
    assert find_documents(inst, team, parser.id, DocumentQuery()).total == 0
    assert slow_parts == []
    with inst.catalog.transaction() as session:
        large = {"custom": {"text": "x" * _LARGE}}
        session.execute(sql_update(Parser).where(Parser.id == parser.id).values(settings=large))
    assert slow_parts == ["encode"], "it would have been noticed"


def test_others_write_while_rules_are_evaluated(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser, others = make_parser(any_inst), make_parser(any_inst, "Others")
    named = folder(any_inst, parser, "named", rule("$name", "matches_regex", "^new"))
    (document_id,) = add(any_inst, parser)
    readings = read_outcomes(any_inst, parser)
    matches, events = regex.matches, list[str]()

    def write() -> None:
        add(any_inst, others)
        update_document(any_inst, parser.team_id, parser.id, document_id, {"name": "new name.txt"})
        events.append("written")

    def slow(pattern: str, text: str, work: int) -> bool:
        if not events:
            writer = threading.Thread(target=write, daemon=True)
            writer.start()
            writer.join(_LONG)
            events.append("evaluated")
        return matches(pattern, text, work)

    monkeypatch.setattr(regex, "matches", slow)
    assert store_outcomes(any_inst, readings, "me") == StoredOutcomes([], readings), (
        "the name has changed since"
    )
    assert events == ["written", "evaluated"]
    assert store_outcomes(any_inst, readings, "me") == StoredOutcomes(readings, [])
    assert where(any_inst, document_id) == named


def test_a_value_that_another_run_writes_meanwhile_is_found(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(any_inst)
    doubles = folder(any_inst, parser, "doubles", rule("Number", None, None, "is_duplicate"))
    one, other = add(any_inst, parser, 2)
    first, second = read_outcomes(any_inst, parser)
    known_values, calls = index.known_values, list[int]()

    def meanwhile(session: Session, ids: Any) -> Any:
        calls.append(len(ids))
        if len(calls) == 1:
            assert store_outcomes(any_inst, [first], "me").stored == [first]
        return known_values(session, ids)

    monkeypatch.setattr(index, "known_values", meanwhile)
    assert store_outcomes(any_inst, [second], "me") == StoredOutcomes([], [second])
    assert store_outcomes(any_inst, [second], "me") == StoredOutcomes([second], [])
    assert [where(any_inst, one), where(any_inst, other)] == [None, doubles]


def test_rules_that_take_too_long_put_a_document_in_no_folder(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(inst)
    folder(inst, parser, "slow", rule("Line Items.Description", "matches_regex", "^x"))
    documents = add(inst, parser, 3)
    readings = read_outcomes(inst, parser, rows=10)
    now, seen = [0.0], list[str]()

    def slow(_pattern: str, text: str, _work: int) -> bool:
        seen.append(text)
        now[0] += RULE_SECONDS / 2
        return False

    ticking = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr(work_limits, "time", ticking)
    monkeypatch.setattr("docduck.service.folders.auto_assignment.time", ticking)
    monkeypatch.setattr(regex, "matches", slow)
    finished = store_outcomes(inst, readings, "me")
    assert (finished.stored, finished.retry) == (readings[:1], readings[1:]), "others have their turn first"
    assert len(seen) == 3
    ((claim_, seconds),) = finished.rule_seconds
    assert (claim_, seconds) == (readings[0].claim, now[0])
    while finished.retry:
        finished = store_outcomes(inst, finished.retry, "me")
    for document_id in documents:
        view = get_document(inst, inst.team_id, document_id)
        assert (view.status, view.folder_id) == ("processed", None)
        assert view.warnings == [
            "The rules of its parser's folders took too long, so it was put in no folder"
        ]


def test_two_corrections_at_once_lose_nothing(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser, document_id = read_document(any_inst)
    check_values, tries = value_checks.check_values, list[Any]()

    def interrupted(fields: Any, given: Any) -> Any:
        tries.append(given)
        if len(tries) == 1:
            set_values(any_inst, parser.team_id, parser.id, document_id, {"Total": 99})
        return check_values(fields, given)

    monkeypatch.setattr(marked_values, "check_values", interrupted)
    found = set_values(any_inst, parser.team_id, parser.id, document_id, {"Number": "B-7"})
    assert tries == [{"Number": "B-7"}, {"Total": 99}, {"Number": "B-7"}]
    assert (found.data["Number"], found.data["Total"]) == ("B-7", 99)
    for name, value, total in (("Number", "B-7", 1), ("Total", 99, 1), ("Number", "A-1", 0)):
        asked = DocumentQuery(filters=[{"field": name, "operator": "equals", "value": value}], in_values=True)
        assert find_documents(any_inst, any_inst.team_id, parser.id, asked).total == total


def test_a_folder_that_fills_while_it_is_deleted_goes_with_all(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(any_inst)
    old = create_folder(any_inst, parser.team_id, parser.id, {"name": "old"}).id
    documents = add(any_inst, parser, 2)
    complete(any_inst, parser)
    update_document(any_inst, parser.team_id, parser.id, documents[0], {"folder_id": old})
    known_documents, calls = reindexing.known_documents, list[int]()

    def late(session: Session, ids: Any) -> Any:
        found = known_documents(session, ids)
        if not calls:
            update_document(any_inst, parser.team_id, parser.id, documents[1], {"folder_id": old})
        calls.append(len(ids))
        return found

    monkeypatch.setattr(reindexing, "known_documents", late)
    done = delete_folder(any_inst, parser.team_id, parser.id, old, with_documents=True)
    assert (done.deleted_documents, calls) == (2, [1, 1])


def test_outdated_preparations_are_tried_again_after_pauses(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    tries = iter(range(20))

    def write(session: Session, prepared: int) -> int:
        if prepared < 12:
            raise OutdatedPreparation
        return prepared

    assert prepare_and_write(inst, lambda session: next(tries), write) == 12
    assert len(pauses) == 12
    assert all(0 <= one <= 0.5 for one in pauses)
    # Who never succeeds is told to come again.
    monkeypatch.setattr(transactions, "_SECONDS", 0.0)
    with pytest.raises(Transient, match="Too many others change this") as caught:
        prepare_and_write(inst, lambda session: 0, write)
    answer = response_for(caught.value)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
