"""What a lesson may not do: break values of documents that only resemble the one that taught it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from docduck.documents.document import Document
from docduck.extraction.extractors.learned.layout_learning import fingerprint_of, learn_layout
from docduck.extraction.extractors.learned.printed_values import PrintedValues
from docduck.extraction.learned_layout import LearnedLayout, SenderMarks
from docduck.extraction.page.page_view import views_of
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, parse_fields
from tests.extraction.extractors.learned.letter_documents import corrected, read_with
from tests.extraction.pages import document, page, right, words

FIELDS = parse_fields(
    [
        {"name": "Invoice Number"},
        {"name": "Due Date", "type": "date"},
        {"name": "Total", "type": "currency"},
        {
            "name": "Items",
            "type": "table",
            "columns": [{"name": "Description"}, {"name": "Amount", "type": "currency"}],
        },
    ]
)
ROWS = (("Copper bolt", "40.00"), ("Oak plank", "60.00"))
BRICK = ("Brick & Sons Ltd", "DE02120300000000202051", "brick.example")
MEADOW = ("Meadow Bakery GmbH", "DE75512108001245126199", "meadow.example")


def invoice(
    *facts: tuple[str, str],
    sender: tuple[str, str, str] = BRICK,
    rows: tuple[tuple[str, str], ...] = ROWS,
    total: str = "Total",
) -> Document:
    """An invoice with facts beside the addressee's address, which all documents have in common."""
    name, iban, host = sender
    placed = [words(40, 30, name), words(40, 44, "14 Calvert Avenue"), words(40, 58, "10115 Berlin")]
    for line, text in enumerate(("Duck Trading Ltd", "27 Pond Lane", "20457 Hamburg")):
        placed.append(words(40, 130 + 14 * line, text))
    for line, (label, value) in enumerate(facts):
        placed.append(words(320, 130 + 14 * line, f"{label} {value}".strip()))
    y = 240
    placed += [words(40, y, "Description"), right(560, y, "Amount")]
    for text, amount in rows:
        y += 16
        placed += [words(40, y, text), right(560, y, amount)]
    placed += [words(380, y + 30, total), right(560, y + 30, "100.00")]
    placed += [words(40, 760, f"{name} IBAN {iban} www.{host}")]
    return document(page(*placed))


def taught(source: Document, fields: list[Field] = FIELDS, **changes: Any) -> LearnedLayout:
    return corrected(source, fields, **changes)


def data(source: Document, *layouts: LearnedLayout) -> dict[str, Any]:
    return read_with(source, FIELDS, *layouts).data


@pytest.mark.parametrize("sender", [BRICK, MEADOW], ids=["same sender", "other sender"])
def test_a_place_beside_the_addressee_gives_no_label_away(sender: tuple[str, str, str]) -> None:
    lesson = taught(invoice(("", "K-4711")), Invoice_Number="K-4711")
    other = invoice(("Invoice Date:", "12.06.2026"), ("Invoice Number:", "INV-00006"), sender=sender)
    assert lesson.places["Invoice Number"].corrected
    assert data(other, lesson)["Invoice Number"] == "INV-00006"


def test_a_place_is_not_anchored_on_the_addressee() -> None:
    place = taught(invoice(("", "K-4711"), ("", "K-4712")), Invoice_Number="K-4711").places["Invoice Number"]
    assert (place.before, place.beside, place.label) == ("", "", "")


def test_a_value_of_the_addressee_that_a_field_tells_is_no_anchor() -> None:
    fields = [*FIELDS, *parse_fields([{"name": "Customer Name"}])]
    placed = [words(40, 300, "Harbour Kiosk  Quay"), words(320, 300, "K-4711")]
    source = document(page(*placed))
    after = {"Invoice Number": "K-4711", "Customer Name": "Harbour Kiosk Quay"}
    lesson = learn_layout(PrintedValues(source), fields, after, {})
    assert lesson.places["Invoice Number"].beside == ""


def test_the_own_label_wins_over_a_learned_place() -> None:
    lesson = taught(invoice(("Zarqo", "K-4711")), Invoice_Number="K-4711")
    assert data(invoice(("Zarqo", "K-4712")), lesson)["Invoice Number"] == "K-4712"
    both = invoice(("Zarqo", "K-4712"), ("Invoice Number:", "R-17"))
    assert data(both, lesson)["Invoice Number"] == "R-17"


def test_a_colon_apart_from_the_label_is_no_part_of_the_value() -> None:
    lesson = taught(invoice(("Zarqo :", "K-4711")), Invoice_Number="K-4711")
    assert data(invoice(("Zarqo :", "K-4712")), lesson)["Invoice Number"] == "K-4712"


def test_an_own_label_that_the_corrected_document_had_too_does_not() -> None:
    lesson = taught(invoice(("Zarqo", "K-4711"), ("Invoice Number:", "R-16")), Invoice_Number="K-4711")
    both = invoice(("Zarqo", "K-4712"), ("Invoice Number:", "R-17"))
    assert data(both, lesson)["Invoice Number"] == "K-4712"


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("Due Date:", "12.06.2026"),
        ("Order No.", "4716"),
        ("Fällig am:", "12.06.2026"),
        ("Data:", "12.06.2026"),
    ],
)
def test_text_that_begins_with_the_label_of_another_field_is_no_value(label: str, value: str) -> None:
    lesson = taught(invoice(("", "K-4711")), Invoice_Number="K-4711")
    found = data(invoice((label, value)), lesson)["Invoice Number"]
    assert not str(found or "").startswith(label)


def test_the_date_of_another_label_is_not_read_at_a_learned_place() -> None:
    lesson = taught(invoice(("", "12.06.2026")), Due_Date="2026-06-12")
    assert data(invoice(("", "14.06.2026")), lesson)["Due Date"] == "2026-06-14"
    assert data(invoice(("Delivery date", "15.06.2026")), lesson)["Due Date"] != "2026-06-15"


def statement(*rows: tuple[str, str, str], total: str) -> Document:
    """A statement whose closing amount stands under the rows, with a word that rows may have, too."""
    placed = [words(40, 40, "Brick & Sons Ltd"), words(40, 54, "IBAN DE02120300000000202051")]
    placed += [words(40, 200, "Date"), words(140, 200, "Description"), right(560, 200, "Amount")]
    y = 200
    for day, text, amount in rows:
        y += 16
        placed += [words(40, y, day), words(140, y, text), right(560, y, amount)]
    placed += [words(140, y + 16, "Vind"), right(560, y + 16, total)]
    return document(page(*placed))


def test_the_row_of_a_table_stays_where_a_learned_amount_is_in_it() -> None:
    columns = [
        {"name": "Date", "type": "date"},
        {"name": "Description"},
        {"name": "Amount", "type": "currency"},
    ]
    fields = parse_fields(
        [{"name": "Bonus", "type": "currency"}, {"name": "Rows", "type": "table", "columns": columns}]
    )
    first, last = ("01.06.2026", "Copper bolt", "30.00"), ("05.06.2026", "Oak plank", "60.00")
    source = statement(first, last, total="90.00")
    lesson = corrected(source, fields, Bonus=90.0, Rows=[])
    assert lesson.places["Bonus"].beside == "vind"
    other = statement(first, ("04.06.2026", "Vind", "70.00"), last, total="1.00")
    rows = read_with(other, fields, lesson).data["Rows"]
    assert [row["Amount"] for row in rows][:3] == [30.0, 70.0, 60.0]


def test_senders_with_one_program_address_and_addressee_are_two_looks() -> None:
    facts = (("Zarqo", "K-4711"), ("Due Date:", "12.06.2026"))
    prints = [fingerprint_of(views_of(invoice(*facts, sender=sender))) for sender in (BRICK, BRICK, MEADOW)]
    assert prints[0].is_like(prints[1])
    assert prints[0].similarity(prints[2]) > 0.4 and not prints[0].is_like(prints[2])


@pytest.mark.parametrize("kind", ["names", "registrations", "accounts", "hosts"])
def test_marks_of_the_sender_decide(kind: str) -> None:
    mine = fingerprint_of(views_of(invoice()))
    bare = SenderMarks()

    def like(own: str, other: str) -> bool:
        prints = [replace(mine, sender=replace(bare, **{kind: frozenset([text])})) for text in (own, other)]
        return prints[0].is_like(prints[1])

    assert like("fenlandmill", "fenlandmill") and not like("fenlandmill", "harbourbank")
    assert replace(mine, sender=bare).is_like(mine), "nothing is known of one of them"


def test_a_misread_name_is_the_same_where_the_account_is() -> None:
    mine = fingerprint_of(views_of(invoice()))
    misread = replace(mine.sender, names=frozenset({"somethingelse"}))
    assert mine.is_like(replace(mine, sender=misread))


def test_lessons_of_earlier_versions_have_no_marks_of_the_sender() -> None:
    stored = taught(invoice(("Zarqo", "K-4711")), Invoice_Number="K-4711").as_json()
    del stored["sender"], stored["right_columns"], stored["approved"]
    for place in stored["places"].values():
        del place["misleading"]
    former = LearnedLayout.from_json(stored)
    assert data(invoice(("Zarqo", "K-4712")), former)["Invoice Number"] == "K-4712"


def approved(source: Document, fields: list[Field] = FIELDS) -> LearnedLayout:
    read = extract_document(source, fields).data
    lesson = replace(learn_layout(PrintedValues(source), fields, read, read), approved=True)
    return LearnedLayout.from_json(lesson.as_json())


def numbered(number: int) -> Document:
    facts = (("Invoice Nr", f"K-47{number}"), ("Due", f"1{number}.06.2026"))
    return invoice(*facts, rows=((f"Bolt {number}", "40.00"), ("Plank", "60.00")))


def test_what_was_approved_as_read_makes_the_same_places_surer() -> None:
    lessons = [approved(numbered(number)) for number in range(6)]
    before = extract_document(numbered(7), FIELDS)

    def sure(*layouts: LearnedLayout) -> dict[str, float]:
        entries = read_with(numbered(7), FIELDS, *layouts).field_metadata
        return {name: entries[name]["confidence"] for name in entries if name != "Items"}

    by_count = [sure(), sure(*lessons[:1]), sure(*lessons)]
    assert all(value is not None for value in before.data.values())
    for name in by_count[0]:
        assert by_count[0][name] <= by_count[1][name] <= by_count[2][name]
        assert by_count[2][name] >= 0.98
    assert read_with(numbered(7), FIELDS, *lessons).data == before.data


def test_columns_that_were_approved_as_read_make_cells_surer() -> None:
    lessons = [approved(numbered(number)) for number in range(6)]
    wrong = replace(lessons[0], right_columns={"Items": ("Amount",)})

    def sure(*layouts: LearnedLayout) -> list[float]:
        rows = read_with(numbered(7), FIELDS, *layouts).field_metadata["Items"]
        return [cell["confidence"] for row in rows for cell in row.values()]

    assert min(sure(*lessons)) >= 0.98 > min(sure())
    assert min(sure(wrong, wrong)) == min(sure()), "a column that was corrected is not surer"


def test_what_nobody_approved_makes_nothing_surer() -> None:
    lesson = replace(approved(numbered(1)), approved=False)
    plain = extract_document(numbered(7), FIELDS)
    assert read_with(numbered(7), FIELDS, lesson).field_metadata == plain.field_metadata


def test_other_senders_make_nothing_surer() -> None:
    lessons = tuple(approved(numbered(number)) for number in range(3))
    other = invoice(("Invoice Nr", "K-479"), ("Due", "19.06.2026"), sender=MEADOW)
    plain = extract_document(other, FIELDS)
    assert read_with(other, FIELDS, *lessons).field_metadata == plain.field_metadata
