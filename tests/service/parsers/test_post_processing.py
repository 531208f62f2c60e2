from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import AuditEntry, StoredFile
from docduck.errors import Conflict, InputError, NotFound, TooLarge
from docduck.extraction import post_processing
from docduck.fields import Field, parse_fields
from docduck.service.accounts.accounts import create_team
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.lookup_tables import (
    delete_lookup_table,
    list_lookup_tables,
    put_lookup_table,
)
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser
from docduck.service.parsers.post_processing import get_post_processing, set_post_processing
from docduck.service.processing.processing import process_queue
from docduck.statuses import Status
from tests.conftest import MakeInstallation
from tests.service.core.documents import upload

FIELDS = parse_fields(
    [
        {"name": "Vendor"},
        {"name": "Total", "type": "currency"},
        {"name": "Account", "extract": False},
        {"name": "Items", "type": "table", "columns": [{"name": "Code"}, {"name": "Group"}]},
    ]
)
CSV = b"name,account\nAcme Tools,7001\n"
SHA256 = hashlib.sha256(CSV).hexdigest()
LOOKUP = {
    "type": "lookup",
    "table": "vendors",
    "match": [{"field": "Vendor", "column": "name"}],
    "write": [{"field": "Account", "column": "account"}],
    "mode": "exact",
    "onMissing": "keep",
}
UPPER = {"type": "transform", "field": "Vendor", "transform": "uppercase"}


def make(inst: Installation, *steps: dict[str, Any]) -> ParserView:
    parser = create_parser(inst, inst.team_id, NewParser(name="Invoices", fields=FIELDS))
    put_lookup_table(inst, inst.team_id, parser.id, "vendors", CSV)
    set_post_processing(inst, inst.team_id, parser.id, list(steps))
    return get_parser(inst, inst.team_id, parser.id)


def read(inst: Installation, parser: ParserView, vendor: str = "Acme Tools") -> Any:
    document_id = upload(inst, inst.team_id, parser.slug, f"Vendor: {vendor}".encode(), "a.txt")
    process_queue(inst)
    return get_document(inst, inst.team_id, document_id)


def refs(inst: Installation, sha256: str) -> int | None:
    with inst.catalog.read_session() as session:
        return session.scalar(select(StoredFile.refs).where(StoredFile.sha256 == sha256))


def test_documents_are_read_with_the_steps(any_inst: Installation) -> None:
    parser = make(any_inst, LOOKUP, UPPER)
    document = read(any_inst, parser)
    assert (document.data["Vendor"], document.data["Account"]) == ("ACME TOOLS", "7001")
    sources = [document.field_metadata[name]["source"] for name in ("Vendor", "Account")]
    assert sources == ["transform", "lookup"]
    assert document.field_metadata["Vendor"]["rawText"] == "Acme Tools"


def test_changes_are_used_by_documents_that_are_read_later(any_inst: Installation) -> None:
    parser = make(any_inst, LOOKUP)
    assert read(any_inst, parser).data["Account"] == "7001"
    put_lookup_table(any_inst, any_inst.team_id, parser.id, "vendors", CSV.replace(b"7001", b"8001"))
    assert read(any_inst, parser).data["Account"] == "8001"
    set_post_processing(any_inst, any_inst.team_id, parser.id, [])
    assert read(any_inst, parser).data["Account"] is None


def test_a_lost_table_fails_the_document(inst: Installation) -> None:
    parser = make(inst, LOOKUP)
    inst.files.path(SHA256).unlink()
    document = read(inst, parser)
    assert (document.status, document.error) == (
        Status.FAILED,
        "Post-processing failed: the file of the lookup table 'vendors' is missing",
    )


def test_each_change_raises_the_revision_once(any_inst: Installation) -> None:
    parser = make(any_inst, LOOKUP)
    set_post_processing(any_inst, any_inst.team_id, parser.id, [LOOKUP])
    put_lookup_table(any_inst, any_inst.team_id, parser.id, "vendors", CSV)
    assert get_parser(any_inst, any_inst.team_id, parser.id).revision == parser.revision == 3
    set_post_processing(any_inst, any_inst.team_id, parser.id, [UPPER, LOOKUP])
    assert get_parser(any_inst, any_inst.team_id, parser.id).revision == 4
    with any_inst.catalog.read_session() as session:
        entries = session.scalars(
            select(AuditEntry.action).where(AuditEntry.resource_id == parser.id).order_by(AuditEntry.at)
        ).all()
    assert entries == [
        "parser.created",
        "lookup_table.stored",
        "parser.updated",
        "parser.updated",
    ]


def test_steps_follow_renames_and_drop_deleted_fields(any_inst: Installation) -> None:
    team_id = any_inst.team_id
    parser = make(any_inst, LOOKUP, UPPER)
    update_field(any_inst, team_id, parser.id, "Vendor", {"name": "Supplier"})
    shown = get_post_processing(any_inst, team_id, parser.id)
    assert [shown[0]["match"][0]["field"], shown[1]["field"]] == ["Supplier", "Supplier"]
    update_field(any_inst, team_id, parser.id, "Supplier", {"type": "number"})
    assert [one["type"] for one in get_post_processing(any_inst, team_id, parser.id)] == ["lookup"]
    delete_field(any_inst, team_id, parser.id, "Account")
    assert get_post_processing(any_inst, team_id, parser.id) == []
    assert read(any_inst, parser).status == Status.PROCESSED
    delete_lookup_table(any_inst, team_id, parser.id, "vendors")


def test_tables_are_counted_as_references_of_their_file(any_inst: Installation) -> None:
    parser = make(any_inst)
    (table,) = list_lookup_tables(any_inst, any_inst.team_id, parser.id)
    assert (table.name, table.columns, table.rows) == ("vendors", ["name", "account"], 1)
    put_lookup_table(any_inst, any_inst.team_id, parser.id, "others", CSV)
    assert refs(any_inst, SHA256) == 2
    put_lookup_table(any_inst, any_inst.team_id, parser.id, "vendors", b"name,account\n")
    assert refs(any_inst, SHA256) == 1
    delete_lookup_table(any_inst, any_inst.team_id, parser.id, "others")
    assert refs(any_inst, SHA256) == 0
    with pytest.raises(NotFound):
        delete_lookup_table(any_inst, any_inst.team_id, parser.id, "others")


def test_a_table_in_use_keeps_its_columns(any_inst: Installation) -> None:
    parser = make(any_inst, LOOKUP)
    with pytest.raises(Conflict, match="is used by the parser's post-processing"):
        delete_lookup_table(any_inst, any_inst.team_id, parser.id, "vendors")
    with pytest.raises(Conflict, match="The column 'account' is used"):
        put_lookup_table(any_inst, any_inst.team_id, parser.id, "vendors", b"name,number\nAcme,1\n")


def test_limits_of_tables(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_lookup_tables=1, max_lookup_table_bytes=100, max_lookup_table_rows=2)
    parser = make(inst)
    for name, data, error in (
        ("vendors", b"a\n" + b"1\n" * 60, TooLarge),
        ("vendors", b"a\n1\n2\n3\n", InputError),
        ("more", b"a\n1\n", InputError),
        ("../etc", b"a\n1\n", InputError),
        ("", b"a\n1\n", InputError),
    ):
        with pytest.raises(error):
            put_lookup_table(inst, inst.team_id, parser.id, name, data)
    assert len(list_lookup_tables(inst, inst.team_id, parser.id)) == 1


def test_other_teams_see_nothing(any_inst: Installation) -> None:
    parser = make(any_inst, LOOKUP)
    other = create_team(any_inst, "Other").id
    for act in (
        lambda: get_post_processing(any_inst, other, parser.id),
        lambda: set_post_processing(any_inst, other, parser.id, []),
        lambda: list_lookup_tables(any_inst, other, parser.id),
        lambda: put_lookup_table(any_inst, other, parser.id, "vendors", CSV),
        lambda: delete_lookup_table(any_inst, other, parser.id, "vendors"),
    ):
        with pytest.raises(NotFound):
            act()


def test_a_copy_has_steps_and_tables_of_its_own(any_inst: Installation) -> None:
    parser = make(
        any_inst,
        LOOKUP,
        {
            "type": "transform",
            "field": "Items.Group",
            "transform": "date_format",
            "format": "YYYY",
            "from": "Vendor",
        },
    )
    copy = duplicate_parser(any_inst, any_inst.team_id, parser.id)
    assert len(list_lookup_tables(any_inst, any_inst.team_id, copy.id)) == 1
    assert refs(any_inst, SHA256) == 2
    shown = get_post_processing(any_inst, any_inst.team_id, copy.id)
    assert shown == get_post_processing(any_inst, any_inst.team_id, parser.id)
    delete_field(any_inst, any_inst.team_id, parser.id, "Vendor")
    assert get_post_processing(any_inst, any_inst.team_id, copy.id) == shown
    assert read(any_inst, copy).data["Account"] == "7001"


def _field(**changes: Any) -> dict[str, Any]:
    return {**UPPER, **changes}


@pytest.mark.parametrize(
    ("step", "path", "message"),
    [
        ("trim", "steps.0", "steps.0 must be an object"),
        ({"type": "script"}, "steps.0.type", "Unknown type of step: script. Supported: transform, lookup"),
        (_field(transform="reverse"), "steps.0.transform", "transform must be one of: trim, uppercase"),
        (_field(field="Nothing"), "steps.0.field", "Unknown field: Nothing"),
        (_field(field="Items"), "steps.0.field", "'Items' is a table; name one of its columns"),
        (_field(field="Total"), "steps.0.field", "'Total' is a currency; uppercase changes texts and lists"),
        (_field(value=1), "steps.0.value", "Unknown property: value"),
        (_field(transform="regex_replace", pattern="("), "steps.0.pattern", "Not a regular expression"),
        (
            _field(transform="regex_replace", pattern="a", replacement=r"\1"),
            "steps.0.replacement",
            r"'\1' in the replacement",
        ),
        (
            _field(transform="regex_replace", pattern="a", replacement="\\"),
            "steps.0.replacement",
            "'\\' in the replacement",
        ),
        (_field(transform="date_format", format="Today"), "steps.0.format", "format must have"),
        (_field(transform="number_format", decimals=True), "steps.0.decimals", "decimals must be"),
        (
            _field(transform="number_format", groupSeparator="."),
            "steps.0.groupSeparator",
            "groupSeparator must differ",
        ),
        (_field(transform="default", field="Total", value="x"), "steps.0.value", "value must fit 'Total'"),
        (
            _field(transform="date_format", format="YYYY", **{"from": "Items.Code"}),
            "steps.0.from",
            "'Items.Code' is in another table",
        ),
        ({**LOOKUP, "table": "nothing"}, "steps.0.table", "There is no lookup table 'nothing'"),
        ({**LOOKUP, "match": []}, "steps.0.match", "match needs at least one pair"),
        (
            {**LOOKUP, "write": [{"field": "Account", "column": "iban"}]},
            "steps.0.write.0.column",
            "The lookup table has no column 'iban'",
        ),
        (
            {**LOOKUP, "match": [{"field": "Items.Code", "column": "name"}]},
            "steps.0.match.0.field",
            "'Items.Code' is in another table",
        ),
        (
            {
                **LOOKUP,
                "write": [
                    {"field": "Account", "column": "account"},
                    {"field": "Items.Group", "column": "account"},
                ],
            },
            "steps.0.write.1.field",
            "All fields that a step writes must be in the same table",
        ),
        ({**LOOKUP, "threshold": 0.9}, "steps.0.threshold", "threshold is for the mode 'fuzzy'"),
        ({**LOOKUP, "mode": "fuzzy", "threshold": 0.1}, "steps.0.threshold", "threshold must be a number"),
        ({**LOOKUP, "onMissing": "fail"}, "steps.0.onMissing", "onMissing must be one of: keep, clear"),
    ],
)
def test_wrong_steps_are_refused_with_their_place(
    inst: Installation, step: Any, path: str, message: str
) -> None:
    parser = make(inst, UPPER)
    with pytest.raises(InputError) as caught:
        set_post_processing(inst, inst.team_id, parser.id, [step])
    assert caught.value.path == path
    assert caught.value.message.startswith(message)
    assert get_post_processing(inst, inst.team_id, parser.id) == [UPPER]


def test_at_most_fifty_steps(inst: Installation) -> None:
    parser = make(inst)
    set_post_processing(inst, inst.team_id, parser.id, [UPPER] * 50)
    with pytest.raises(InputError, match="50 steps"):
        set_post_processing(inst, inst.team_id, parser.id, [UPPER] * 51)


def test_fields_are_named_by_id_too(inst: Installation) -> None:
    parser = make(inst)
    ids: dict[str, Field] = {field.name: field for field in parser.fields}
    step = {"type": "transform", "field": str(ids["Vendor"].id), "transform": "trim"}
    assert set_post_processing(inst, inst.team_id, parser.id, [step]) == [{**step, "field": "Vendor"}]


def test_the_example_of_the_readme(inst: Installation) -> None:
    text = (Path(post_processing.__file__).parent / "README.md").read_text("utf-8")
    example = json.loads(text.partition("```json")[2].partition("```")[0])
    names = ("Vendor Name", "Invoice Number", "Due Text", "Due Date", "Account")
    fields = [{"name": name, "type": "date" if name == "Due Date" else "text"} for name in names]
    parser = create_parser(inst, inst.team_id, NewParser(name="x", fields=parse_fields(fields)))
    put_lookup_table(inst, inst.team_id, parser.id, "vendors", CSV)
    assert len(set_post_processing(inst, inst.team_id, parser.id, example["steps"])) == 4
    page = b"Invoice Number: INV-17\nVendor Name: ACME Tool\nDue Date: 2026-01-31\n"
    document_id = upload(inst, inst.team_id, parser.slug, page, "a.txt")
    process_queue(inst)
    data = get_document(inst, inst.team_id, document_id).data
    assert (data["Invoice Number"], data["Due Text"], data["Account"]) == ("17", "31.01.2026", "7001")
