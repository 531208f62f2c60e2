"""Cover pages of filings: captions below values, forms, periods, signatures."""

from __future__ import annotations

import pytest

from docduck.documents.document import Document
from docduck.extraction.domains.legal_filings.lexicon import concept_of
from docduck.extraction.fields.field_query import query_of
from docduck.fields import Field, FieldType
from tests.extraction.extractors.prose.prose_documents import read, value, written

_SIGNED = """
|SIGNATURES

Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused
this report
to be signed on its behalf by the undersigned, thereunto duly authorized.

|BLUEWATER INSTRUMENTS CORP.
|By: /s/ Nora Field
|Date: November 18, 2022
"""
ANNUAL = written(f"""
|FORM 10-K
|(Amendment No. 1)
|For the fiscal year ended September 30, 2022
|Commission File Number 001-12345
|Bluewater Instruments Corp.
|(Exact name of registrant as specified in its charter)
|Delaware                              12-3456789
|(State or other jurisdiction)         (I.R.S. Employer Identification No.)

Indicate by check mark whether the registrant is a well-known seasoned issuer, as defined in Rule 405, and
whether it has filed all reports required to be filed during the preceding twelve months.

{_SIGNED}
""")
CURRENT = written(f"""
|FORM 8-K
|Date of Report (Date of earliest event reported):
|June 25, 2026 (June 18, 2026)
|Bluewater Instruments Corp.
|(Exact name of registrant as specified in its charter)

On June 18, 2026 the company announced its results for the quarter ended March 31, 2026 and said that it would
open a further plant before the end of the fiscal year ended December 31, 2026, which ends a long debate.

{_SIGNED}
""")
PROXY = written("""
|SCHEDULE 14A
|☒ Definitive Proxy Statement
|☐ Preliminary Proxy Statement
|Meridian Foods, Inc.
|(Name of Registrant as Specified In Its Charter)

The annual meeting of shareholders of Meridian Foods, Inc. will be held on Thursday, May 18, 2023
at the offices
of the company in Omaha. Only shareholders of record at the close of business on March 20, 2023 may
vote at the
meeting, and each of them may bring one guest who need not hold shares.
""")


@pytest.mark.parametrize(
    ("document", "name", "type_", "expected"),
    [
        (ANNUAL, "filer_name", "text", "Bluewater Instruments Corp."),
        (ANNUAL, "form_type", "text", "10-K/A"),
        (ANNUAL, "fiscal_year_end", "date", "2022-09-30"),
        (ANNUAL, "filing_date", "date", "2022-11-18"),
        (ANNUAL, "commission_file_number", "text", "001-12345"),
        (ANNUAL, "state_of_incorporation", "text", "Delaware"),
        (ANNUAL, "ein", "text", "12-3456789"),
        (ANNUAL, "quarter_end", "date", None),
        (CURRENT, "form_type", "text", "8-K"),
        (CURRENT, "date_of_report", "date", "2026-06-25"),
        (PROXY, "form_type", "text", "DEF 14A"),
        (PROXY, "registrant", "text", "Meridian Foods, Inc."),
        (PROXY, "meeting_date", "date", "2023-05-18"),
        (PROXY, "record_date", "date", "2023-03-20"),
    ],
)
def test_cover(document: Document, name: str, type_: str, expected: object) -> None:
    assert value(document, name, FieldType(type_)) == expected


def test_earliest_event_is_date_in_parentheses() -> None:
    wish = "Date of the report (date of the earliest event reported)"
    assert value(CURRENT, "date_of_report", FieldType.DATE, wish) == "2026-06-18"


def test_field_of_another_form_stays_empty() -> None:
    field = Field(
        name="period_quarter_end", type=FieldType.DATE, description="Last day of the quarter, on 10-Q forms"
    )
    found = read(CURRENT, field)
    assert not found.scalars
    assert found.absent == {"period_quarter_end"}


def test_registrant_from_signature() -> None:
    document = written(
        f"|FORM 8-K\n\nSomething came to pass, and this report tells of it in the usual way.\n\n{_SIGNED}"
    )
    assert value(document, "filer_name") == "BLUEWATER INSTRUMENTS CORP."


def test_a_field_that_running_text_means_more_plainly_is_left_to_it() -> None:
    field = Field(name="signature date", type=FieldType.DATE, description="Date of the decision")
    assert concept_of(query_of(field)) is None
