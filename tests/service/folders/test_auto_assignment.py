from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.orm import Session

from docduck.catalog.models import Document, Folder
from docduck.errors import DamagedFile
from docduck.service.core.folder_tree import FolderTree, load_tree
from docduck.service.core.installation import Installation
from docduck.service.documents.document_changes import update_document
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.reprocessing import reprocess
from docduck.service.folders import auto_assignment, create_folder, delete_folder, get_folder
from docduck.service.parsers.parsers import ParserChanges, ParserView, update_parser
from docduck.service.processing.results import StoredOutcomes, store_outcomes
from tests.service.core.catalog import query_tables, statements
from tests.service.core.documents import add, complete, make_parser, read_outcomes
from tests.service.search.world import make, read_values


def rule(field: str, operator: str | None, value: Any, condition: str = "extracted_value") -> dict[str, Any]:
    return {"field": field, "condition": condition, "operator": operator, "value": value}


def folder(
    inst: Installation,
    parser: ParserView,
    name: str,
    *rules: dict[str, Any],
    parent: str | None = None,
    **more: Any,
) -> str:
    new: Any = {"name": name, "parent_id": parent}
    if rules:
        new["auto_assignment"] = {"match": more.pop("match", "all"), "rules": list(rules)}
    new.update(more)
    return create_folder(inst, parser.team_id, parser.id, new).id


def filed(inst: Installation, parser: ParserView, **values: Any) -> str | None:
    """The folder of a new document that is read with these values."""
    (document_id,) = add(inst, parser, prefix=f"doc{len(values)}-{sorted(values.items())}")
    complete(inst, parser, **values)
    return where(inst, document_id)


def where(inst: Installation, document_id: str) -> str | None:
    with inst.catalog.read_session() as session:
        return session.get_one(Document, document_id).folder_id


def test_the_first_folder_that_takes_it_in_depth_first_order_wins(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    b = folder(any_inst, parser, "b", rule("Total", ">", 10))
    a = folder(any_inst, parser, "a")
    inner = folder(any_inst, parser, "z inner", rule("Total", ">", 100), parent=a)
    folder(any_inst, parser, "c", rule("Total", ">", 1000))
    assert filed(any_inst, parser, total=5000.0) == inner
    assert filed(any_inst, parser, total=50.0) == b
    assert filed(any_inst, parser, total=5.0) is None
    assert filed(any_inst, parser, total=None) is None
    # All of the rules must hold, or any.
    parser = make_parser(any_inst)
    big, first = rule("Total", ">", 10), rule("Number", "starts_with", "a")
    both = folder(any_inst, parser, "1 both", big, first)
    either = folder(any_inst, parser, "2 either", big, first, match="any")
    assert filed(any_inst, parser, total=50.0, number="A-1") == both
    assert filed(any_inst, parser, total=5.0, number="A-2") == either
    assert filed(any_inst, parser, total=50.0, number="B-1") == either
    assert filed(any_inst, parser, total=5.0, number="B-2") is None


def test_printed_dates_are_read_by_the_parsers_locale(inst: Installation) -> None:
    for order, day in (("month_first", "2024-03-04"), ("auto", "2024-04-03")):
        parser = make(inst)
        changes = ParserChanges(settings={"readingLocale": {"dateOrder": order}})
        update_parser(inst, inst.team_id, parser.id, changes)
        target = folder(inst, parser, "of the day", rule("Date", "equals", "03/04/2024"))
        dated, other = read_values(inst, parser, {"Date": day}, {"Date": "2024-12-12"})
        assert (where(inst, dated), where(inst, other)) == (target, None)


def test_rows_confidence_and_properties_count(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    rows = folder(any_inst, parser, "1 rows", rule("Line Items.Amount", "equals", 3))
    sure = folder(any_inst, parser, "2 sure", rule("Total", "<", 95, "confidence"), rule("Total", "=", 7))
    custom = folder(any_inst, parser, "3 custom", rule("$custom.order.region", "equals", "EU"))
    named = folder(any_inst, parser, "4 named", rule("$name", "matches_regex", r"^scan.*\.txt$"))
    assert filed(any_inst, parser, rows=4) == rows
    assert filed(any_inst, parser, total=7.0) == sure
    (scan,) = add(any_inst, parser, prefix="Scan")
    (european,) = add(any_inst, parser, prefix="european")
    changes: Any = {"custom": {"order": {"region": "eu"}}}
    update_document(any_inst, parser.team_id, parser.id, european, changes)
    complete(any_inst, parser)
    assert (where(any_inst, scan), where(any_inst, european)) == (named, custom)


def test_it_is_told_in_the_history_and_in_the_warehouse(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    outer = folder(any_inst, parser, "Bills")
    inner = folder(any_inst, parser, "2026", rule("Total", None, None, "exists"), parent=outer)
    (document_id,) = add(any_inst, parser)
    complete(any_inst, parser)
    assert get_folder(any_inst, parser.team_id, parser.id, inner).document_count == 1
    last = get_document(any_inst, any_inst.team_id, document_id).history[-1]
    assert (last.event, last.from_status, last.to_status) == ("filed", "processed", "processed")
    assert (last.reason, last.actor) == ("into Bills / 2026", "auto-assignment")
    assert query_tables(any_inst, "SELECT folder FROM invoices.documents") == [("Bills / 2026",)]


def test_what_is_in_a_folder_or_was_not_read_stays(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    mine = folder(any_inst, parser, "mine")
    rules = folder(any_inst, parser, "rules", rule("$name", "contains", "doc"))
    chosen, failed = add(any_inst, parser, 2)
    update_document(any_inst, parser.team_id, parser.id, chosen, {"folder_id": mine})
    readings = {one.claim.document_id: one for one in read_outcomes(any_inst, parser)}
    broken = replace(readings[failed], extraction=None, error=DamagedFile())
    store_outcomes(any_inst, [readings[chosen], broken], "me")
    assert (where(any_inst, chosen), where(any_inst, failed)) == (mine, None)
    reprocess(any_inst, any_inst.team_id, [chosen, failed])
    complete(any_inst, parser)
    assert (where(any_inst, chosen), where(any_inst, failed)) == (mine, rules)


def test_rules_that_are_off_only_in_words_or_broken_assign_nothing(inst: Installation) -> None:
    parser = make_parser(inst)
    folder(inst, parser, "off", rule("$name", "contains", "doc"), has_auto_assign=False)
    folder(inst, parser, "words", auto_assignment={"instructions": "All bills"})
    other = make_parser(inst, "Others")
    folder(inst, other, "elsewhere", rule("$name", "contains", "doc"))
    assert filed(inst, parser) is None
    broken = folder(inst, parser, "a", rule("Total", ">", 10))
    good = folder(inst, parser, "b", rule("Total", ">", 10))
    for stored in (
        {},
        {"match": "all", "rules": [{"condition": "no"}], "instructions": None},
        {"match": "all", "rules": [5]},
    ):
        with inst.catalog.transaction() as session:
            session.get_one(Folder, broken).auto_assignment = stored
        assert filed(inst, parser, total=11.0 + len(stored)) == good


def test_a_parser_without_rules_costs_one_read_per_batch(inst: Installation) -> None:
    parser = make_parser(inst)
    folder(inst, parser, "no rules")
    add(inst, parser, 5)
    with statements(inst) as seen:
        complete(inst, parser)
    assert len([one for one in seen if " folders" in one and one.startswith("SELECT")]) == 1


def test_a_folder_that_goes_meanwhile_is_left_out(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(any_inst)
    gone = folder(any_inst, parser, "a", rule("Total", ">", 10))
    (document_id,) = add(any_inst, parser)
    readings = read_outcomes(any_inst, parser)

    def stale(session: Session, parser_id: str) -> FolderTree:
        tree = load_tree(session, parser_id)
        delete_folder(any_inst, parser.team_id, parser.id, gone)
        return tree

    with monkeypatch.context() as patched:
        patched.setattr(auto_assignment, "load_tree", stale)
        assert store_outcomes(any_inst, readings, "me") == StoredOutcomes([], readings)
    assert store_outcomes(any_inst, readings, "me") == StoredOutcomes(readings, [])
    assert where(any_inst, document_id) is None


def test_duplicates_of_one_batch_are_found(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    doubles = folder(any_inst, parser, "doubles", rule("Number", None, None, "is_duplicate"))
    documents = add(any_inst, parser, 2)
    complete(any_inst, parser, number="A-1")
    assert [where(any_inst, one) for one in documents] == [doubles, doubles]
    assert filed(any_inst, parser, number="A-2") is None
