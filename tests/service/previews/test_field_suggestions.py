from __future__ import annotations

import pytest

from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import ParserChanges, update_parser
from docduck.service.previews.field_suggestions import Sample, sample_of, suggest_fields
from docduck.service.processing.model_spending import BUDGET_SPENT, spent_this_month
from tests.conftest import MakeInstallation
from tests.endpoint import model, says
from tests.service.core.documents import make_parser, upload

SAMPLE = b"Invoice Number: A-17\nInvoice Date: 2024-03-05\nTotal: 119.00 EUR\n"


def test_fields_are_found_on_a_document_of_the_parser_only(inst: Installation) -> None:
    parser, other = make_parser(inst), make_parser(inst, "Other")
    document = upload(inst, inst.team_id, parser.slug, SAMPLE, "a.txt")
    sample = sample_of(inst, inst.team_id, parser.id, document)
    found = suggest_fields(inst, inst.team_id, parser.id, [sample])
    assert {"Invoice Number", "Invoice Date"} <= {one.name for one in found.fields}
    with pytest.raises(InputError, match=r"^Parser ID mismatch$"):
        sample_of(inst, inst.team_id, other.id, document)
    for team_id, parser_id, document_id in (
        (new_id(), parser.id, document),
        (inst.team_id, parser.id, new_id()),
        (inst.team_id, new_id(), document),
    ):
        with pytest.raises(NotFound):
            sample_of(inst, team_id, parser_id, document_id)


def test_several_samples_are_one_kind(inst: Installation) -> None:
    parser = make_parser(inst)
    bodies = [
        SAMPLE,
        b"Total: 7.00 EUR\nInvoice Number: A-18\nZorbel: nine\n",
        b"<p>Invoice Number: A-19</p><p>Ship: Aurora</p><table><tr><th>Item<th>Quantity<th>Amount</tr>"
        b"<tr><td>Rope<td>2<td>4.00</tr><tr><td>Tar<td>1<td>3.00</tr></table>",
    ]
    samples = [
        Sample(("a.txt", "b.txt", "c.html")[number], inst.files.put_bytes(body).sha256)
        for number, body in enumerate(bodies)
    ]
    found = suggest_fields(inst, inst.team_id, parser.id, samples)
    assert [field.name for field in found.fields][:2] == ["Invoice Number", "Total"]
    assert (found.found_on["Invoice Number"], found.found_on["Total"], found.found_on["Ship"]) == (3, 2, 1)
    assert "Zorbel" not in found.found_on
    assert [seen["Invoice Number"].value for seen in found.found] == ["A-17", "A-18", "A-19"]
    (table,) = [field.name for field in found.fields if field.columns]
    assert found.found[2][table].row_count == 2
    assert [row["Amount"] for row in found.found[2][table].value] == [4, 3]


def test_samples_that_take_too_long_together_are_refused(make_installation: MakeInstallation) -> None:
    inst = make_installation(all_samples_seconds=0.0)
    sample = Sample("a.txt", inst.files.put_bytes(SAMPLE).sha256)
    with pytest.raises(
        InputError, match=r"^a.txt: No time is left for this sample: send fewer or shorter ones$"
    ):
        suggest_fields(inst, inst.team_id, make_parser(inst).id, [sample, sample])


def test_a_sample_is_read_as_the_parser_reads(inst: Installation) -> None:
    parser = make_parser(inst)
    sample = inst.files.put_bytes(SAMPLE).sha256
    update_parser(inst, inst.team_id, parser.id, ParserChanges(settings={"parsePages": "7"}))
    with pytest.raises(InputError, match=r"^a.txt: No pages match parsePages$"):
        suggest_fields(inst, inst.team_id, parser.id, [Sample("a.txt", sample)])


def test_a_sample_may_take_so_long(make_installation: MakeInstallation) -> None:
    inst = make_installation(suggest_seconds=0.001)
    sample = inst.files.put_bytes(SAMPLE * 2000).sha256
    with pytest.raises(InputError, match=r"^a.txt: Timed out while processing document$"):
        suggest_fields(inst, inst.team_id, make_parser(inst).id, [Sample("a.txt", sample)])


def test_the_model_is_asked_only_if_told_so_within_the_budget(
    make_installation: MakeInstallation,
) -> None:
    adviser = {"label": "Adviser", "value": "Mary", "name": "Adviser", "type": "text", "description": "Who"}
    with model([says({"fields": [adviser]}, usage=(1_000_000, 0))]) as endpoint:
        inst = make_installation(model_base_url=endpoint.url, model_input_price=1.0, model_monthly_budget=1.0)
        parser = make_parser(inst)
        sample = Sample("a.txt", inst.files.put_bytes(SAMPLE + b"\n\nAdviser\nMary\n").sha256)
        suggest_fields(inst, inst.team_id, parser.id, [sample])
        assert endpoint.questions == []
        found = suggest_fields(inst, inst.team_id, parser.id, [sample], use_model=True)
        described = {field.name: field.description for field in found.fields}
        assert described["Adviser"] == "Who"
        assert spent_this_month(inst, inst.team_id) == 1.0
        with pytest.raises(Conflict, match=BUDGET_SPENT):
            suggest_fields(inst, inst.team_id, parser.id, [sample], use_model=True)
