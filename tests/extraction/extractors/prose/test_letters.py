"""Letters, minutes and reports."""

from __future__ import annotations

import pytest

from docduck.documents.document import Document
from docduck.fields import FieldType
from tests.extraction.extractors.prose.prose_documents import FILLER, value, written

ENGLISH = written("""
|Hilltop Insurance Ltd.
|44 Queen Street
|Bristol BS1 4QP

|12 November 2020

|Mr James Okafor
|7 Mill Lane
|Bath BA1 2AB

|Dear Mr Okafor,

|Subject: Your claim HT-2020-8813

Thank you for your letter of 2 November in which you asked us to look again at the decision on your
claim. We have
now read the report of the surveyor and we agree that the damage was caused by the burst pipe and not by wear.

|Yours sincerely,

|/s/ Susan Clarke
|Susan Clarke
|Head of Claims
""")
GERMAN = written("""
|Stadtverwaltung Neuburg

|Frau
|Petra Lang
|Am Graben 4
|86633 Neuburg

|Neuburg, den 3. Juli 2021

|Betreff: Ihr Antrag auf Parkausweis

|Sehr geehrte Frau Lang,

wir haben Ihren Antrag vom 1. Juni erhalten und geprüft. Leider können wir ihm in der vorliegenden Form nicht
entsprechen, weil die Unterlagen über den Wohnsitz fehlen. Bitte reichen Sie diese bis zum Ende des
Monats nach.

|Mit freundlichen Grüßen
|Thomas Huber
|Sachbearbeiter
""")


@pytest.mark.parametrize(
    ("document", "name", "type_", "expected"),
    [
        (ENGLISH, "addressee", "text", "Mr James Okafor"),
        (ENGLISH, "subject", "text", "Your claim HT-2020-8813"),
        (ENGLISH, "author", "text", "Susan Clarke"),
        (GERMAN, "addressee", "text", "Petra Lang"),
        (GERMAN, "Betreff", "text", "Ihr Antrag auf Parkausweis"),
        (GERMAN, "author", "text", "Thomas Huber"),
    ],
)
def test_letter(document: Document, name: str, type_: str, expected: str) -> None:
    assert value(document, name, FieldType(type_)) == expected


def test_meeting_date_of_minutes() -> None:
    opening = "Minutes of the Meeting of the Board of Lakeside Housing Association held on 14 September 2021"
    assert value(written(f"{opening}\n\n{FILLER}"), "meeting_date", FieldType.DATE) == "2021-09-14"


def test_author_beside_label() -> None:
    document = written(f"|Report on Water Quality\n|Prepared by: Dr. Helen Marsh\n\n{FILLER}")
    assert value(document, "author") == "Dr. Helen Marsh"
