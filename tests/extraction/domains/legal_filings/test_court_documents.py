"""Court documents: numbers, courts, parties, judges, dates, types."""

from __future__ import annotations

import pytest

from docduck.documents.document import Document
from docduck.fields import FieldType
from tests.extraction.extractors.prose.prose_documents import FILLER, value, written

REPORTED = written(f"""
|UNITED STATES of America, Appellee, v. Daniel Lee MORROW, Appellant.
|No. 71-2345.
|United States Court of Appeals, Ninth Circuit.
|Mar. 9, 1973.

|Before BROWNING, CHOY and WEISS, Circuit Judges.

{FILLER}
""")
COLUMNS = written(f"""
|Filed 6/14/19

|          IN THE COURT OF APPEAL OF THE STATE OF CALIFORNIA
|               SECOND APPELLATE DISTRICT
|                    DIVISION FIVE

|THE PEOPLE,
|     Plaintiff and Respondent,                    B298765
|v.                                                (Super. Ct. No. KA1234)
|ADAM R. COLE,                                     OPINION
|     Defendant and Appellant.

APPEAL from the Superior Court of Los Angeles County. Rosa Delgado, Judge. Affirmed.

{FILLER}
""")
STACKED = written(f"""
|          IN THE COURT OF APPEAL OF THE STATE OF CALIFORNIA
|               SECOND APPELLATE DISTRICT
|In re Ada L., a Person Coming
|Under the Juvenile Court Law.

|THE PEOPLE,
|F090166
|Plaintiff and Respondent,
|(Super. Ct. No. F23909461)
|v.
|ADAM R. COLE,
|Defendant and Appellant.

|A.          The Petition of the Mother

{FILLER}

The trial court ruled before anything was filed, and this opinion affirms what it ruled.
""")
DISTRICT = written(f"""
|UNITED STATES DISTRICT COURT
|SOUTHERN DISTRICT OF NEW YORK

|ACME WIDGETS, INC., and JOHN Q. PUBLIC,
|               Plaintiffs,
|       -against-              Case No. 1:21-cv-04567-ABC
|GLOBEX CORPORATION, et al.,        COMPLAINT
|               Defendants.

{FILLER}

|Dated: New York, New York
|May 24, 2021
""")
ENGLISH = written(f"""
|Case No: BL-2020-000123
|IN THE HIGH COURT OF JUSTICE
|Date: 12/05/2021
|Before:
|MR JUSTICE TROWBRIDGE
|Between:
|GREENFIELD ESTATES LIMITED
|Claimant
|- and -
|(1) PETER HARROW
|(2) HARROW HOLDINGS LIMITED
|Defendants

{FILLER}
""")
FEDERAL_GERMAN = written("""
|BUNDESGERICHTSHOF
|IM NAMEN DES VOLKES
|URTEIL
|VIII ZR 45/19
|Verkündet am: 14. Oktober 2020

in dem Rechtsstreit

|Müller Maschinenbau GmbH,
|Klägerin und Revisionsklägerin,

|gegen

|Stadtwerke Neustadt AG,
|Beklagte und Revisionsbeklagte,

Der Zivilsenat hat auf die mündliche Verhandlung durch die Richter für Recht erkannt: Die Revision
der Klägerin
gegen das Urteil des Oberlandesgerichts wird zurückgewiesen. Die Kosten des Verfahrens hat sie zu tragen.
""")


@pytest.mark.parametrize(
    ("document", "name", "expected"),
    [
        (REPORTED, "case_number", "No. 71-2345"),
        (REPORTED, "court", "United States Court of Appeals, Ninth Circuit"),
        (REPORTED, "plaintiff", "UNITED STATES of America"),
        (REPORTED, "defendant", "Daniel Lee MORROW"),
        (REPORTED, "judge", "BROWNING, CHOY and WEISS"),
        (REPORTED, "filing_date", "1973-03-09"),
        (COLUMNS, "case_number", "B298765"),
        (
            COLUMNS,
            "court",
            "COURT OF APPEAL OF THE STATE OF CALIFORNIA, SECOND APPELLATE DISTRICT, DIVISION FIVE",
        ),
        (COLUMNS, "plaintiff", "THE PEOPLE"),
        (COLUMNS, "defendant", "ADAM R. COLE"),
        (COLUMNS, "judge", "Rosa Delgado"),
        (COLUMNS, "filing_date", "2019-06-14"),
        (COLUMNS, "filing_type", "Opinion"),
        (STACKED, "court", "COURT OF APPEAL OF THE STATE OF CALIFORNIA, SECOND APPELLATE DISTRICT"),
        (STACKED, "plaintiff", "THE PEOPLE"),
        (STACKED, "filing_type", "Opinion"),
        (DISTRICT, "court", "UNITED STATES DISTRICT COURT, SOUTHERN DISTRICT OF NEW YORK"),
        (DISTRICT, "case_number", "1:21-cv-04567-ABC"),
        (DISTRICT, "plaintiff", "ACME WIDGETS, INC., and JOHN Q. PUBLIC"),
        (DISTRICT, "defendant", "GLOBEX CORPORATION, et al."),
        (DISTRICT, "filing_date", "2021-05-24"),
        (DISTRICT, "filing_type", "Complaint"),
        (DISTRICT, "judge", None),
        (ENGLISH, "case_number", "BL-2020-000123"),
        (ENGLISH, "claimant", "GREENFIELD ESTATES LIMITED"),
        (ENGLISH, "defendant", "PETER HARROW, HARROW HOLDINGS LIMITED"),
        (ENGLISH, "judge", "MR JUSTICE TROWBRIDGE"),
        (FEDERAL_GERMAN, "court", "BUNDESGERICHTSHOF"),
        (FEDERAL_GERMAN, "case_number", "VIII ZR 45/19"),
        (FEDERAL_GERMAN, "plaintiff", "Müller Maschinenbau GmbH"),
        (FEDERAL_GERMAN, "defendant", "Stadtwerke Neustadt AG"),
        (FEDERAL_GERMAN, "filing_date", "2020-10-14"),
        (FEDERAL_GERMAN, "filing_type", "Urteil"),
    ],
)
def test_caption(document: Document, name: str, expected: str | None) -> None:
    type_ = FieldType.DATE if name.endswith("date") else FieldType.TEXT
    assert value(document, name, type_) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("JUSTICE ELLIS delivered the judgment of the court, with opinion.", "ELLIS"),
        ("By the Court, STIGLER, J.:", "STIGLER"),
        ("Before Smith, Chief Judge, and Jones and Doe, Circuit Judges.", "Smith, and Jones and Doe"),
        ("MARY J. BOYD, J.:", "MARY J. BOYD"),
        ("ROCK, Presiding Judge.", "ROCK, Presiding Judge"),
    ],
)
def test_judges(line: str, expected: str) -> None:
    document = written(f"|IN THE SUPREME COURT OF THE STATE OF NEVADA\n\n|{line}\n\n{FILLER}\n\n{FILLER}")
    assert value(document, "judge") == expected


def test_judges_list_field() -> None:
    assert value(REPORTED, "judges", FieldType.LIST) == ["BROWNING", "CHOY", "WEISS"]


def test_no_caption_without_court() -> None:
    document = written(f"Manchester v. Liverpool was a fine match to watch.\n\n{FILLER}\n\n{FILLER}")
    for name in ("plaintiff", "defendant", "court", "judge", "filing_type"):
        assert value(document, name) is None


def test_optional_field_needs_higher_weight() -> None:
    body = [f"{FILLER}\n\n" * 5] * 12
    document = written("|IN THE SUPREME COURT OF NEVADA", *body, "|PETERS, J.\n\n|WE CONCUR")
    assert value(document, "judge") == "PETERS"
    told = "Name of the judge; empty if the document does not say"
    assert value(document, "judge", FieldType.TEXT, told) is None


def test_parties_of_an_appeal_without_caption() -> None:
    document = written(
        f"|STATE OF VERMONT\n|SUPERIOR COURT\n\n|Decision on the Motion\n\n{FILLER}\n\n"
        "Appellant-father M.P. (“Father”) appeals from the decision that granted custody of his children to "
        f"appellee, the Kent County Division of Children and Family Services (“the agency”).\n\n{FILLER}"
    )
    assert value(document, "plaintiff") == "M.P."
    assert value(document, "defendant") == "Kent County Division of Children and Family Services"


def test_number_of_a_division() -> None:
    document = written(f"|COURT OF APPEAL OF CALIFORNIA\n|2d Crim. No. B339411\n\n{FILLER}")
    assert value(document, "case_number") == "2d Crim. No. B339411"
