from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from docduck.documents.document import Box, Document, Line, Page, Word
from docduck.extraction.extractors.learned.layout_learning import learn_layout
from docduck.extraction.extractors.learned.printed_values import PrintedValues
from docduck.extraction.model_usage import ModelUsage
from docduck.extraction.run_extractors import extract_document
from docduck.fields import parse_fields
from tests.endpoint import Question, Reply, model, says
from tests.extraction.extractors.model.reading import FIELDS, INVOICE, Reader
from tests.extraction.pages import document, page, text_document, words

RIGHT = {
    "invoice_number": "RE-2024-17",
    "invoice_date": "2024-04-03",
    "total": 119,
    "undertaking": "Lighthouse project",
}


def test_values_come_with_their_place_and_the_usage_is_told(read: Reader) -> None:
    with model([says(RIGHT, usage=(1200, 80))]) as endpoint:
        found = read(endpoint.url, input_price=2.0, output_price=10.0)
    assert found.data == {
        "Invoice Number": "RE-2024-17",
        "Invoice Date": "2024-04-03",
        "Total": 119,
        "Undertaking": "Lighthouse project",
    }
    entry = found.field_metadata["Undertaking"]
    assert (entry["source"], entry["rawText"], entry["page"]) == ("ai", "Lighthouse project", 1)
    assert entry["locations"][0]["bbox"]["top"] == pytest.approx((40 + 6 * 14) / 800, abs=1e-4)
    assert found.warnings == []
    assert found.usage == ModelUsage("small", 1, 1200, 80, (1200 * 2.0 + 80 * 10.0) / 1_000_000)


def test_the_question_holds_schema_and_pages_and_asks_for_strict_json(read: Reader) -> None:
    with model([says(RIGHT)]) as endpoint:
        read(endpoint.url)
    (question,) = endpoint.questions
    given = question.body["response_format"]["json_schema"]
    assert given["strict"] is True
    assert list(given["schema"]["properties"]) == given["schema"]["required"] == list(RIGHT)
    assert given["schema"]["additionalProperties"] is False
    assert given["schema"]["properties"]["total"]["type"] == ["string", "null"]
    assert "What the goods are for" in given["schema"]["properties"]["undertaking"]["description"]
    assert "Rope 12 mm   2   40,00" in question.text
    assert (question.body["model"], question.body["temperature"]) == ("small", 0)


@pytest.mark.parametrize(("amount", "kind"), [("1,284.50", "number"), ("1.284,50", "string")])
def test_numbers_are_asked_for_as_printed_where_a_comma_divides_them(
    read: Reader, amount: str, kind: str
) -> None:
    shown = text_document("Rope", f"Total  {amount}")
    with model([says({"total": 1284.5 if kind == "number" else amount})]) as endpoint:
        found = read(endpoint.url, document=shown, fields=[{"name": "Total", "type": "currency"}])
    (question,) = endpoint.questions
    schema = question.body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["total"]["type"] == [kind, "null"]
    assert found.data["Total"] == 1284.5


@pytest.mark.usefixtures("no_choice")
@pytest.mark.parametrize(("said", "value"), [(5.90555, 5905.55), ("590555", 5905.55), (-5.90555, -5905.55)])
def test_a_number_whose_separators_the_model_took_for_others_is_that_which_is_printed(
    read: Reader, said: Any, value: float
) -> None:
    shown = text_document("Zq of the ship 5.905,55 and 1,20")
    with model([says({"zq": said})]) as endpoint:
        found = read(endpoint.url, document=shown, fields=[{"name": "Zq", "type": "number"}])
    assert found.data["Zq"] == value


def test_two_readings_that_agree_are_trusted_more_and_ones_that_disagree_less(read: Reader) -> None:
    alone = extract_document(INVOICE, parse_fields(FIELDS)).field_metadata["Invoice Number"]["confidence"]
    with model([says(RIGHT), says({**RIGHT, "invoice_number": "20457"})]) as endpoint:
        agreed = read(endpoint.url).field_metadata["Invoice Number"]
        disputed = read(endpoint.url).field_metadata["Invoice Number"]
    assert agreed["confidence"] >= alone > disputed["confidence"]
    assert "validation" not in agreed
    assert [entry["rule"] for entry in disputed["validation"]] == ["second_reading"]


def test_a_value_that_no_page_shows_is_a_suggestion(read: Reader) -> None:
    with model([says({**RIGHT, "undertaking": "Apollo programme", "total": 999})]) as endpoint:
        found = read(endpoint.url)
    assert found.data["Undertaking"] is None
    (entry,) = found.field_metadata["Undertaking"]["validation"]
    assert entry["rule"] == "suggestion"
    assert entry["message"] == "The language model suggests 'Apollo programme', which no page shows"
    assert found.data["Total"] == 119, "what the page shows stands against what it does not show"


def test_only_what_is_in_doubt_is_asked_for(read: Reader) -> None:
    with model([says({"undertaking": "Lighthouse project"})]) as endpoint:
        found = read(endpoint.url, ask="unsure")
    (question,) = endpoint.questions
    assert question.asked == ["undertaking"]
    assert found.data["Undertaking"] == "Lighthouse project"
    assert found.data["Total"] == 119


def test_a_model_is_told_what_announced_a_value_on_a_document_of_the_same_layout(read: Reader) -> None:
    letter = text_document("Nordwind Handel GmbH", "Zarqo: Lighthouse project", "Yours faithfully")
    fields = parse_fields([{"name": "Undertaking"}])
    truth = {"Undertaking": "Lighthouse project"}
    layout = learn_layout(PrintedValues(letter), fields, truth, {"Undertaking": None})
    with model([says({"undertaking": "Lighthouse project"})]) as endpoint:
        read(endpoint.url, document=letter, fields=[{"name": "Undertaking"}], layouts=(layout,))
    (question,) = endpoint.questions
    assert "also printed as: Zarqo" in question.text


def test_a_model_is_not_asked_where_all_is_sure(read: Reader) -> None:
    with model([]) as endpoint:
        found = read(endpoint.url, fields=FIELDS[:3], ask="unsure")
    assert (endpoint.questions, found.usage, found.warnings) == ([], None, [])


def test_sums_that_disagree_are_in_doubt_however_sure_the_values_are(read: Reader) -> None:
    bill = text_document("Invoice number: RE-1", "Net amount  100,00", "VAT  19,00", "Total  120,00")
    fields = [
        {"name": "Net amount", "type": "currency"},
        {"name": "VAT", "type": "currency"},
        {"name": "Total", "type": "currency"},
    ]
    with model([says({"total": 120})]) as endpoint:
        read(endpoint.url, document=bill, fields=fields, ask="unsure")
    (question,) = endpoint.questions
    assert len(question.asked) == 1


@pytest.mark.usefixtures("no_choice")
@pytest.mark.parametrize(
    ("field", "raw", "value"),
    [
        ({"type": "currency"}, "119,00 €", 119),
        ({"type": "currency"}, "119.0", 119),
        ({"type": "currency"}, True, None),
        ({"type": "currency"}, [119], None),
        ({"type": "currency"}, 1e300, None),
        ({"type": "date"}, "3 April 2024", "2024-04-03"),
        ({"type": "date"}, "2024-04-03T00:00:00Z", "2024-04-03"),
        ({"type": "date"}, "2024-13-45", None),
        ({"type": "date"}, 20240403, None),
        ({"type": "boolean"}, "yes", True),
        ({"type": "boolean"}, False, False),
        ({"type": "boolean"}, 7, None),
        ({"type": "choice", "options": ["Rope", "Chain"]}, "rope", "Rope"),
        ({"type": "choice", "options": ["Barrel", "Keg"]}, "Piracy", None),
        ({"type": "list"}, ["Rope", 12, None, "Rope", {"a": 1}], ["Rope", "12"]),
        ({"type": "list"}, {"a": 1}, []),
        ({"type": "text"}, 20457, "20457"),
        ({"type": "text"}, {"text": "x"}, None),
        ({"type": "text"}, "  Hafenstr.\n 4 ", "Hafenstr. 4"),
        ({"type": "table", "columns": [{"name": "A"}]}, "no rows", []),
        ({"type": "table", "columns": [{"name": "A"}]}, [1, {"b": 2}, {"a": "Rope"}], [{"A": "Rope"}]),
    ],
)
def test_answers_become_values_of_the_field_s_type_or_nothing(
    read: Reader, field: dict[str, Any], raw: Any, value: Any
) -> None:
    with model([says({"zq": raw, "unknown": "dropped"})]) as endpoint:
        found = read(endpoint.url, fields=[{"name": "Zq", **field}])
    assert found.data == {"Zq": value}


def test_fields_whose_names_make_one_key_are_kept_apart(read: Reader) -> None:
    with model([says({"net": 40, "net_2": 60})]) as endpoint:
        found = read(
            endpoint.url, fields=[{"name": "Net", "type": "number"}, {"name": "Net!", "type": "number"}]
        )
    assert found.data == {"Net": 40, "Net!": 60}


TABLE = {
    "name": "Goods",
    "type": "table",
    "columns": [
        {"name": "Description"},
        {"name": "Quantity", "type": "number"},
        {"name": "Amount", "type": "currency"},
    ],
}


def test_rows_that_are_sure_stay_and_get_the_cells_that_they_lack(read: Reader) -> None:
    placed = [words(40, 40, "Item"), words(200, 40, "Quantity"), words(300, 40, "Amount")]
    for row, (item, quantity, amount) in enumerate([("Rope", "2", "40.00"), ("Anchor", "", "60.00")]):
        placed += [words(40, 60 + 14 * row, item), words(300, 60 + 14 * row, amount)]
        placed += [words(200, 60 + 14 * row, quantity)] if quantity else []
    placed += [words(40, 110, "Anchor weighs 7 kg")]
    table = {
        "name": "Goods",
        "type": "table",
        "columns": [
            {"name": "Item"},
            {"name": "Quantity", "type": "number"},
            {"name": "Amount", "type": "currency"},
            {"name": "Weight", "type": "number"},
        ],
    }
    rows = [
        {"item": "Rope", "quantity": 2, "amount": 40, "weight": None},
        {"item": "Anchor", "quantity": 9, "amount": 60, "weight": None},
        {"item": "Compass", "quantity": 1, "amount": 999, "weight": 1},
    ]
    with model([says({"goods": rows})]) as endpoint:
        found = read(endpoint.url, document=document(page(*placed)), fields=[table])
    assert [(row["Item"], row["Amount"]) for row in found.data["Goods"]] == [("Rope", 40), ("Anchor", 60)]
    assert found.data["Goods"][1]["Quantity"] is None, "no line of the row shows it"


def test_cells_stand_on_the_line_of_their_row(read: Reader) -> None:
    letter = text_document("Dear Sir,", "we sent Rope 12 mm (2) for 40,00", "and Anchor (1) for 60,00.")
    rows = [
        {"description": "Rope 12 mm", "quantity": 2, "amount": 40},
        {"description": "Anchor", "quantity": 1, "amount": 60.0, "colour": "blue"},
    ]
    with model([says({"goods": rows})]) as endpoint:
        found = read(endpoint.url, document=letter, fields=[TABLE])
    assert found.data["Goods"] == [
        {"Description": "Rope 12 mm", "Quantity": 2, "Amount": 40},
        {"Description": "Anchor", "Quantity": 1, "Amount": 60},
    ]
    for number, row in enumerate(found.field_metadata["Goods"]):
        (top,) = {cell["locations"][0]["bbox"]["top"] for cell in row.values()}
        assert top == pytest.approx((40 + 14 * (1 + number)) / 800, abs=1e-4)
        assert row["Amount"]["confidence"] > 0.8 and row["Amount"]["source"] == "ai"


def test_tables_that_are_switched_off_are_not_asked_for(read: Reader) -> None:
    with model([says({"undertaking": "Lighthouse project"})]) as endpoint:
        found = read(endpoint.url, fields=[TABLE, {"name": "Undertaking"}], tables="disabled")
    assert found.data == {"Goods": [], "Undertaking": "Lighthouse project"}
    (question,) = endpoint.questions
    assert question.asked == ["undertaking"]


def test_a_sure_value_that_the_model_does_not_name_stays_as_it_was(read: Reader) -> None:
    alone = extract_document(INVOICE, parse_fields(FIELDS)).field_metadata["Total"]["confidence"]
    with model([says({**RIGHT, "total": None})]) as endpoint:
        found = read(endpoint.url)
    assert found.data["Total"] == 119
    assert found.field_metadata["Total"]["confidence"] == alone


def test_what_the_file_states_as_data_is_not_asked_for(read: Reader) -> None:
    from docduck.documents.reader import read as read_file

    mail = b"From: a@example.com\r\nTo: b@example.com\r\nSubject: Ropes\r\n\r\nHello\r\n"
    with model([says({"undertaking": None})]) as endpoint:
        found = read(
            endpoint.url,
            document=read_file(mail, "mail.eml"),
            fields=[{"name": "Subject"}, {"name": "Undertaking"}],
        )
    assert found.data["Subject"] == "Ropes"
    (question,) = endpoint.questions
    assert question.asked == ["undertaking"]


def long_document(pages: int, rows: int = 20) -> Document:
    """Pages of a table whose rows run on, the first with a number, the last with a total."""
    made = []
    for number in range(1, pages + 1):
        placed = [words(40, 40, f"Statement S-77 page {number}")]
        for row in range(rows):
            item = (number - 1) * rows + row
            placed.append(words(40, 70 + 14 * row, f"Item{item}"))
            placed.append(words(300, 70 + 14 * row, f"{item + 1000}.25"))
        if number == pages:
            placed.append(words(40, 70 + 14 * rows, "Closing balance 987654.00"))
        made.append(page(*placed, number=number))
    return document(*made)


ROWS: dict[str, Any] = {
    "name": "Lines",
    "type": "table",
    "columns": [{"name": "Item"}, {"name": "Amount", "type": "currency"}],
}


def reads_rows(question: Question) -> Reply:
    """A model that reads the pages of ``long_document`` well."""
    rows = [
        {"item": item, "amount": float(amount)}
        for item, amount in re.findall(r"(Item\d+) +([\d.]+)", question.text)
    ]
    closing = re.search(r"Closing balance ([\d.]+)", question.text)
    return says({"lines": rows, "balance": float(closing[1]) if closing else None})


@pytest.mark.slow
def test_eighty_pages_lose_nothing(read: Reader) -> None:
    with model(reads_rows) as endpoint:
        found = read(
            endpoint.url,
            document=long_document(80),
            fields=[ROWS, {"name": "Balance", "type": "currency"}],
            context_tokens=8192,
        )
    assert [row["Item"] for row in found.data["Lines"]] == [f"Item{n}" for n in range(1600)]
    assert found.data["Balance"] == 987654
    assert found.field_metadata["Balance"]["page"] == 80
    assert len(endpoint.questions) > 2
    assert sorted({number for q in endpoint.questions for number in q.pages}) == list(range(1, 81))
    assert found.usage is not None and found.usage.requests == len(endpoint.questions)


def test_windows_overlap_and_rows_seen_twice_count_once(read: Reader) -> None:
    with model(reads_rows) as endpoint:
        found = read(
            endpoint.url, document=long_document(12, 40), fields=[ROWS], context_tokens=4096, max_concurrent=1
        )
    asked = [question.pages for question in endpoint.questions]
    assert len(asked) > 1
    assert all(after[0] == before[-1] for before, after in pairwise(asked))
    assert [row["Item"] for row in found.data["Lines"]] == [f"Item{n}" for n in range(480)]
    for number, row in enumerate(found.field_metadata["Lines"]):
        assert row["Amount"]["page"] == number // 40 + 1


def test_equal_rows_of_a_shared_page_stay_as_many_as_they_are(read: Reader) -> None:
    def row(y: float) -> list[list[Word]]:
        return [words(40, y, "Ticket"), words(300, y, "5.00")]

    pages = [
        page(*(cell for n in range(40) for cell in row(20 + 19 * n)), number=number)
        for number in range(1, 13)
    ]

    def script(question: Question) -> Reply:
        return says({"lines": [{"item": "Ticket", "amount": 5}] * question.text.count("Ticket")})

    with model(script) as endpoint:
        found = read(endpoint.url, document=document(*pages), fields=[ROWS], context_tokens=4096)
    assert len(endpoint.questions) > 1
    assert len(found.data["Lines"]) == 480


@pytest.mark.slow
def test_an_answer_that_is_cut_off_is_asked_for_in_halves(read: Reader) -> None:
    def script(question: Question) -> Reply:
        if len(question.text.split("Item")) > 30:
            return says('{"lines": [{"item": "Item0', finish="length")
        return reads_rows(question)

    with model(script) as endpoint:
        found = read(endpoint.url, document=long_document(3, rows=45), fields=[ROWS])
    assert found.warnings == []
    assert [row["Item"] for row in found.data["Lines"]] == [f"Item{n}" for n in range(135)]


def test_the_second_half_of_a_page_has_its_heads_and_only_open_questions(read: Reader) -> None:
    cells = [words(40, 40, "Rather cheerful"), words(40, 80, "Item"), words(300, 80, "Amount")]
    for n in range(24):
        y = 100 + 20 * n
        cells += [words(40, y, f"Item{n}"), words(300, y, f"{n}.50")]

    def script(question: Question) -> Reply:
        if question.text.count(".50") > 16:
            return says('{"lines": [{"item": "Item0', finish="length")
        rows = [line.split() for line in question.text.splitlines() if line.endswith(".50")]
        lines = [{"item": item, "amount": float(amount)} for item, amount in rows]
        return says({"lines": lines, "mood": "cheerful"} if "mood" in question.asked else {"lines": lines})

    fields = [ROWS, {"name": "Mood"}]
    with model(script) as endpoint:
        found = read(endpoint.url, document=document(page(*cells)), fields=fields)
    *_, first, second = endpoint.questions
    assert (first.asked, second.asked) == (["lines", "mood"], ["lines"])
    assert "cheerful" not in second.text and "Item   " in second.text
    assert [row["Item"] for row in found.data["Lines"]] == [f"Item{n}" for n in range(24)]
    assert found.data["Mood"] == "cheerful"


def test_a_scalar_is_taken_from_the_window_that_shows_it(read: Reader) -> None:
    def script(question: Question) -> Reply:
        if 1 in question.pages:
            return says({"holder": "Nobody At All"})
        return says({"holder": "Closing balance" if 12 in question.pages else None})

    with model(script) as endpoint:
        found = read(
            endpoint.url, document=long_document(12, 40), fields=[{"name": "Holder"}], context_tokens=4096
        )
    assert found.data["Holder"] == "Closing balance"
    assert found.field_metadata["Holder"]["page"] == 12


def test_a_text_over_several_lines_is_found_by_its_parts(read: Reader) -> None:
    with model([says({"recipient": "Nordwind Handel GmbH, 20457 Hamburg"})]) as endpoint:
        found = read(endpoint.url, fields=[{"name": "Recipient"}])
    entry = found.field_metadata["Recipient"]
    assert [place["text"] for place in entry["locations"]] == ["Nordwind Handel GmbH", "20457 Hamburg"]


def test_of_equal_values_the_one_beside_its_label_is_the_place(read: Reader) -> None:
    placed = [
        words(40, 40, "Deposit"), words(200, 40, "50.00"),
        words(40, 60, "Zwolle"), words(200, 60, "50.00"),
    ]  # fmt: skip
    with model([says({"zwolle": 50})]) as endpoint:
        found = read(
            endpoint.url,
            document=document(page(*placed)),
            fields=[{"name": "Zwolle", "type": "currency"}],
        )
    assert found.field_metadata["Zwolle"]["locations"][0]["bbox"]["top"] == pytest.approx(60 / 800)


def test_a_page_without_words_gives_the_model_nothing_to_read(read: Reader) -> None:
    blank = Document("application/pdf", [Page(1, 595, 842)], 1)
    with model([says(RIGHT)]) as endpoint:
        found = read(endpoint.url, document=blank)
    assert endpoint.questions == []
    assert set(found.data.values()) == {None}


@pytest.mark.slow
def test_one_endless_word_is_cut_into_pieces(read: Reader) -> None:
    word = Word("x" * 30_000, Box(0.1, 0.1, 0.8, 0.02))
    endless = Document("text/plain", [Page(1, 595, 842, [Line((word,), word.box)])], 1)
    with model([says({"undertaking": None})]) as endpoint:
        read(endpoint.url, document=endless, context_tokens=8192)
    assert sum(question.text.count("x") for question in endpoint.questions) >= 30_000
    assert all(len(question.text) < 8192 * 3 for question in endpoint.questions)
