from __future__ import annotations

from pathlib import Path

import pytest

from docduck import templates
from docduck.errors import InputError
from docduck.service.accounts.accounts import members
from docduck.service.core.installation import Installation
from docduck.service.parsers.parsers import NewParser, create_parser, get_parser, list_parsers
from docduck.service.parsers.post_processing import get_post_processing
from docduck.service.provisioning.pipeline import apply_pipeline, load_pipeline
from docduck.service.reviews.review_stages import list_stages
from tests.service.core.people import make_member


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "pipeline.yaml"


def apply(inst: Installation, file: Path, text: str) -> list[str]:
    file.write_text(text, encoding="utf-8")
    return apply_pipeline(inst, inst.team_id, load_pipeline(file))


NOTES = """
parsers:
  - name: Delivery notes
    slug: notes
    description: What came
    settings: {dataExtractionMode: fast, confidenceScores: {enabled: false}}
    fields:
      - {name: Number, required: true}
      - {name: Day, type: date}
      - name: Lines
        type: table
        columns: [{name: Article}, {name: Quantity, type: number}]
"""


def test_missing_parsers_are_made_and_the_second_time_there_is_nothing_to_do(
    any_inst: Installation, file: Path
) -> None:
    text = NOTES + "  - template: receipt\n"
    done = apply(any_inst, file, text)
    fields = len(templates.load("receipt").fields)
    assert done == ["notes: created with 3 fields", f"receipts: created with {fields} fields"]
    notes = get_parser(any_inst, any_inst.team_id, "notes")
    assert (notes.name, notes.description) == ("Delivery notes", "What came")
    assert notes.settings["dataExtractionMode"] == "fast"
    assert [field.name for field in notes.fields] == ["Number", "Day", "Lines"]
    receipts = get_parser(any_inst, any_inst.team_id, "receipts")
    assert (receipts.template_key, receipts.name) == ("receipt", templates.load("receipt").name)
    assert (any_inst.settings.inbox / "notes").is_dir()

    revisions = [parser.revision for parser in list_parsers(any_inst, any_inst.team_id)]
    assert apply(any_inst, file, text) == ["nothing to change"]
    assert [parser.revision for parser in list_parsers(any_inst, any_inst.team_id)] == revisions


def test_synonyms_of_settings_are_no_change(inst: Installation, file: Path) -> None:
    text = """
parsers:
  - name: Notes
    settings:
      splitDocuments: {enabled: true, mode: smart}
      classificationGate: {enabled: true, mode: deny, labels: [" Flyer "]}
      acceptedFileTypes: [Application/PDF]
MORE    fields: [{name: Number}]
"""
    assert apply(inst, file, text.replace("MORE", "")) == ["notes: created with 1 fields"]
    assert apply(inst, file, text.replace("MORE", "")) == ["nothing to change"]
    # Nor is a setting without a value that is not set.
    assert apply(inst, file, text.replace("MORE", "      retentionDays: null\n")) == ["nothing to change"]
    # A parser without fields in the file keeps its own.
    assert apply(inst, file, "parsers:\n- {name: Notes}\n") == ["nothing to change"]
    assert len(get_parser(inst, inst.team_id, "notes").fields) == 1


def test_changes_are_made_and_told(any_inst: Installation, file: Path) -> None:
    apply(any_inst, file, NOTES)
    before = get_parser(any_inst, any_inst.team_id, "notes")
    done = apply(
        any_inst,
        file,
        """
parsers:
  - name: Notes
    slug: notes
    active: false
    settings: {dataExtractionMode: balanced}
    fields:
      - {name: Total, type: currency}
      - {name: Note No, was: Number, required: true, description: Printed on top}
      - name: Lines
        type: table
        columns: [{name: Pieces, was: Quantity, type: number}, {name: Article}]
""",
    )
    assert done == [
        "notes: name is now 'Notes'",
        "notes: is now inactive",
        "notes: setting dataExtractionMode changed",
        "notes: field Total added",
        "notes: field Number renamed to Note No",
        "notes: field Note No changed (description)",
        "notes: column Quantity of Lines renamed to Pieces",
        "notes: order of the columns of Lines changed",
        "notes: field Day removed",
    ]
    after = get_parser(any_inst, any_inst.team_id, "notes")
    assert (after.name, after.description, after.is_active) == ("Notes", "What came", False)
    assert after.settings["confidenceScores"] == {"enabled": False}, "what the file leaves out stays"
    assert [field.name for field in after.fields] == ["Total", "Note No", "Lines"]
    assert after.fields[1].id == before.fields[0].id
    assert after.fields[2].columns[0].id == before.fields[2].columns[1].id
    assert after.id == before.id


def test_settings_may_name_fields_of_the_file(inst: Installation, file: Path) -> None:
    text = """parsers:
- name: Notes
  settings: {documentNameTemplate: "Note {NUMBER}", duplicateKeys: [NUMBER, Day], retentionDays: 30}
  fields: [{name: FIELD}, {name: Day, type: date}]
"""
    first = text.replace("NUMBER", "Number").replace("FIELD", "Number")
    assert apply(inst, file, first) == ["notes: created with 2 fields"]
    assert apply(inst, file, first) == ["nothing to change"]
    parser = get_parser(inst, inst.team_id, "notes")
    assert parser.settings == {
        "documentNameTemplate": "Note {Number}",
        "duplicateKeys": [field.id for field in parser.fields],
        "retentionDays": 30,
    }
    renamed = text.replace("NUMBER", "Nr").replace("FIELD", "Nr, was: Number")
    assert apply(inst, file, renamed) == ["notes: field Number renamed to Nr"]
    assert get_parser(inst, inst.team_id, "notes").settings["documentNameTemplate"] == "Note {Nr}"
    added = "parsers:\n- {name: Notes, settings: {duplicateKeys: [New]}, fields: [{name: New}]}\n"
    assert "notes: setting duplicateKeys changed" in apply(inst, file, added)
    with pytest.raises(InputError, match=r"pipeline.yaml:2: parsers\[0\]\.settings\.duplicateKeys.*'Gone'"):
        apply(inst, file, added.replace("[New]", "[Gone]"))


def test_a_rename_that_is_done_stays_done(inst: Installation, file: Path) -> None:
    apply(inst, file, "parsers:\n- {name: A, fields: [{name: Old}]}\n")
    old = get_parser(inst, inst.team_id, "a").fields[0].id
    text = "parsers:\n- {name: A, fields: [{name: New, was: Old}]}\n"
    assert apply(inst, file, text) == ["a: field Old renamed to New"]
    assert apply(inst, file, text) == ["nothing to change"]
    both = "parsers:\n- {name: A, fields: [{name: New, was: Old}, {name: Old}]}\n"
    assert apply(inst, file, both) == ["a: field Old added"]
    fields = get_parser(inst, inst.team_id, "a").fields
    assert fields[0].id == old != fields[1].id
    # At once, too.
    apply(inst, file, "parsers:\n- {name: B, fields: [{name: Old}]}\n")
    old = get_parser(inst, inst.team_id, "b").fields[0].id
    apply(inst, file, "parsers:\n- {name: B, fields: [{name: Old, type: date}, {name: New, was: Old}]}\n")
    found = {field.name: field.id for field in get_parser(inst, inst.team_id, "b").fields}
    assert found["New"] == old != found["Old"]


def test_fields_add_to_a_template_or_take_the_place_of_its_own(inst: Installation, file: Path) -> None:
    apply(
        inst,
        file,
        """
parsers:
  - template: invoice
    slug: bills
    fields:
      - {name: invoice number, type: number}
      - {name: Cost Centre}
""",
    )
    fields = get_parser(inst, inst.team_id, "bills").fields
    ready = templates.load("invoice").fields
    assert len(fields) == len(ready) + 1
    assert (fields[0].name, fields[0].type) == ("invoice number", "number")
    assert fields[-1].name == "Cost Centre"


def test_parsers_that_are_not_in_the_file_are_named_and_kept(inst: Installation, file: Path) -> None:
    create_parser(inst, inst.team_id, NewParser(name="Other"))
    done = apply(inst, file, "parsers:\n- name: A\n")
    assert done == ["a: created with 0 fields", "other: is in the catalog and not in the file; left"]
    assert [parser.slug for parser in list_parsers(inst, inst.team_id)] == ["other", "a"]


def test_unknown_parsers_are_all_named_before_anything_changes(inst: Installation, file: Path) -> None:
    create_parser(inst, inst.team_id, NewParser(name="Known"))
    text = """parsers:
- name: A
sources:
- {name: one, folder: x, parser: known}
- {name: two, folder: x, parser: missing}
exports:
- {name: e, parser: nowhere, format: csv, after: each run}
"""
    with pytest.raises(InputError) as caught:
        apply(inst, file, text)
    assert caught.value.message.splitlines() == [
        "pipeline.yaml:5: sources[1].parser: no parser is called 'missing', in this file or in the catalog",
        "pipeline.yaml:7: exports[0].parser: no parser is called 'nowhere', in this file or in the catalog",
    ]
    assert [parser.slug for parser in list_parsers(inst, inst.team_id)] == ["known"]


REVIEW = (
    NOTES
    + """
    review:
      - {name: Goods in, reviewer: ANN, instructions: Compare}
      - name: Large
        rules: [{field: Lines.Quantity, condition: extracted_value, operator: ">", value: 1000}]
"""
)


def stages(inst: Installation) -> list[tuple[int, str, str, str | None, int]]:
    found = list_stages(inst, inst.team_id, "notes")
    return [
        (one.position, one.name, one.review_type, one.reviewer.name if one.reviewer else None, len(one.rules))
        for one in found
    ]


def test_review_stages_are_those_of_the_file(any_inst: Installation, file: Path) -> None:
    member = make_member(any_inst)
    (ann,) = [one.email for one in members(any_inst, any_inst.team_id) if one.id == member]
    text = REVIEW.replace("ANN", ann.upper())
    assert apply(any_inst, file, text)[1:] == [
        "notes: review stage Goods in added",
        "notes: review stage Large added",
    ]
    expected = [(1, "Goods in", "mandatory", "Ann", 0), (2, "Large", "conditional", None, 1)]
    assert stages(any_inst) == expected
    assert apply(any_inst, file, text) == ["nothing to change"]
    # Without the key they are left alone.
    assert apply(any_inst, file, NOTES) == ["nothing to change"]
    assert stages(any_inst) == expected
    changed = text.replace("1000", "2000")
    changed = changed.replace("instructions: Compare", "instructions: Look, onFailedChecks: block")
    assert apply(any_inst, file, changed) == [
        "notes: review stage Goods in changed (reviewer_instructions, on_failed_checks)",
        "notes: review stage Large changed (rules)",
    ]
    swapped = NOTES + "    review: [{name: large}, {name: New}]\n"
    assert apply(any_inst, file, swapped) == [
        "notes: review stage Goods in removed",
        "notes: review stage large changed (name, review_type, rules)",
        "notes: review stage New added",
    ]
    assert stages(any_inst) == [(1, "large", "mandatory", None, 0), (2, "New", "mandatory", None, 0)]


def test_wrong_review_stages_are_named_with_their_place(inst: Installation, file: Path) -> None:
    apply(inst, file, NOTES)
    place = r"parsers\[0\].review"
    for review, message in (
        ("[{name: A, reviewer: x@y.z}]", rf"{place}\[0\].reviewer: no member of the team"),
        ("[{name: A}, {name: a }]", rf"{place}\[1\].name: 'a' is also the name of review\[0\]"),
        ("[{name: ' '}]", "must not be empty"),
        (
            "[{name: A, rules: [{field: Nothing, condition: exists}]}]",
            rf"{place}\[0\].rules.0.field: Unknown field: Nothing",
        ),
    ):
        with pytest.raises(InputError, match=message):
            apply(inst, file, f"{NOTES}    review: {review}\n")
    assert stages(inst) == []


POST_PROCESSING = """
parsers:
  - name: Bills
    fields: [{name: Vendor}, {name: Account, extract: false}, {name: Due, type: date}]
    lookupTables: {vendors: tables/vendors.csv}
    postProcessing:
      - type: lookup
        table: vendors
        match: [{field: Vendor, column: name}]
        write: [{field: Account, column: account}]
      - {type: transform, field: Due, transform: default, value: 2026-01-31}
"""


def test_post_processing_and_its_tables_are_applied(any_inst: Installation, file: Path) -> None:
    (file.parent / "tables").mkdir()
    table = file.parent / "tables/vendors.csv"
    table.write_text("name,account\nAcme,7001\n")
    done = apply(any_inst, file, POST_PROCESSING)
    assert done[1:] == ["bills: lookup table vendors has 1 row now", "bills: post-processing has 2 steps now"]
    steps = get_post_processing(any_inst, any_inst.team_id, "bills")
    assert [step["type"] for step in steps] == ["lookup", "transform"]
    assert steps[1]["value"] == "2026-01-31"
    assert apply(any_inst, file, POST_PROCESSING) == ["nothing to change"]
    table.write_text("name,account\nAcme,7001\nBolt,7002\n")
    assert apply(any_inst, file, POST_PROCESSING) == ["bills: lookup table vendors has 2 rows now"]
    without = POST_PROCESSING[: POST_PROCESSING.index("    lookupTables")]
    assert apply(any_inst, file, without) == ["nothing to change"]
    assert apply(any_inst, file, without + "    postProcessing: []\n") == [
        "bills: post-processing has 0 steps now"
    ]


def test_wrong_post_processing_is_told_with_its_line(inst: Installation, file: Path) -> None:
    with pytest.raises(
        InputError, match=r"pipeline.yaml:5: parsers\[0\].lookupTables.vendors: .*No such file"
    ):
        apply(inst, file, POST_PROCESSING)
    (file.parent / "tables").mkdir()
    (file.parent / "tables/vendors.csv").write_text("name,account\nAcme\n")
    with pytest.raises(InputError, match=r"pipeline.yaml:5: .*vendors.csv: Line 2 of the lookup table"):
        apply(inst, file, POST_PROCESSING)
    (file.parent / "tables/vendors.csv").write_text("name,number\nAcme,1\n")
    place = r"pipeline.yaml:10: parsers\[0\].postProcessing\[0\].write\[0\].column: "
    with pytest.raises(InputError, match=place + "The lookup table has no column 'account'"):
        apply(inst, file, POST_PROCESSING)
    with pytest.raises(InputError, match="did you mean postProcessing"):
        apply(inst, file, POST_PROCESSING.replace("postProcessing", "postprocessing"))
