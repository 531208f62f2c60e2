from __future__ import annotations

import hashlib

import pytest

from docduck.catalog.models import ClassifierExample, DocumentResult, SearchValue, StoredFile
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.classifiers.classifiers import ClassifierView, update_classifier
from docduck.service.classifiers.examples import MOST_CHARACTERS, add_texts, examples_of
from docduck.service.classifiers.manual_routing import route_document
from docduck.service.classifiers.routed_documents import ClassifiedDocumentView
from docduck.service.core.installation import Installation
from docduck.service.documents.deletion import delete_documents
from docduck.service.documents.queries.document_views import get_document
from docduck.service.documents.queries.listing import list_documents
from docduck.service.outputs.warehouse_sync import sync_warehouse
from docduck.service.parsers.parsers import ParserChanges, ParserView, update_parser
from tests.constants import SetConstants
from tests.service.classifiers.classifiers_world import make_classifier, mark_routed, unrouted
from tests.service.core.catalog import audited, count
from tests.service.core.documents import complete, correct, make_parser, set_document, upload


def route(
    inst: Installation, classifier: ClassifierView, document_id: str, target: str
) -> ClassifiedDocumentView:
    return route_document(inst, inst.team_id, classifier.id, document_id, target, "tester")


def ended(inst: Installation, document_id: str, status: str) -> None:
    """The classifier skipped the document, or could not route it."""
    set_document(inst, document_id, status=status, routing_status=status)


def rows_in_warehouse(inst: Installation, parser: ParserView) -> int:
    sync_warehouse(inst)
    return inst.warehouse.counts(published=False).get(parser.slug, {}).get("documents", 0)


def found(inst: Installation, parser: ParserView, q: str) -> list[str]:
    return [row.id for row in list_documents(inst, inst.team_id, parser.id, q=q).rows]


def examples(inst: Installation, classifier: ClassifierView) -> dict[str, list[str]]:
    """The texts of examples by label."""
    with inst.catalog.read_session() as session:
        by_rule = examples_of(session, classifier.id)
    return {rule.label: by_rule[rule.id] for rule in classifier.rules if rule.id in by_rule}


def test_a_routed_document_moves_with_nothing_of_its_old_parser(any_inst: Installation) -> None:
    made, (a, b) = make_classifier(any_inst, "A", "B")
    update_parser(
        any_inst, any_inst.team_id, a.id, ParserChanges(settings={"markdownParsing": {"enabled": True}})
    )
    (document_id,) = unrouted(any_inst, made, "a.txt")
    mark_routed(any_inst, document_id, a, "A")
    complete(any_inst, a, number="N-17", text=b"# Words of it")
    correct(any_inst, any_inst.team_id, document_id, {"Number": "N-18"})
    assert rows_in_warehouse(any_inst, a) == 1
    rival = upload(any_inst, any_inst.team_id, b.id, b"r", "r.txt", external_id="a.txt")

    moved = route(any_inst, made, document_id, b.id)
    assert (moved.status, moved.parser_id, moved.external_id) == ("queued", b.id, "a.txt-2")
    assert (moved.routing.status, moved.routing.category, moved.routing.confidence) == ("routed", "B", 1.0)
    assert (moved.routing.target_parser_id, moved.routing.target_parser_name) == (b.id, "B")
    assert found(any_inst, a, "a.txt") == [] and document_id in found(any_inst, b, "a.txt-2")
    assert list_documents(any_inst, any_inst.team_id, a.id).total == 0
    with any_inst.catalog.read_session() as session:
        assert session.get(DocumentResult, document_id) is None
        stored = session.get_one(StoredFile, hashlib.sha256(b"# Words of it").hexdigest())
        assert stored.refs == 0 and stored.released_at is not None
    event = get_document(any_inst, any_inst.team_id, document_id).history[-1]
    assert (event.to_status, event.reason, event.actor) == ("queued", "routed to B", "tester")
    ((*_, details),) = audited(any_inst, action="document.routed")
    assert details["before"]["parserId"] == a.id and details["after"] == {"parserId": b.id}
    assert rows_in_warehouse(any_inst, a) == 0
    assert examples(any_inst, made) == {"B": ["# Words of it"]}

    complete(any_inst, b, number="B-1")
    whole = get_document(any_inst, any_inst.team_id, document_id)
    assert (whole.parser_id, whole.data["Number"]) == (b.id, "B-1")
    assert rows_in_warehouse(any_inst, b) == 2 and rows_in_warehouse(any_inst, a) == 0
    assert {rival, document_id} == set(found(any_inst, b, "txt"))


def test_the_old_parser_s_rows_and_entries_go_even_if_the_new_one_is_written_first(
    any_inst: Installation,
) -> None:
    made, (a, b) = make_classifier(any_inst, "A", "B")
    (document_id,) = unrouted(any_inst, made, "a.txt")
    mark_routed(any_inst, document_id, a, "A")
    complete(any_inst, a)
    assert rows_in_warehouse(any_inst, a) == 1
    route(any_inst, made, document_id, b.id)
    complete(any_inst, b)
    sync_warehouse(any_inst, [b.id])
    assert rows_in_warehouse(any_inst, a) == 0 and rows_in_warehouse(any_inst, b) == 1
    delete_documents(any_inst, any_inst.team_id, [document_id])
    assert count(any_inst, SearchValue) == 0


def test_an_unrouted_document_moves_and_is_found_by_its_new_parser(any_inst: Installation) -> None:
    made, (a,) = make_classifier(any_inst, "A")
    ids = unrouted(any_inst, made, "a.txt", "b.txt")
    for document_id, status, name in zip(ids, ("skipped", "failed"), ("a.txt", "b.txt"), strict=True):
        ended(any_inst, document_id, status)
        moved = route(any_inst, made, document_id, a.id)
        assert (moved.status, moved.external_id, moved.error) == ("queued", name, None)
        assert found(any_inst, a, name) == [document_id]
    assert examples(any_inst, made) == {}
    with any_inst.catalog.transaction() as session:
        add_texts(session, [(ids[0], "x" * (MOST_CHARACTERS + 1) + "\0")])
    assert examples(any_inst, made) == {"A": ["x" * MOST_CHARACTERS]}
    complete(any_inst, a)
    assert found(any_inst, a, "a.txt") == [ids[0]]


def test_what_waits_or_belongs_elsewhere_is_not_moved(any_inst: Installation) -> None:
    made, (a, _) = make_classifier(any_inst, "A", "B")
    stranger = make_parser(any_inst, "Stranger")
    waiting, skipped = unrouted(any_inst, made, "a.txt", "b.txt")
    ended(any_inst, skipped, "skipped")
    with pytest.raises(Conflict, match="Document is already being processed"):
        route(any_inst, made, waiting, a.id)
    with pytest.raises(InputError, match=r"has no rule or fallback with the parser 'Stranger'") as caught:
        route(any_inst, made, skipped, stranger.id)
    assert caught.value.path == "targetParserId"
    other, _ = make_classifier(any_inst, "C", name="Other")
    for classifier, document_id, target in (
        (made, new_id(), a.id),
        (other, skipped, a.id),
        (made, skipped, new_id()),
        (made.model_copy(update={"id": new_id()}), skipped, a.id),
    ):
        with pytest.raises(NotFound):
            route(any_inst, classifier, document_id, target)
    assert count(any_inst, ClassifierExample) == 0
    assert [one.id for one in list_documents(any_inst, any_inst.team_id, a.id).rows] == []


def test_only_the_newest_examples_of_a_label_are_kept(
    any_inst: Installation, set_constants: SetConstants
) -> None:
    set_constants(classifier_examples_per_label=2)
    made, (a, b) = make_classifier(any_inst, "A", "B")
    ids = unrouted(any_inst, made, "1", "2", "3")
    for document_id in ids:
        ended(any_inst, document_id, "skipped")
        route(any_inst, made, document_id, a.id)
        with any_inst.catalog.transaction() as session:
            add_texts(session, [(document_id, document_id)])
    assert examples(any_inst, made) == {"A": [ids[2], ids[1]]}
    complete(any_inst, a)
    route(any_inst, made, ids[2], b.id)
    assert examples(any_inst, made) == {"A": [ids[1]], "B": [ids[2]]}
    delete_documents(any_inst, any_inst.team_id, [ids[1]])
    assert examples(any_inst, made) == {"B": [ids[2]]}
    rules = [{"label": "A", "targetParserId": a.id}]
    changed = {"routing": {"rules": rules}}
    update_classifier(any_inst, any_inst.team_id, made.id, changed)
    with any_inst.catalog.read_session() as session:
        assert examples_of(session, made.id) == {}


def test_a_right_document_is_remembered_where_it_is_unless_its_parser_has_two_labels_or_none(
    inst: Installation,
) -> None:
    other = make_parser(inst, "Others")
    made, (a,) = make_classifier(
        inst, "A", routing={"fallback": {"action": "route", "targetParserId": other.id}}
    )
    (document_id,) = unrouted(inst, made, "a.txt")
    mark_routed(inst, document_id, a, "A")
    complete(inst, a)
    stayed = route(inst, made, document_id, a.id)
    assert (stayed.status, stayed.routing.confidence) == ("processed", 0.9)
    assert count(inst, ClassifierExample) == 1
    rules = [{"label": label, "targetParserId": a.id} for label in ("B", "BB")]
    update_classifier(inst, inst.team_id, made.id, {"routing": {"rules": rules}})
    first, second = unrouted(inst, made, "1", "2")
    for document_id, target, category in ((first, a, None), (second, other, "fallback")):
        ended(inst, document_id, "failed")
        assert route(inst, made, document_id, target.id).routing.category == category
    assert count(inst, ClassifierExample) == 0
