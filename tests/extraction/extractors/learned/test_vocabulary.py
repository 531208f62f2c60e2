"""Labels and headers on which documents of several layouts agree."""

from __future__ import annotations

from dataclasses import replace

from docduck.documents.reader import read
from docduck.extraction.extractors.learned.layout_learning import learn_layout
from docduck.extraction.extractors.learned.printed_values import PrintedValues
from docduck.extraction.extractors.learned.vocabulary import with_taught_labels
from docduck.extraction.learned_layout import LayoutFingerprint, LearnedLayout, Mistake, PrintedPlace
from docduck.extraction.options import ExtractOptions
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType
from tests.extraction.extractors.learned.sender_documents import FIELDS, SENDERS, Sender, paper

REFERENCE = Field(name="Reference")
DEPOT = Field(name="Depot")
ITEMS = Field(name="Items", type=FieldType.TABLE, columns=(Field(name="Article"), Field(name="Amount")))


def layout(sender: str, label: str, field: str = "Reference") -> LearnedLayout:
    place = PrintedPlace(1, 0.1, 0.1, 0.2, beside=label.lower(), label=f"{label}:")
    return LearnedLayout(print_of(sender), {field: place})


def print_of(sender: str) -> LayoutFingerprint:
    return LayoutFingerprint(frozenset([sender]), frozenset([f"{sender}@1"]))


def labels(*layouts: LearnedLayout, similar: tuple[LearnedLayout, ...] = ()) -> dict[str, tuple[str, ...]]:
    fields = with_taught_labels([REFERENCE, DEPOT], similar, layouts)
    return {field.name: field.labels for field in fields}


def test_label_that_two_layouts_share_names_the_field() -> None:
    assert labels(layout("a", "Zarqo"), layout("b", "Zarqo")) == {"Reference": ("Zarqo:",), "Depot": ()}


def test_label_of_one_layout_says_nothing_of_others() -> None:
    assert labels(layout("a", "Zarqo"), layout("a", "Zarqo"), layout("b", "Merk"))["Reference"] == ()


def test_similar_layouts_are_read_by_their_places() -> None:
    one, other = layout("a", "Zarqo"), layout("b", "Zarqo")
    assert labels(one, other, similar=(one,))["Reference"] == ()


def test_label_of_two_fields_names_neither() -> None:
    some = [layout(sender, "Zarqo", field) for sender in "ab" for field in ("Reference", "Depot")]
    assert labels(*some) == {"Reference": (), "Depot": ()}


def test_label_of_mistakes_names_nothing() -> None:
    one, other = layout("a", "Zarqo"), layout("b", "Zarqo")
    wrong = replace(other, places={}, mistakes={"Depot": Mistake("k1", True, other.places["Reference"])})
    assert labels(one, other)["Reference"]
    assert labels(one, other, wrong)["Reference"] == ()


def test_doubtful_places_teach_no_label() -> None:
    doubtful = [
        replace(one, places={"Reference": replace(one.places["Reference"], foreign=True)})
        for one in (layout("a", "Zarqo"), layout("b", "Zarqo"))
    ]
    assert labels(*doubtful)["Reference"] == ()


def test_what_was_read_right_needs_no_further_label() -> None:
    approved = [
        replace(one, places={"Reference": replace(one.places["Reference"], corrected=False)})
        for one in (layout("a", "Zarqo"), layout("b", "Zarqo"))
    ]
    assert labels(*approved)["Reference"] == ()


def test_headers_of_the_same_layout_hold_at_once_and_shared_ones_elsewhere() -> None:
    taught = [LearnedLayout(print_of(s), headers={"Items": {"Article": h}}) for s, h in ("aX", "bY", "cY")]
    (alone,) = with_taught_labels([ITEMS], (), taught[:2])
    (similar,) = with_taught_labels([ITEMS], taught[:1], taught[:2])
    (shared,) = with_taught_labels([ITEMS], (), taught)
    assert [table.columns[0].labels for table in (alone, similar, shared)] == [(), ("X",), ("Y",)]


def taught_by(sender: Sender) -> LearnedLayout:
    data, truth = paper(sender, 0)
    document = read(data, "paper.pdf")
    return learn_layout(PrintedValues(document), FIELDS, truth, {})


def test_labels_that_two_senders_share_are_read_on_a_third() -> None:
    senders = [
        replace(sender, words=("Zarqo", *sender.words[1:]), name=name)
        for sender, name in zip(SENDERS, ("Alder", "Birch Union", "Cedar"), strict=True)
    ]
    data, truth = paper(senders[2], 1)
    document = read(data, "paper.pdf")
    before = extract_document(document, FIELDS)
    layouts = tuple(map(taught_by, senders[:2]))
    after = extract_document(document, FIELDS, ExtractOptions(learned_layouts=layouts))
    assert (before.data["Reference"], after.data["Reference"]) == (None, truth["Reference"])
