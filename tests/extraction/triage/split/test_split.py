from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from docduck.documents.document import Document, Page
from docduck.errors import InputError
from docduck.extraction.extractors.model.asking import client
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.triage.split.parts import Split, SplitOptions
from docduck.extraction.triage.split.splitter import split
from docduck.fields import parse_fields
from tests.endpoint import Question, Reply, model, says
from tests.extraction.pages import text_document
from tests.extraction.triage.split import batches
from tests.extraction.triage.split.batches import Kind, batch, score


def pages(*texts: list[str]) -> Document:
    """A document with a page for each list of lines."""
    made = []
    for number, lines in enumerate(texts, start=1):
        (one,) = text_document(*lines).pages
        made.append(Page(number, one.width, one.height, one.lines))
    return Document("application/pdf", made, len(made))


def ranges(found: Split) -> list[str]:
    return [part.page_ranges for part in found.parts]


def text(*extra: str) -> list[str]:
    return [*extra, "goods were sent by rail to the harbour", "where they were loaded on the ship"]


def invoice(number: str, *extra: str) -> list[str]:
    return text("INVOICE", f"Invoice number: {number}", *extra)


@pytest.mark.parametrize(
    ("size", "expected"), [(1, ["1", "2", "3", "4", "5"]), (2, ["1-2", "3-4", "5"]), (9, ["1-5"])]
)
def test_every_x_pages(size: int, expected: list[str]) -> None:
    found = split(pages(*[text()] * 5), SplitOptions("everyXPages", size))
    assert ranges(found) == expected
    assert (found.unassigned, {part.confidence for part in found.parts}) == ((), {1.0})


@pytest.mark.parametrize(
    ("expression", "expected", "unassigned", "warnings"),
    [
        ("1-3,4,5-", ["1-3", "4", "5-6"], (), 0),
        ("2, 1", ["2", "1"], (3, 4, 5, 6), 0),
        ("1-4,3-last", ["1-4", "3-6"], (), 0),
        ("odd,even", ["1,3,5", "2,4,6"], (), 0),
        ("1,9-12", ["1"], (2, 3, 4, 5, 6), 1),
    ],
)
def test_page_ranges(expression: str, expected: list[str], unassigned: tuple[int], warnings: int) -> None:
    found = split(pages(*[text()] * 6), SplitOptions("pageRanges", page_ranges=expression))
    assert ranges(found) == expected
    assert found.unassigned == unassigned
    assert len(found.warnings) == warnings


@pytest.mark.parametrize(
    ("options", "place"),
    [
        (SplitOptions("everyXPages"), "everyXPages"),
        (SplitOptions("everyXPages", 0), "everyXPages"),
        (SplitOptions("pageRanges"), "pageRanges"),
        (SplitOptions("pageRanges", page_ranges="1,x"), "pageRanges"),
        (SplitOptions("partitionKey"), "partitionKey"),
        (SplitOptions("partitionKey", partition_key="Nothing"), "partitionKey"),
    ],
)
def test_wrong_options_are_told(options: SplitOptions, place: str) -> None:
    with pytest.raises(InputError) as caught:
        split(pages(text()), options)
    assert caught.value.path == f"splitDocuments.{place}"


FIELDS = parse_fields(
    [
        {"name": "Invoice Number"},
        {
            "name": "Line Items",
            "type": "table",
            "columns": [{"name": "Account"}, {"name": "Amount", "type": "currency"}],
        },
    ]
)


def test_a_change_of_the_partition_key_begins_a_part() -> None:
    document = pages(invoice("A-1"), text(), invoice("A-1"), invoice("B-2"), text())
    found = split(document, SplitOptions("partitionKey", partition_key="Invoice Number", fields=FIELDS))
    assert ranges(found) == ["1-3", "4-5"]
    assert [part.key for part in found.parts] == ["A-1", "B-2"]
    assert found.parts[1].reason == "Invoice Number is B-2"
    assert all(0 < part.confidence <= 1 for part in found.parts)


def test_pages_before_the_first_key_belong_to_it() -> None:
    found = split(
        pages(text("Cover"), invoice("A-1"), invoice("B-2")),
        SplitOptions("partitionKey", partition_key="Invoice Number", fields=FIELDS),
    )
    assert [(part.page_ranges, part.key) for part in found.parts] == [("1-2", "A-1"), ("3", "B-2")]


def test_no_page_shows_the_key() -> None:
    (part,) = split(
        pages(text(), text()), SplitOptions("partitionKey", partition_key="Invoice Number", fields=FIELDS)
    ).parts
    assert (part.key, part.reason) == (None, "No page shows Invoice Number")


def test_a_column_or_a_description_may_be_the_key() -> None:
    rows = [["Account  Amount", f"{number}  10.00", f"{number}  20.00"] for number in (4711, 4711, 8150)]
    by_column = SplitOptions("partitionKey", partition_key="Line Items.Account", fields=FIELDS)
    found = split(pages(*rows), by_column)
    assert [(part.page_ranges, part.key) for part in found.parts] == [("1-2", "4711"), ("3", "8150")]
    lines = [text(f"Account number: {number}") for number in (4711, 4711, 8150)]
    by_words = SplitOptions("partitionKey", partition_key="account number", partition_key_source="custom")
    found = split(pages(*lines), by_words)
    assert [(part.page_ranges, part.key) for part in found.parts] == [("1-2", "4711"), ("3", "8150")]


BLANK: list[str] = []


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([text("Page 1 of 2"), text("Page 2 of 2"), text("Page 1 of 1")], ["1-2", "3"]),
        ([text("Seite 1 von 2"), text("Seite 2 von 2"), text("Seite 1 von 3")], ["1-2", "3"]),
        ([text("Page 1/2"), text("Page 2/2"), text("Page 1/2")], ["1-2", "3"]),
        ([invoice("A-17"), text(), invoice("B-18")], ["1-2", "3"]),
        ([invoice("A-17"), invoice("A-17"), invoice("A-17")], ["1-3"]),
        ([invoice("A-17", "Page 1/2"), invoice("A-17", "Page 2/2"), text("DELIVERY NOTE")], ["1-2", "3"]),
        ([text("CONTRACT"), text(), text("CURRICULUM VITAE"), text()], ["1-2", "3-4"]),
        ([text("one"), ["SEPARATOR SHEET"], text("two")], ["1-2", "3"]),
        ([invoice("A-17"), BLANK, invoice("B-18"), BLANK], ["1-2", "3-4"]),
        ([text("a"), BLANK, text("a")], ["1-3"]),
        ([text("STATEMENT"), text("STATEMENT", "continued"), text()], ["1-3"]),
        ([text()], ["1"]),
    ],
)  # fmt: skip
def test_documents_are_told_apart_by_what_their_pages_show(
    texts: list[list[str]], expected: list[str]
) -> None:
    found = split(pages(*texts))
    assert ranges(found) == expected
    assert sorted(page for part in found.parts for page in part.pages) == list(range(1, len(texts) + 1))
    assert all(part.reason and 0.5 <= part.confidence <= 1 for part in found.parts)


BATCHES = [batch(seed) for seed in range(40)]


@pytest.mark.extended
def test_batches_of_many_kinds_are_split_at_their_documents() -> None:
    found = [({part.pages[0] for part in split(one.document).parts[1:]}, one) for one in BATCHES]
    precision, recall = score([(starts, {*one.starts[1:]}) for starts, one in found])
    missed = [
        (one.names, sorted({*one.starts[1:]} ^ starts))
        for starts, one in found
        if starts != {*one.starts[1:]}
    ]
    assert precision >= 0.99 and recall >= 0.97, missed


@pytest.mark.parametrize(
    "kinds",
    [
        (batches.invoice, batches.order, batches.receipt, batches.letter),
        (batches.order, batches.receipt),
        (batches.short_order, batches.short_receipt, batches.short_letter, batches.short_letter),
        (batches.receipt, batches.receipt, batches.company_letter, batches.statement),
    ],
)
def test_a_page_of_another_kind_begins_a_document(kinds: Sequence[Kind]) -> None:
    made = batches.joined(kinds, Random(5))
    assert [part.pages[0] for part in split(made.document).parts] == list(made.starts)


@pytest.mark.parametrize("kind", batches.MADE)
def test_one_document_of_many_pages_stays_whole(kind: Kind) -> None:
    for seed in range(3):
        made = batches.joined([kind], Random(seed))
        assert len(split(made.document).parts) == 1


def test_an_empty_document_has_no_part() -> None:
    assert split(Document("application/pdf", [], 0)).parts == ()


def test_the_reason_says_what_was_seen() -> None:
    found = split(pages(invoice("A-17"), invoice("B-18")))
    assert found.parts[1].reason == "Invoice Number changes from A-17 to B-18"
    (_, second) = split(pages(text("Page 1 of 1"), text("Page 1 of 2"), text("Page 2 of 2"))).parts
    assert second.reason == "The page says that it is 1 of 2"


def test_instructions_without_a_model_are_told() -> None:
    found = split(pages(text(), text()), SplitOptions(instructions="One document for each ship"))
    assert "need a language model" in found.warnings[0]


def ask(url: str, folder: Path, document: Document, **options: Any) -> Split:
    asked = ModelOptions(url, "small", retries=0, slots=folder, **options)
    return split(document, SplitOptions(instructions="Each ship apart", model=asked))


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_known", {})


def test_a_model_is_asked_where_documents_begin(tmp_path: Path) -> None:
    starts = {
        "starts": [{"page": 3, "reason": "another ship"}, {"page": 99, "reason": "x"}, {"page": "2"}, 7]
    }
    with model([says(starts)]) as endpoint:
        found = ask(endpoint.url, tmp_path, pages(*[text()] * 4))
    assert ranges(found) == ["1-2", "3-4"]
    assert found.parts[1].reason == "The language model says: another ship"
    assert found.usage is not None and found.usage.requests == 1
    (question,) = endpoint.questions
    assert question.pages == [1, 2, 3, 4] and "Each ship apart" in question.text


def test_a_model_is_not_asked_where_the_pages_are_sure(tmp_path: Path) -> None:
    counted = pages(text("Page 1 of 2"), text("Page 2 of 2"), text("Page 1 of 1", "INVOICE"))
    with model([says({"starts": []})]) as endpoint:
        sure = ModelOptions(endpoint.url, "small", retries=0, slots=tmp_path)
        found = split(counted, SplitOptions(model=sure))
        assert ranges(found) == ["1-2", "3"] and found.usage is None
        assert endpoint.questions == []
        split(pages(text(), text()), SplitOptions(model=sure))
    (question,) = endpoint.questions
    items = question.body["response_format"]["json_schema"]["schema"]["properties"]["starts"]["items"]
    assert [*items["properties"]] == ["reason", "page"], "it decides after it has said why"


def test_a_model_that_should_help_and_is_not_there_is_told() -> None:
    found = split(pages(text(), text()), SplitOptions(no_model="The budget is spent"))
    assert found.warnings == ("The budget is spent; the file was split by what its pages show",)


@pytest.mark.slow
def test_long_files_are_asked_about_in_groups(tmp_path: Path) -> None:
    def script(question: Question) -> Reply:
        return says({"starts": [{"page": page, "reason": "x"} for page in question.pages if page % 10 == 1]})

    long = pages(*[text(*[f"line {row} of many words that fill the page" for row in range(20)])] * 40)
    with model(script) as endpoint:
        found = ask(endpoint.url, tmp_path, long, context_tokens=4096)
    assert len(endpoint.questions) > 2
    assert ranges(found) == ["1-10", "11-20", "21-30", "31-40"]


def test_a_model_that_fails_leaves_the_pages_to_decide(tmp_path: Path) -> None:
    document = pages(invoice("A-17"), invoice("B-18"))
    with model([Reply({}, 500)]) as endpoint:
        found = ask(endpoint.url, tmp_path, document)
    assert ranges(found) == ["1", "2"]
    assert "status 500" in found.warnings[0]
