from __future__ import annotations

from dataclasses import replace

import pytest

from docduck.extraction.extractors.learned.agreement import agree, clusters_of, taught_places
from docduck.extraction.extractors.learned.doubts import is_foreign, with_doubts
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.learned_layout import Edit, LayoutFingerprint, LearnedLayout, PrintedPlace
from docduck.fields import Field, parse_fields

WORDS = LayoutFingerprint(frozenset({"invoice", "number", "total"}), frozenset({"invoice@1", "total@9"}))
OTHER = LayoutFingerprint(frozenset({"receipt"}), frozenset({"receipt@3"}))
PLACE = PrintedPlace(1, 0.5, 0.2, 0.6, beside="number", shape="A-9")
ELSEWHERE = replace(PLACE, beside="reference")


def layout(
    place: PrintedPlace = PLACE, at: str = "2026-01-01", cluster: LayoutFingerprint = WORDS
) -> LearnedLayout:
    return LearnedLayout(cluster, {"x": place}, edits={"x": Edit("ann", at)})


def taught(*layouts: LearnedLayout) -> list[tuple[str, int, int]]:
    """The words of each position, its support, and the number of its rivals."""
    found = taught_places("x", clusters_of(layouts))
    return [(one.place.words, one.support, len(list(one.rivals()))) for one in found]


def test_the_newest_of_a_look_comes_first_and_wins() -> None:
    old, new = layout(PLACE, "2026-01-01"), layout(ELSEWHERE, "2026-01-02")
    for given in ((old, new), (new, old)):
        assert taught(*given) == [("reference", 1, 0), ("number", 1, 1)]


def test_agreeing_documents_support_each_other_and_approvals_win_over_nothing() -> None:
    approved = layout(replace(ELSEWHERE, corrected=False), "2026-01-03")
    assert taught(layout(), layout(at="2026-01-02"), approved) == [
        ("reference", 1, 0),
        ("number", 2, 0),
        ("number", 2, 0),
    ]


def test_other_looks_neither_support_nor_win() -> None:
    assert taught(layout(), layout(ELSEWHERE, "2026-01-02", OTHER)) == [("number", 1, 0), ("reference", 1, 0)]


def test_a_doubtful_correction_wins_once_another_document_agrees() -> None:
    old, odd = layout(), layout(replace(ELSEWHERE, foreign=True), "2026-01-02")
    assert taught(old, odd) == [("reference", 1, 0), ("number", 1, 0)]
    assert taught(old, odd, odd)[-1] == ("number", 1, 2)


def test_confidence_grows_with_the_support() -> None:
    def most(count: int, place: PrintedPlace = PLACE) -> float:
        return next(taught_places("x", clusters_of([layout(place)] * count))).most_confidence

    assert 0.9 < most(1) < most(2) < most(5) < 1
    odd = replace(PLACE, foreign=True)
    assert most(1, odd) == 0.5 < most(2, odd) < most(1)


def test_positions_without_words_are_one_where_they_are_near() -> None:
    bare = replace(PLACE, beside="", above="2024")
    assert agree(bare, replace(bare, top=0.21)) and not agree(bare, replace(bare, top=0.5))
    assert agree(PLACE, replace(PLACE, top=0.9)) and not agree(PLACE, bare)


FIELDS = parse_fields(
    [
        {"name": "Advertiser", "type": "text"},
        {"name": "Contract Number", "type": "text"},
        {"name": "Note", "type": "text"},
    ]
)


def foreign(field: Field, place: PrintedPlace) -> bool:
    queries = [query_of(one) for one in FIELDS]
    return is_foreign(queries[FIELDS.index(field)], queries, place)


@pytest.mark.parametrize(
    ("number", "place", "expected"),
    [
        (0, replace(PLACE, beside="contractnumber", shape="9"), True),
        (1, replace(PLACE, beside="contractnumber", shape="9"), False),
        (2, replace(PLACE, before="contractnumber", beside="", shape="A9"), True),
        (0, replace(PLACE, beside="client", shape="Aa"), False),
        (2, replace(PLACE, beside="anything", shape="9"), False),
    ],
)
def test_a_place_that_another_field_has_is_foreign(number: int, place: PrintedPlace, expected: bool) -> None:
    assert foreign(FIELDS[number], place) is expected


def test_a_value_of_another_form_than_on_most_documents_is_doubted() -> None:
    names = [layout(replace(PLACE, shape="Aa"))] * 3
    odd = layout(replace(PLACE, shape="9/9"))
    assert [one.places["x"].foreign for one in with_doubts([*names, odd])] == [False] * 3 + [True]
    assert not with_doubts([names[0], odd])[1].places["x"].foreign, "one other document says nothing"
    mixed = layout(replace(PLACE, shape="A9"))
    assert not with_doubts([*names, mixed])[-1].places["x"].foreign
