from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from docduck.errors import InputError, NotFound
from docduck.ids import new_id
from docduck.service.classifiers.classifiers import delete_classifier
from docduck.service.classifiers.routed_documents import (
    RoutedDocumentQuery,
    list_routed_documents,
    routed_documents,
)
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import delete_parser
from tests.service.classifiers.classifiers_world import make_classifier, mark_routed, unrouted
from tests.service.core.documents import set_document, upload

DAY = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def test_a_page_with_all_filters(any_inst: Installation) -> None:
    made, (a, b) = make_classifier(any_inst, "A", "B")
    upload(any_inst, any_inst.team_id, a.id, b"other", "a-other.txt")
    ids = unrouted(any_inst, made, "a.txt", "B.txt", "Äc.txt", "d.txt", "e.txt")
    routed_a, routed_b, skipped, failed, pending = ids
    mark_routed(any_inst, routed_a, a, "A")
    mark_routed(any_inst, routed_b, b, "B")
    for days, document_id in enumerate(ids):
        set_document(any_inst, document_id, created_at=DAY + dt.timedelta(days=days))
    reasons = {"category": None, "confidence": 0.2, "reasoning": "None fits."}
    set_document(any_inst, skipped, routing_status="skipped", status="skipped", routing=reasons)
    error = {"error": "File is empty"}
    set_document(any_inst, failed, routing_status="failed", status="failed", routing=error, **error)

    def found(**given: Any) -> list[str]:
        query = RoutedDocumentQuery(**given)
        return [one.id for one in list_routed_documents(any_inst, any_inst.team_id, made.id, query).rows]

    assert found() == ids[::-1]
    assert found(sort="name.asc") == [routed_a, routed_b, failed, pending, skipped]
    assert found(sort="createdAt.asc", limit=2, page=2) == [skipped, failed]
    assert found(q="ÄC") == [skipped] and found(q="b.TX") == [routed_b]
    for status, document_id in (("skipped", skipped), ("failed", failed), ("pending", pending)):
        assert found(status=status) == [document_id]
    assert found(status="routed") == [routed_b, routed_a]
    assert found(target_parser_id=b.id.upper()) == [routed_b]
    assert found(external_id="a.txt") == [routed_a] and found(external_id="A.txt") == []
    assert found(created_from=DAY + dt.timedelta(days=3)) == [pending, failed]
    assert found(created_to=DAY) == [routed_a]
    assert found(only=frozenset({b.id})) == [pending, failed, skipped, routed_b]
    for wrong in ({"sort": "id"}, {"status": "processed"}):
        with pytest.raises(InputError, match="Unknown"):
            found(**wrong)
    page = list_routed_documents(any_inst, any_inst.team_id, "Mail", RoutedDocumentQuery(limit=2, page=3))
    assert ([one.id for one in page.rows], page.total, page.page, page.limit) == ([routed_a], 5, 3, 2)
    routing = page.rows[0].routing
    assert (routing.status, routing.category, routing.target_document_id) == ("routed", "A", routed_a)
    assert (routing.target_parser_id, routing.target_parser_name) == (a.id, a.name)
    rows = routed_documents(any_inst, any_inst.team_id, [skipped, failed, new_id()])
    assert rows[skipped].routing.target_document_id is None
    assert (rows[skipped].routing.confidence, rows[skipped].routing.reasoning) == (0.2, "None fits.")
    assert (rows[failed].error, rows[failed].routing.error) == ("File is empty", "File is empty")
    assert rows.keys() == {skipped, failed}
    # Documents of deleted parsers and other teams are not listed.
    with pytest.raises(NotFound, match="Classifier not found"):
        list_routed_documents(any_inst, new_id(), made.id, RoutedDocumentQuery())
    assert routed_documents(any_inst, new_id(), [routed_a]) == {}
    second, _ = make_classifier(any_inst, "C", name="Second")
    set_document(any_inst, routed_a, classifier_id=second.id)
    delete_classifier(any_inst, any_inst.team_id, made.id)
    delete_parser(any_inst, any_inst.team_id, a.id)
    assert list_routed_documents(any_inst, any_inst.team_id, second.id, RoutedDocumentQuery()).total == 0
