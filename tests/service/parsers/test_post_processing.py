from __future__ import annotations

import hashlib
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from docduck.catalog.models import StoredFile
from docduck.errors import Conflict, InputError, NotFound, TooLarge
from docduck.extraction import post_processing
from docduck.fields import parse_fields
from docduck.service.core.installation import Installation
from docduck.service.documents.queries.document_views import get_document
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.lookup_tables import delete_lookup_table, list_lookup_tables, put_lookup_table
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parsers import NewParser, ParserView, create_parser, get_parser
from docduck.service.parsers.post_processing import get_post_processing, set_post_processing
from docduck.service.processing.processing import process_queue
from docduck.statuses import Status
from tests.conftest import MakeInstallation
from tests.service.core.catalog import audited
from tests.service.core.documents import upload
from tests.service.core.people import make_team

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


def test_documents_are_read_with_the_steps_as_they_are_then(inst: Installation) -> None:
    parser = make(inst, LOOKUP, UPPER)
    document = read(inst, parser)
    assert (document.data["Vendor"], document.data["Account"]) == ("ACME TOOLS", "7001")
    sources = [document.field_metadata[name]["source"] for name in ("Vendor", "Account")]
    assert sources == ["transform", "lookup"]
    assert document.field_metadata["Vendor"]["rawText"] == "Acme Tools"
    put_lookup_table(inst, inst.team_id, parser.id, "vendors", CSV.replace(b"7001", b"8001"))
    assert read(inst, parser).data["Account"] == "8001"
    put_lookup_table(inst, inst.team_id, parser.id, "vendors", CSV)
    inst.files.path(SHA256).unlink()
    lost = read(inst, parser)
    message = "Post-processing failed: the file of the lookup table 'vendors' is missing"
    assert (lost.status, lost.error) == (Status.FAILED, message)
    set_post_processing(inst, inst.team_id, parser.id, [])
    assert read(inst, parser).data["Account"] is None


def test_each_change_raises_the_revision_once(inst: Installation) -> None:
    parser = make(inst, LOOKUP)
    set_post_processing(inst, inst.team_id, parser.id, [LOOKUP])
    put_lookup_table(inst, inst.team_id, parser.id, "vendors", CSV)
    assert get_parser(inst, inst.team_id, parser.id).revision == parser.revision == 3
    set_post_processing(inst, inst.team_id, parser.id, [UPPER, LOOKUP])
    assert get_parser(inst, inst.team_id, parser.id).revision == 4
    log = [action for _, action, _ in audited(inst, resource_id=parser.id)]
    assert log == ["parser.created", "lookup_table.stored", "parser.updated", "parser.updated"]
    # Steps follow renames, and go with the fields they need.
    update_field(inst, inst.team_id, parser.id, "Vendor", {"name": "Supplier"})
    shown = get_post_processing(inst, inst.team_id, parser.id)
    assert [shown[0]["field"], shown[1]["match"][0]["field"]] == ["Supplier", "Supplier"]
    update_field(inst, inst.team_id, parser.id, "Supplier", {"type": "number"})
    assert [one["type"] for one in get_post_processing(inst, inst.team_id, parser.id)] == ["lookup"]
    delete_field(inst, inst.team_id, parser.id, "Account")
    assert get_post_processing(inst, inst.team_id, parser.id) == []
    assert read(inst, parser).status == Status.PROCESSED
    delete_lookup_table(inst, inst.team_id, parser.id, "vendors")


def test_tables_are_counted_as_references_of_their_file_and_keep_what_is_used(inst: Installation) -> None:
    parser = make(inst, LOOKUP)
    (table,) = list_lookup_tables(inst, inst.team_id, parser.id)
    assert (table.name, table.columns, table.rows) == ("vendors", ["name", "account"], 1)
    put_lookup_table(inst, inst.team_id, parser.id, "others", CSV)
    assert refs(inst, SHA256) == 2
    put_lookup_table(inst, inst.team_id, parser.id, "vendors", b"name,account\n")
    assert refs(inst, SHA256) == 1
    delete_lookup_table(inst, inst.team_id, parser.id, "others")
    assert refs(inst, SHA256) == 0
    with pytest.raises(NotFound):
        delete_lookup_table(inst, inst.team_id, parser.id, "others")
    with pytest.raises(Conflict, match="is used by the parser's post-processing"):
        delete_lookup_table(inst, inst.team_id, parser.id, "vendors")
    with pytest.raises(Conflict, match="The column 'account' is used"):
        put_lookup_table(inst, inst.team_id, parser.id, "vendors", b"name,number\nAcme,1\n")


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


def test_other_teams_see_nothing(inst: Installation) -> None:
    parser = make(inst, LOOKUP)
    other = make_team(inst)
    for act in (
        lambda: get_post_processing(inst, other, parser.id),
        lambda: set_post_processing(inst, other, parser.id, []),
        lambda: list_lookup_tables(inst, other, parser.id),
        lambda: put_lookup_table(inst, other, parser.id, "vendors", CSV),
        lambda: delete_lookup_table(inst, other, parser.id, "vendors"),
    ):
        with pytest.raises(NotFound):
            act()


def test_a_copy_has_steps_and_tables_of_its_own(inst: Installation) -> None:
    year = {"transform": "date_format", "format": "YYYY", "from": "Vendor"}
    parser = make(inst, LOOKUP, {"type": "transform", "field": "Items.Group", **year})
    copy = duplicate_parser(inst, inst.team_id, parser.id)
    assert len(list_lookup_tables(inst, inst.team_id, copy.id)) == 1
    assert refs(inst, SHA256) == 2
    shown = get_post_processing(inst, inst.team_id, copy.id)
    assert shown == get_post_processing(inst, inst.team_id, parser.id)
    delete_field(inst, inst.team_id, parser.id, "Vendor")
    assert get_post_processing(inst, inst.team_id, copy.id) == shown
    assert read(inst, copy).data["Account"] == "7001"


def _field(**changes: Any) -> dict[str, Any]:
    return {**UPPER, **changes}


def test_wrong_steps_are_refused_with_their_place(inst: Installation) -> None:
    both_tables = [{"field": name, "column": "account"} for name in ("Account", "Items.Group")]
    in_items = [{"field": "Items.Code", "column": "name"}]
    unknown_column = [{"field": "Account", "column": "iban"}]
    replace = partial(_field, transform="regex_replace", pattern="a")
    wrong: list[tuple[Any, str, str]] = [
        ("trim", "steps.0", "steps.0 must be an object"),
        ({"type": "script"}, "steps.0.type", "Unknown type of step: script. Supported: transform, lookup"),
        (_field(transform="reverse"), "steps.0.transform", "transform must be one of: trim, uppercase"),
        (_field(field="Nothing"), "steps.0.field", "Unknown field: Nothing"),
        (_field(field="Items"), "steps.0.field", "'Items' is a table; name one of its columns"),
        (_field(field="Total"), "steps.0.field", "'Total' is a currency; uppercase changes texts and lists"),
        (_field(value=1), "steps.0.value", "Unknown property: value"),
        (_field(transform="regex_replace", pattern="("), "steps.0.pattern", "Not a regular expression"),
        (replace(replacement=r"\1"), "steps.0.replacement", r"'\1' in the replacement"),
        (replace(replacement="\\"), "steps.0.replacement", "'\\' in the replacement"),
        (_field(transform="date_format", format="Today"), "steps.0.format", "format must have"),
        (_field(transform="number_format", decimals=True), "steps.0.decimals", "decimals must be"),
        (_field(transform="number_format", groupSeparator="."), "steps.0.groupSeparator", "groupSeparator"),
        (_field(transform="default", field="Total", value="x"), "steps.0.value", "value must fit 'Total'"),
        (
            _field(transform="date_format", format="YYYY", **{"from": "Items.Code"}),
            "steps.0.from",
            "'Items.Code' is in another table",
        ),
        ({**LOOKUP, "table": "nothing"}, "steps.0.table", "There is no lookup table 'nothing'"),
        ({**LOOKUP, "match": []}, "steps.0.match", "match needs at least one pair"),
        (
            {**LOOKUP, "write": unknown_column},
            "steps.0.write.0.column",
            "The lookup table has no column",
        ),
        ({**LOOKUP, "match": in_items}, "steps.0.match.0.field", "'Items.Code' is in another table"),
        (
            {**LOOKUP, "write": both_tables},
            "steps.0.write.1.field",
            "All fields that a step writes",
        ),
        ({**LOOKUP, "threshold": 0.9}, "steps.0.threshold", "threshold is for the mode 'fuzzy'"),
        ({**LOOKUP, "mode": "fuzzy", "threshold": 0.1}, "steps.0.threshold", "threshold must be a number"),
        ({**LOOKUP, "onMissing": "fail"}, "steps.0.onMissing", "onMissing must be one of: keep, clear"),
    ]
    parser = make(inst, UPPER)
    for step, path, message in wrong:
        with pytest.raises(InputError) as caught:
            set_post_processing(inst, inst.team_id, parser.id, [step])
        assert (caught.value.path, caught.value.message[: len(message)]) == (path, message)
    assert get_post_processing(inst, inst.team_id, parser.id) == [UPPER]
    set_post_processing(inst, inst.team_id, parser.id, [UPPER] * 50)
    with pytest.raises(InputError, match="50 steps"):
        set_post_processing(inst, inst.team_id, parser.id, [UPPER] * 51)
    # Fields are named by id, too.
    (vendor,) = (str(field.id) for field in parser.fields if field.name == "Vendor")
    step = {"type": "transform", "field": vendor, "transform": "trim"}
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
