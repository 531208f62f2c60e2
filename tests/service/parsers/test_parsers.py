from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from sqlalchemy import true, update

from docduck.catalog.models import Parser, ParserField
from docduck.errors import Conflict, InputError, NotFound
from docduck.fields import Field, FieldType
from docduck.service.core.installation import Installation
from docduck.service.folders import create_folder, list_folders
from docduck.service.parsers.field_editing import delete_field, update_field
from docduck.service.parsers.parser_copy import duplicate_parser
from docduck.service.parsers.parser_listing import find_parsers
from docduck.service.parsers.parsers import (
    NewParser,
    ParserChanges,
    create_parser,
    delete_parser,
    get_parser,
    list_parsers,
    set_fields,
    update_parser,
)
from docduck.service.reviews.review_stages import list_stages
from docduck.service.upkeep.health import queue
from docduck.service.upkeep.status import status
from tests.conftest import MakeInstallation
from tests.service.core.at_once import at_once
from tests.service.core.catalog import audited
from tests.service.core.documents import FIELDS, add, make_parser, set_document
from tests.service.core.people import make_team
from tests.service.reviews.reviews_world import rule, stage


def test_a_template_gives_everything_that_is_not_given(any_inst: Installation) -> None:
    parser = create_parser(any_inst, any_inst.team_id, NewParser(template_key="invoice"))
    assert (parser.name, parser.slug) == ("Invoices", "invoices")
    assert "line_items" in parser.columns.values()
    assert (any_inst.settings.inbox / "invoices").is_dir()
    again = create_parser(any_inst, any_inst.team_id, NewParser(name="Other", template_key="invoice"))
    assert again.slug == "other"
    assert [f.name for f in again.fields] == [f.name for f in parser.fields]


def test_it_is_found_by_id_slug_and_name_in_its_team_only(inst: Installation) -> None:
    parser = make_parser(inst, "My Invoices")
    for ref in (parser.id, "my_invoices", "My Invoices"):
        assert get_parser(inst, inst.team_id, ref).id == parser.id
    other = make_team(inst)
    with pytest.raises(NotFound, match=r"^Parser not found$"):
        get_parser(inst, other, parser.id)
    assert list_parsers(inst, other) == []


def test_any_name_makes_a_usable_slug_and_a_taken_or_impossible_one_is_refused(inst: Installation) -> None:
    for name, slug in {
        "Größen & Maße": "grossen_and_masse",
        "請求書": "parser",
        "2024 bills": "2024_bills",
        "Main": "main_2",
        "'; DROP TABLE x; --": "drop_table_x",
    }.items():
        assert make_parser(inst, name).slug == slug
        assert make_parser(inst, name).slug not in (slug, "")
    make_parser(inst)
    with pytest.raises(Conflict, match="'invoices' exists already"):
        create_parser(inst, inst.team_id, NewParser(name="x", slug="invoices"))
    for slug in ("../x", "A", "", "information_schema"):
        with pytest.raises(InputError):
            create_parser(inst, inst.team_id, NewParser(name="x", slug=slug))


def test_parsers_made_at_the_same_time_get_slugs_of_their_own(any_inst: Installation) -> None:
    parsers = at_once(*[partial(make_parser, any_inst)] * 6)
    slugs = [one.slug for one in parsers]
    assert sorted(slugs) == ["invoices", *(f"invoices_{n}" for n in range(2, 7))]
    assert all((any_inst.settings.inbox / slug).is_dir() for slug in slugs)
    copies = at_once(*[partial(duplicate_parser, any_inst, any_inst.team_id, parsers[0].id)] * 4)
    assert len({one.slug for one in copies}) == 4
    ids = [field.id for one in (*parsers, *copies) for field in one.fields]
    assert len(set(ids)) == len(ids)


def test_too_many_fields_and_two_with_one_id_are_refused(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_fields=5)
    words = "A parser may have 5 fields, columns included"
    with pytest.raises(InputError, match=words):
        make_parser(inst)
    parser = create_parser(inst, inst.team_id, NewParser(name="x", fields=FIELDS[:2]))
    with pytest.raises(InputError, match=words):
        set_fields(inst, inst.team_id, parser.id, FIELDS)
    twins = [Field(id="x", name="a"), Field(id="x", name="b")]
    with pytest.raises(InputError, match="has the id 'x' twice"):
        set_fields(inst, inst.team_id, parser.id, twins)


def test_who_changed_what_is_written_down(inst: Installation) -> None:
    team_id = inst.team_id
    parser = create_parser(inst, team_id, NewParser(name="a", fields=FIELDS), "ann")
    update_parser(inst, team_id, parser.id, ParserChanges(name="a"), "nobody")
    changes = ParserChanges(name="b", settings={"parsePages": "1"})
    update_parser(inst, team_id, parser.id, changes, "ben")
    total = str(parser.fields[1].id)
    update_field(inst, team_id, parser.id, "Total", {"name": "Total"}, "nobody")
    update_field(inst, team_id, parser.id, "Total", {"name": "Sum"}, "cho")
    delete_field(inst, team_id, parser.id, "Sum", "dan")
    copy = duplicate_parser(inst, team_id, parser.id, actor="eve")
    delete_parser(inst, team_id, parser.id, "fay")
    written = audited(inst, resource_id=parser.id)
    renamed, deleted = written[2][2], written[3][2]
    before = renamed["before"][total]
    assert (before["name"], before["type"]) == ("Total", "currency")
    assert renamed["after"][total]["name"] == "Sum"
    assert (deleted["before"].keys(), deleted["after"]) == ({total}, {})
    for details in (renamed, deleted):
        del details["before"], details["after"]
    of_total = {"fields": [total], "changed": [total]}
    updated = {
        "changed": ["name", "settings.parsePages"],
        "before": {"name": "a"},
        "after": {"name": "b", "settings.parsePages": "1"},
    }
    assert written == [
        ("ann", "parser.created", {"name": "a"}),
        ("ben", "parser.updated", updated),
        ("cho", "field.updated", of_total),
        ("dan", "field.deleted", of_total),
        ("fay", "parser.deleted", {"name": "b"}),
    ]
    copied = ("eve", "parser.created", {"name": "b (Copy)", "from": parser.id})
    assert audited(inst, resource_id=copy.id) == [copied]


def test_fields_are_known_by_id_and_name_when_they_are_renamed_added_removed_and_reordered(
    any_inst: Installation,
) -> None:
    parser = make_parser(any_inst)
    number = parser.fields[0]
    wished = [number.model_copy(update={"name": "Invoice No."}), *parser.fields[1:]]
    after = set_fields(any_inst, any_inst.team_id, parser.slug, wished)
    assert (after.fields[0].id, after.fields[0].name) == (number.id, "Invoice No.")
    assert after.columns[str(number.id)] == "invoice_no"
    assert after.revision == parser.revision + 1
    ids = {f.name: f.id for f in parser.fields}
    table = next(f for f in FIELDS if f.type is FieldType.TABLE)
    columns = (*reversed(table.columns), Field(name="Unit"))
    wished = [
        table.model_copy(update={"columns": columns}),
        Field(name="total", type=FieldType.CURRENCY),
        Field(name="New"),
    ]
    after = set_fields(any_inst, any_inst.team_id, parser.slug, wished)
    assert [f.name for f in after.fields] == ["Line Items", "total", "New"]
    assert after.fields[0].id == ids["Line Items"]
    assert after.fields[1].id == ids["Total"]
    assert [c.name for c in after.fields[0].columns] == ["Amount", "Description", "Unit"]
    unchanged = set_fields(any_inst, any_inst.team_id, parser.slug, after.fields)
    assert unchanged == after


def test_colliding_columns_get_numbers_and_keep_them(inst: Installation) -> None:
    fields = [Field(name="Name"), Field(name="Net total"), Field(name="Net-total"), Field(name="Status")]
    parser = create_parser(inst, inst.team_id, NewParser(name="x", fields=fields))
    assert list(parser.columns.values()) == ["name_2", "net_total", "net_total_2", "status_2"]
    after = set_fields(inst, inst.team_id, "x", [parser.fields[2]])
    assert list(after.columns.values()) == ["net_total_2"]


def test_settings_are_merged_and_checked(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    first = ParserChanges(settings={"readingLocale": {"language": "de"}, "dataExtractionMode": "fast"})
    update_parser(any_inst, any_inst.team_id, parser.slug, first)
    second = ParserChanges(settings={"readingLocale": {"decimalSeparator": ","}}, is_active=False)
    after = update_parser(any_inst, any_inst.team_id, parser.slug, second)
    assert after.settings == {
        "readingLocale": {"language": "de", "decimalSeparator": ","},
        "dataExtractionMode": "fast",
    }
    assert not after.is_active
    for bad, words in (
        ({"dataExtractionMode": "Fast"}, "dataExtractionMode"),
        ({"colour": "red"}, "Unknown property: colour"),
        ({"parsePages": "1--2"}, "parsePages"),
        ({"acceptedFileTypes": [{"mimeType": {}, "label": ""}]}, "acceptedFileTypes"),
    ):
        with pytest.raises(InputError, match=words):
            update_parser(any_inst, any_inst.team_id, parser.slug, ParserChanges(settings=bad))


def test_a_deleted_parser_is_gone_with_its_documents_and_its_slug_free_for_its_team(
    any_inst: Installation,
) -> None:
    inst = any_inst
    gone, kept = make_parser(inst, "Gone"), make_parser(inst, "Kept")
    add(inst, gone, 2)
    add(inst, kept)
    (failed,) = add(inst, gone, 1, "failed")
    set_document(inst, failed, status="failed", error="File is empty")
    assert [one.document_id for one in status(inst, inst.team_id).failures] == [failed]
    delete_parser(inst, inst.team_id, gone.slug)
    shown = status(inst, inst.team_id)
    assert [one.parser.slug for one in shown.parsers] == ["kept"]
    assert (shown.failures, queue(inst).documents) == ([], 1)
    assert [one.slug for one in list_parsers(inst, inst.team_id)] == ["kept"]
    strangers = make_team(inst)
    assert create_parser(inst, strangers, NewParser(name=gone.name)).slug == f"{gone.slug}_2"
    with pytest.raises(Conflict, match="exists already"):
        create_parser(inst, strangers, NewParser(name="Mine", slug=gone.slug))
    assert make_parser(inst, "Gone").slug == gone.slug


def test_a_broken_parser_says_so_is_not_copied_and_stops_no_other(inst: Installation) -> None:
    sound, total = make_parser(inst, "Sound"), ParserField.name == "Total"
    damages: list[tuple[Any, Any, dict[str, Any]]] = [
        (ParserField.parser_id, total, {"type": "choice"}),
        (ParserField.parser_id, total, {"options": {"not": "a list"}}),
        (ParserField.parser_id, ParserField.table_id.is_not(None), {"table_id": "nowhere"}),
        (Parser.id, true(), {"settings": ["no", "object"]}),
        (Parser.id, true(), {"settings": {"parsePages": 5}}),
    ]
    for key, which, values in damages:
        broken = make_parser(inst, "Broken")
        with inst.catalog.transaction() as session:
            session.execute(update(key.class_).where(key == broken.id, which).values(values))
        views = {one.id: one for one in list_parsers(inst, inst.team_id)}
        assert broken.slug in str(views[broken.id].problem), values
        assert (views[broken.id].fields, views[sound.id]) == ((), sound)
        with pytest.raises(InputError, match="can't be used"):
            duplicate_parser(inst, inst.team_id, broken.id)


def test_parsers_are_listed_sorted_and_filtered(any_inst: Installation) -> None:
    inst = any_inst
    for name in ("Beta 100%", "alpha", "Gamma", "Äpfel", "zebra", "STRASSE 2", "ähren", "Straße 1"):
        make_parser(inst, name)
    beta = get_parser(inst, inst.team_id, "Beta 100%")
    update_parser(inst, inst.team_id, beta.id, ParserChanges(is_active=False))

    def names(**query: Any) -> list[str]:
        return [view.name for view, _ in find_parsers(inst, inst.team_id, **query).rows]

    in_order = ["alpha", "Beta 100%", "Gamma", "Straße 1", "STRASSE 2", "zebra", "ähren", "Äpfel"]
    assert names(sort="name.asc") == in_order and names(sort="name.desc") == in_order[::-1]
    assert names(sort="createdAt.asc") == names()[::-1] and names()[-1] == "Beta 100%"
    assert names(sort="updatedAt.desc")[0] == names(sort="updatedAt.asc")[-1] == "Beta 100%"
    assert names(q="STRASSE", sort="name.asc") == in_order[3:5]
    assert (names(q="0%"), names(q="_"), names(type="mail")) == (["Beta 100%"], [], [])
    assert names(is_active=False) == ["Beta 100%"] and names(is_active=True, q="m") == ["Gamma"]
    assert names(only=frozenset([beta.id])) == ["Beta 100%"]


def test_a_copy_has_rules_of_its_own_fields(any_inst: Installation) -> None:
    """Those of its folders and review stages; what is no field stays as it is."""
    inst, team_id = any_inst, any_inst.team_id
    parser = make_parser(inst)
    rules = [
        {"field": "Number", "condition": "extracted_value", "operator": "equals", "value": "total"},
        {"field": "Line Items.Amount", "condition": "exists"},
        {"field": "Number", "condition": "matches_field", "operator": "equals", "value": "Total"},
        {"field": "$custom.total", "condition": "exists"},
    ]
    root = create_folder(inst, team_id, parser.id, {"name": "Root", "auto_assignment": {"rules": rules}})
    create_folder(inst, team_id, parser.id, {"name": "Below", "parent_id": root.id})
    stage(inst, parser, "Check", None, rule("Total", ">", 5))
    copy = duplicate_parser(inst, team_id, parser.id)
    assert not {field.id for field in parser.fields} & {field.id for field in copy.fields}
    update_field(inst, team_id, copy.id, "Total", {"name": "Sum"})
    folders = list_folders(inst, team_id, copy.id)
    assert [(one.path_label, one.has_auto_assign) for one in folders] == [
        ("Root", True),
        ("Root / Below", False),
    ]
    kept = folders[0].auto_assignment
    assert kept is not None
    assert [(one["field"], one["value"]) for one in kept.as_json(by_id=False)["rules"]] == [
        ("Number", "total"),
        ("Line Items.Amount", None),
        ("Number", "Sum"),
        ("$custom.total", None),
    ]
    (checked,) = list_stages(inst, team_id, copy.id)
    assert checked.as_json()["rules"][0]["field"] == "Sum"
    assert list_stages(inst, team_id, parser.id)[0].as_json()["rules"][0]["field"] == "Total"
