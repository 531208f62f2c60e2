"""Reviewed documents are read offline and with the model, and what that costs counts for the team."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from docduck.errors import Conflict, NotFound
from docduck.fields import Field
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.parsers import NewParser, create_parser
from docduck.service.previews.known_documents import reviewed_documents
from docduck.service.previews.mode_comparison import compare_modes
from docduck.service.processing.model_spending import BUDGET_SPENT, spent_this_month
from docduck.service.processing.processing import process_queue
from tests.conftest import MakeInstallation
from tests.endpoint import Endpoint, model, says
from tests.service.core.documents import correct, upload

FIELDS = [Field(name="Undertaking", description="What the goods are for")]
TEXT = b"Dear neighbours,\n\nthe goods are for the Lighthouse project and nothing else.\n"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with model([says({"undertaking": "Lighthouse project"}, usage=(500_000, 100))]) as running:
        yield running


def test_both_ways_are_scored_until_the_budget_is_spent(
    make_installation: MakeInstallation, endpoint: Endpoint
) -> None:
    inst = make_installation(model_base_url=endpoint.url, model_input_price=2.0, model_monthly_budget=1.0)
    new = NewParser(name="Letters", fields=FIELDS, settings={"modelUse": "never"})
    parser = create_parser(inst, inst.team_id, new)
    document, other = (upload(inst, inst.team_id, parser.slug, TEXT + b"%d" % n, "a.txt") for n in (1, 2))
    process_queue(inst)
    correct(inst, inst.team_id, document, {"Undertaking": "Lighthouse project"})
    before = get_document(inst, inst.team_id, document)
    assert reviewed_documents(inst, parser, 5) == [document]

    with pytest.raises(NotFound):
        compare_modes(inst, inst.team_id, parser.id, other)
    found = compare_modes(inst, inst.team_id, parser.id, document)
    assert (found.model.values.right, found.model.values.values) == (1, 1)
    assert (found.offline.values.right, found.offline.usage) == (0, None)
    assert found.model.usage is not None and found.model.usage.input_tokens == 500_000
    assert min(found.offline.seconds, found.model.seconds) > 0
    assert found.warnings == []
    assert get_document(inst, inst.team_id, document) == before
    assert (len(endpoint.questions), spent_this_month(inst, inst.team_id)) == (1, 1.0)

    with pytest.raises(Conflict, match=BUDGET_SPENT):
        compare_modes(inst, inst.team_id, parser.id, document)


def test_without_a_model_there_is_nothing_to_compare(inst: Installation) -> None:
    parser = create_parser(inst, inst.team_id, NewParser(name="Letters", fields=FIELDS))
    with pytest.raises(Conflict, match="No language model is configured"):
        compare_modes(inst, inst.team_id, parser.id, "any")
