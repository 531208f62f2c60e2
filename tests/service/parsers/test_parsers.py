from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select, update

from docduck.catalog.models import AuditEntry, Document, Parser, ParserField, Team
from docduck.errors import Conflict, InputError, NotFound
from docduck.fields import Field, FieldType
from docduck.service.accounts.accounts import create_team
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
from tests.service.core.documents import FIELDS, add, make_parser
from tests.service.reviews.reviews_world import rule, stage


def test_a_template_gives_everything_that_is_not_given(any_inst: Installation) -> None:
    parser = create_parser(any_inst, any_inst.team_id, NewParser(template_key="invoice"))
    assert (parser.name, parser.slug) == ("Invoices", "invoices")
    assert "line_items" in parser.columns.values()
    assert (any_inst.settings.inbox / "invoices").is_dir()
    again = create_parser(any_inst, any_inst.team_id, NewParser(name="Other", template_key="invoice"))
    assert again.slug == "other"
    assert [f.name for f in again.fields] == [f.name for f in parser.fields]


def test_it_is_found_by_id_slug_and_name_in_its_team_only(any_inst: Installation) -> None:
    parser = make_parser(any_inst, "My Invoices")
    for ref in (parser.id, "my_invoices", "My Invoices"):
        assert get_parser(any_inst, any_inst.team_id, ref).id == parser.id
    with any_inst.catalog.transaction() as session:
        other = Team(name="Other", slug="other")
        session.add(other)
        session.flush()
        other_id = other.id
    with pytest.raises(NotFound, match=r"^Parser not found$"):
        get_parser(any_inst, other_id, parser.id)
    assert list_parsers(any_inst, other_id) == []


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Größen & Maße", "grossen_and_masse"),
        ("請求書", "parser"),
        ("2024 bills", "2024_bills"),
        ("Main", "main_2"),
        ("'; DROP TABLE x; --", "drop_table_x"),
    ],
)
def test_any_name_makes_a_usable_slug(inst: Installation, name: str, slug: str) -> None:
    assert make_parser(inst, name).slug == slug
    assert make_parser(inst, name).slug not in (slug, "")


def test_a_taken_or_impossible_slug_is_refused(inst: Installation) -> None:
    make_parser(inst)
    with pytest.raises(Conflict, match="'invoices' exists already"):
        create_parser(inst, inst.team_id, NewParser(name="x", slug="invoices"))
    for slug in ("../x", "A", "", "information_schema"):
        with pytest.raises(InputError):
            create_parser(inst, inst.team_id, NewParser(name="x", slug=slug))


def test_parsers_made_at_the_same_time_get_slugs_of_their_own(any_inst: Installation) -> None:
    start = threading.Barrier(6)

    def make(_: int) -> str:
        start.wait(30)
        return make_parser(any_inst).slug

    with ThreadPoolExecutor(6) as threads:
        slugs = list(threads.map(make, range(6)))
    assert sorted(slugs) == ["invoices", *(f"invoices_{n}" for n in range(2, 7))]
    assert all((any_inst.settings.inbox / slug).is_dir() for slug in slugs)


def test_copies_are_made_at_the_same_time(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    with ThreadPoolExecutor(4) as threads:
        copies = list(threads.map(lambda _: duplicate_parser(any_inst, any_inst.team_id, parser.id), "abcd"))
    assert len({one.slug for one in copies}) == 4
    ids = [field.id for one in (parser, *copies) for field in one.fields]
    assert len(set(ids)) == len(ids)


def test_a_broken_parser_is_not_copied(inst: Installation) -> None:
    parser = make_parser(inst)
    with inst.catalog.transaction() as session:
        session.execute(update(Parser).values(settings={"parsePages": 5}))
    with pytest.raises(InputError, match="can't be used"):
        duplicate_parser(inst, inst.team_id, parser.id)


def test_a_parser_may_have_so_many_fields(make_installation: MakeInstallation) -> None:
    inst = make_installation(max_fields=5)
    words = "A parser may have 5 fields, columns included"
    with pytest.raises(InputError, match=words):
        make_parser(inst)
    parser = create_parser(inst, inst.team_id, NewParser(name="x", fields=FIELDS[:2]))
    with pytest.raises(InputError, match=words):
        set_fields(inst, inst.team_id, parser.id, FIELDS)


def test_two_fields_with_one_id_are_refused(inst: Installation) -> None:
    parser = make_parser(inst)
    twins = [Field(id="x", name="a"), Field(id="x", name="b")]
    with pytest.raises(InputError, match="has the id 'x' twice"):
        set_fields(inst, inst.team_id, parser.id, twins)


def test_who_changed_what_is_written_down(any_inst: Installation) -> None:
    team_id = any_inst.team_id
    parser = create_parser(any_inst, team_id, NewParser(name="a", fields=FIELDS), "ann")
    update_parser(any_inst, team_id, parser.id, ParserChanges(name="a"), "nobody")
    changes = ParserChanges(name="b", settings={"parsePages": "1"})
    update_parser(any_inst, team_id, parser.id, changes, "ben")
    total = str(parser.fields[1].id)
    update_field(any_inst, team_id, parser.id, "Total", {"name": "Total"}, "nobody")
    update_field(any_inst, team_id, parser.id, "Total", {"name": "Sum"}, "cho")
    delete_field(any_inst, team_id, parser.id, "Sum", "dan")
    copy = duplicate_parser(any_inst, team_id, parser.id, actor="eve")
    delete_parser(any_inst, team_id, parser.id, "fay")
    with any_inst.catalog.read_session() as session:
        entries = session.scalars(select(AuditEntry).order_by(AuditEntry.at))
        written = [(one.actor, one.action, one.resource_id, dict(one.details or {})) for one in entries]
    field = {key: written[2][3]["before"][total][key] for key in ("name", "type")}
    assert field == {"name": "Total", "type": "currency"}
    assert written[2][3]["after"][total]["name"] == "Sum"
    assert (written[3][3]["before"].keys(), written[3][3]["after"]) == ({total}, {})
    for entry in written[2:4]:
        del entry[3]["before"], entry[3]["after"]
    assert written == [
        ("ann", "parser.created", parser.id, {"name": "a"}),
        (
            "ben",
            "parser.updated",
            parser.id,
            {
                "changed": ["name", "settings.parsePages"],
                "before": {"name": "a"},
                "after": {"name": "b", "settings.parsePages": "1"},
            },
        ),
        ("cho", "field.updated", parser.id, {"fields": [total], "changed": [total]}),
        ("dan", "field.deleted", parser.id, {"fields": [total], "changed": [total]}),
        ("eve", "parser.created", copy.id, {"name": "b (Copy)", "from": parser.id}),
        ("fay", "parser.deleted", parser.id, {"name": "b"}),
    ]


def test_a_renamed_field_keeps_its_id(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    number = parser.fields[0]
    wished = [number.model_copy(update={"name": "Invoice No."}), *parser.fields[1:]]
    after = set_fields(any_inst, any_inst.team_id, parser.slug, wished)
    assert (after.fields[0].id, after.fields[0].name) == (number.id, "Invoice No.")
    assert after.columns[str(number.id)] == "invoice_no"
    assert after.revision == parser.revision + 1


def test_fields_are_known_by_name_added_removed_and_reordered(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
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
    ):
        with pytest.raises(InputError, match=words):
            update_parser(any_inst, any_inst.team_id, parser.slug, ParserChanges(settings=bad))


def test_a_deleted_parser_is_gone_and_its_slug_free_for_its_team(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    delete_parser(any_inst, any_inst.team_id, parser.slug)
    assert list_parsers(any_inst, any_inst.team_id) == []
    strangers = create_team(any_inst, "Strangers").id
    assert create_parser(any_inst, strangers, NewParser(name=parser.name)).slug == f"{parser.slug}_2"
    with pytest.raises(Conflict, match="exists already"):
        create_parser(any_inst, strangers, NewParser(name="Mine", slug=parser.slug))
    assert make_parser(any_inst).slug == parser.slug


def test_documents_of_a_deleted_parser_are_hidden(any_inst: Installation) -> None:
    gone, kept = make_parser(any_inst, "Gone"), make_parser(any_inst, "Kept")
    add(any_inst, gone, 2)
    add(any_inst, kept)
    (failed,) = add(any_inst, gone, 1, "failed")
    with any_inst.catalog.transaction() as session:
        session.execute(
            update(Document).where(Document.id == failed).values(status="failed", error="File is empty")
        )
    assert [one.document_id for one in status(any_inst, any_inst.team_id).failures] == [failed]
    delete_parser(any_inst, any_inst.team_id, gone.id)
    shown = status(any_inst, any_inst.team_id)
    assert [one.parser.slug for one in shown.parsers] == ["kept"]
    assert shown.failures == []
    assert queue(any_inst).documents == 1


@pytest.mark.parametrize("damage", ["type", "options", "stray", "settings"])
def test_a_broken_parser_says_so_and_stops_no_other(inst: Installation, damage: str) -> None:
    broken, sound = make_parser(inst, "Broken"), make_parser(inst, "Sound")
    with inst.catalog.transaction() as session:
        fields = update(ParserField).where(ParserField.parser_id == broken.id)
        if damage == "type":
            session.execute(fields.where(ParserField.name == "Total").values(type="choice"))
        elif damage == "options":
            session.execute(fields.where(ParserField.name == "Total").values(options={"not": "a list"}))
        elif damage == "stray":
            session.execute(fields.where(ParserField.table_id.is_not(None)).values(table_id="nowhere"))
        else:
            session.execute(update(Parser).where(Parser.id == broken.id).values(settings=["no", "object"]))
    views = {p.slug: p for p in list_parsers(inst, inst.team_id)}
    assert views["broken"].fields == ()
    assert "broken" in str(views["broken"].problem)
    assert views["sound"] == sound


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
