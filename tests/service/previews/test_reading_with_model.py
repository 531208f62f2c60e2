"""Previews read in their parser's mode: accurate ones ask the language model, within the team's budget."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import select

from docduck.catalog.models import ModelUsage as Ledger
from docduck.fields import Field
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser
from docduck.service.previews.try_out import try_fields
from docduck.service.processing.model_spending import BUDGET_SPENT, spent_this_month
from tests.conftest import MakeInstallation
from tests.endpoint import Endpoint, model, says
from tests.service.core.documents import upload

FIELDS = [Field(name="Undertaking", description="What the goods are for")]
TEXT = b"Dear neighbours,\n\nthe goods are for the Lighthouse project and nothing else.\n"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with model([says({"undertaking": "Lighthouse project"}, usage=(500_000, 0))]) as running:
        yield running


@pytest.fixture
def asking(make_installation: MakeInstallation, endpoint: Endpoint) -> Installation:
    """An installation with a model and a budget for two questions."""
    return make_installation(
        model_base_url=endpoint.url, model_input_price=1.0, model_monthly_budget=1.0, side_workers=1
    )


def make_parser(inst: Installation, mode: str) -> ParserView:
    new = NewParser(name="Letters", fields=FIELDS, settings={"dataExtractionMode": mode})
    return create_parser(inst, inst.team_id, new)


def test_a_try_out_asks_the_model_until_the_budget_is_spent(asking: Installation, endpoint: Endpoint) -> None:
    parser = make_parser(asking, "accurate")
    document = upload(asking, asking.team_id, parser.slug, TEXT, "letter.txt")
    tried = [try_fields(asking, asking.team_id, parser.slug, document).extraction for _ in range(3)]
    assert [one.data["Undertaking"] for one in tried[:2]] == ["Lighthouse project"] * 2
    assert [one.field_metadata["Undertaking"]["source"] for one in tried[:2]] == ["ai", "ai"]
    assert tried[2].data["Undertaking"] != "Lighthouse project"
    assert tried[2].warnings == [f"{BUDGET_SPENT}; the document was read without one"]
    assert len(endpoint.questions) == 2
    assert spent_this_month(asking, asking.team_id) == 1.0
    with asking.catalog.read_session() as session:
        (row,) = session.scalars(select(Ledger))
        assert (row.requests, row.input_tokens) == (2, 1_000_000)


def test_a_try_out_of_another_mode_asks_nothing(asking: Installation, endpoint: Endpoint) -> None:
    parser = make_parser(asking, "fast")
    document = upload(asking, asking.team_id, parser.slug, TEXT, "letter.txt")
    tried = try_fields(asking, asking.team_id, parser.slug, document).extraction
    assert (tried.usage, tried.field_metadata["Undertaking"]["source"] == "ai") == (None, False)
    assert endpoint.questions == []
