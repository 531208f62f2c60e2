"""Contracts in English: parties and roles, dates, governing law, terms, amounts."""

from __future__ import annotations

import pytest

from docduck.fields import FieldType
from tests.extraction.extractors.prose.prose_documents import FILLER, value, written

LEASE = written(f"""
RESIDENTIAL LEASE

This Residential Lease (the “Lease”) is made and entered into on the 3rd day of March, 2021 by and between
Harbor Point Properties LLC, a Washington limited liability company (“Landlord”), and Maria Gonzalez and
Peter van Dyke (collectively, “Tenant”).

1. Term. The term of this Lease shall be for a period of twelve (12) months, commencing on April 1, 2021 and
ending on March 31, 2022, unless renewed.

2. Rent. Tenant shall pay to Landlord base rent in the amount of $1,850.00 per month, on the first of each.

3. Security Deposit. Upon signing, Tenant shall pay a security deposit of $2,000.00.

4. Termination. Either party may terminate this Lease upon sixty (60) days' prior written notice.

5. Governing Law. This Lease shall be construed in accordance with Washington law.

{FILLER}
""")


@pytest.mark.parametrize(
    ("name", "type_", "expected"),
    [
        ("parties", "list", ["Harbor Point Properties LLC", "Maria Gonzalez", "Peter van Dyke"]),
        ("landlord", "text", "Harbor Point Properties LLC"),
        ("tenant", "text", "Maria Gonzalez and Peter van Dyke"),
        ("effective_date", "date", "2021-03-03"),
        ("end_date", "date", "2022-03-31"),
        ("rent", "currency", 1850),
        ("security_deposit", "currency", 2000),
        ("governing_law", "text", "Washington"),
        ("lease_term", "text", "twelve (12) months"),
        ("buyer", "text", None),
        ("salary", "currency", None),
    ],
)
def test_lease(name: str, type_: str, expected: object) -> None:
    assert value(LEASE, name, FieldType(type_)) == expected


def test_normalised_durations() -> None:
    asked = 'How long the contract lasts, as a number and a unit, for example "2 years"'
    assert value(LEASE, "term", FieldType.TEXT, asked) == "12 months"
    assert value(LEASE, "term_months", FieldType.NUMBER, "How long the agreement lasts") == 12


LOAN = written(f"""
LOAN AGREEMENT

THIS LOAN AGREEMENT dated as of June 30, 2019 is among First Coastal Bank, N.A. (the “Lender”), Redwood
Mills, Inc., an Oregon corporation (“Borrower”), and Samuel T. Whitfield, individually (the “Guarantor”).

The Lender agrees to make a loan in the principal amount of $2,500,000.00 to Borrower. Interest shall accrue
at a rate of 6.25% per annum. The Maturity Date shall be June 30, 2024.

The total liability of the Lender under this Agreement shall not exceed $100,000. This Agreement shall be
governed by and construed under the laws of the State of Oregon, without regard to conflicts of law. Any
action shall be brought in the courts of Multnomah County, Oregon.

{FILLER}
""")


@pytest.mark.parametrize(
    ("name", "type_", "expected"),
    [
        ("lender", "text", "First Coastal Bank, N.A."),
        ("borrower", "text", "Redwood Mills, Inc."),
        ("guarantor", "text", "Samuel T. Whitfield"),
        ("loan_amount", "currency", 2500000),
        ("interest_rate", "number", 6.25),
        ("maturity_date", "date", "2024-06-30"),
        ("liability_cap", "currency", 100000),
        ("jurisdiction", "text", "Oregon"),
        ("effective_date", "date", "2019-06-30"),
    ],
)
def test_loan(name: str, type_: str, expected: object) -> None:
    assert value(LOAN, name, FieldType(type_)) == expected


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("governed by the laws of the State of New York, without regard to its conflict of laws", "New York"),
        (
            "interpreted under the internal laws of the Commonwealth of Pennsylvania and enforced there",
            "Pennsylvania",
        ),
        ("GOVERNED BY THE LAWS OF THE STATE OF DELAWARE APPLICABLE TO AGREEMENTS MADE THERE", "DELAWARE"),
        ("governed by Swiss law", "Swiss"),
        ("governed by the laws of the United States and of the State of California", "California"),
        ("a contract made under the laws of the State of Ohio", "Ohio"),
        ("governed by and construed in accordance with the laws of England and Wales", "England and Wales"),
        ("construed in accordance with the laws of Texas and Employee consents to it", "Texas"),
        ("governed by the domestic law, and not the law of conflicts, of the State of Maine", "Maine"),
        ("kept. The laws of the State of Nevada govern it; its courts are in Elko County, Utah", "Nevada"),
    ],
)
def test_governing_law(clause: str, expected: str) -> None:
    document = written(f"{FILLER}\n\nThis Agreement shall be {clause}.\n\n{FILLER}")
    assert value(document, "governing_law") == expected


def test_law_of_incorporation_is_not_governing_law() -> None:
    document = written(
        f"Acme Ltd. is a company organized under the laws of Nevada and has its seat there.\n\n{FILLER}"
    )
    assert value(document, "governing_law") is None
    assert value(document, "state_of_incorporation") == "Nevada"


def test_parties_in_numbered_list_exclude_subsidiaries() -> None:
    document = written(f"""
    MUTUAL NON-DISCLOSURE AGREEMENT

    This Agreement is made this 5th day of August 2015, by and among:

    (1) ORION SYSTEMS AG, a company incorporated under the laws of Switzerland (“Orion”);

    (2) Lumen Optics B.V., for itself and its subsidiaries Lumen One B.V. and Lumen Two B.V. (together
    “Lumen”); and

    (3) Dr. Anna Weiss (the “Consultant”).

    {FILLER}
    """)
    assert value(document, "parties", FieldType.LIST) == [
        "ORION SYSTEMS AG",
        "Lumen Optics B.V.",
        "Dr. Anna Weiss",
    ]


def test_parties_of_letter_agreement_from_signatures() -> None:
    document = written(f"""
    |December 11, 2014

    |Granite Home Corp.
    |520 Lake Road

    |Ladies and Gentlemen:

    In connection with your consideration of a possible transaction with Oakfield Cabinets, Inc. (the
    “Company”),
    you have asked us for information about the Company, and you agree to keep it to yourselves.

    {FILLER}

    |Very truly yours,
    |Oakfield Cabinets, Inc.
    |By: /s/ Mark Hull
    |Name: Mark Hull

    |Accepted and Agreed:
    |Granite Home Corp.
    |By: /s/ Robert Bigg
    """)
    parties = value(document, "parties", FieldType.LIST)
    assert sorted(parties) == ["Granite Home Corp.", "Oakfield Cabinets, Inc."]
    assert value(document, "effective_date", FieldType.DATE) == "2014-12-11"


def test_blank_is_not_a_party() -> None:
    document = written(
        f"This Agreement is made between _______ (“Employee”), and Xenon Real Estate Co., Ltd., a company "
        f"duly registered (the “Company”).\n\n{FILLER}"
    )
    assert value(document, "parties", FieldType.LIST) == ["Xenon Real Estate Co., Ltd."]


def test_unrelated_durations_are_not_the_term() -> None:
    document = written(
        f"{FILLER}\n\nThe Employee shall not solicit any customer for a period of two years after "
        f"the date of termination.\n\n{FILLER}"
    )
    assert value(document, "term", FieldType.TEXT, "How long the agreement lasts") is None


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        ("THIS AGREEMENT, made this 5 day of March, 2004, binds both.", "2004-03-05"),
        (
            "This Agreement is made and entered into as of this 12th day of October, 2009 by X Inc.",
            "2009-10-12",
        ),
        ("This Agreement (“Agreement”), effective this 1st day of July, 2013, is new.", "2013-07-01"),
        ("This Agreement is entered into this day, January 9, 2001, by X Inc.", "2001-01-09"),
        ("This Agreement takes effect on August 9, 2018 and binds all.", "2018-08-09"),
        (
            "The parties entered this Agreement (the “Agreement”) as of the 3rd day of April, 2014.",
            "2014-04-03",
        ),
        ("The lease begins on July 1, 2020 and goes on.", "2020-07-01"),
        ("It follows an Employment Agreement dated May 1, 2001, which has ended.", None),
        ("The goods were shipped on May 1, 2001 and came late.", None),
    ],
)
def test_effective_dates(opening: str, expected: str | None) -> None:
    document = written(f"CONFIDENTIALITY AGREEMENT\n\n{opening}\n\n{FILLER}")
    assert value(document, "effective_date", FieldType.DATE) == expected


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("This Agreement shall remain in effect for a period of three (3) years from today.", "3 years"),
        ("This Agreement will continue in force until five (5) years after disclosure.", "5 years"),
        ("This Agreement shall terminate on the third anniversary of its date.", "3 years"),
        (
            "The obligations set forth herein shall continue for a period of eighteen (18) months.",
            "18 months",
        ),
        (
            "Unless ended earlier, this Agreement shall expire 24 months after the Effective Date.",
            "24 months",
        ),
        ("This Agreement is valid for one year from signing.", "1 year"),
        (
            "This Agreement shall expire and have no effect on the earlier of (i) nine months from its date.",
            "9 months",
        ),
        ("The restrictions on disclosure shall survive for a period of four (4) years.", "4 years"),
        ("Term: 2 years", "2 years"),
        ("The Employee shall be paid for a period of six months after leaving.", None),
    ],
)
def test_terms(clause: str, expected: str | None) -> None:
    document = written(f"{FILLER}\n\n{clause}\n\n{FILLER}")
    assert value(document, "term", FieldType.TEXT, 'For example "2 years" or "18 months"') == expected


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        (
            "This is entered into by Foo Corp., an Ohio corporation (“Foo”), and Jane B. Doe (“Employee”).",
            ["Foo Corp.", "Jane B. Doe"],
        ),
        (
            "AGREEMENT made between JOHN SMITH of 12 Main Street, Boston (hereinafter “Employee”) and WIDGET "
            "INDUSTRIES, INC. with offices at 3 Park Ave (hereinafter “Company”).",
            ["JOHN SMITH", "WIDGET INDUSTRIES, INC."],
        ),
        ("Foo Corp. (“Foo”) and Bar LLC (“Bar”) hereby agree as follows.", ["Foo Corp.", "Bar LLC"]),
        (
            "THIS DEED is made among The Bank of Nova Scotia, Royal Gold, Inc. and High Desert Ore, Inc.",
            ["The Bank of Nova Scotia", "Royal Gold, Inc.", "High Desert Ore, Inc."],
        ),
        (
            "This Agreement, between 3M Company and E.I. du Pont de Nemours and Company, is made today.",
            ["3M Company", "E.I. du Pont de Nemours and Company"],
        ),
        (
            "I, Robert Jones, in view of my employment by Acme Tools, Inc. (the “Company”), agree.",
            ["Robert Jones", "Acme Tools, Inc."],
        ),
        (
            "This is made between the City of Springfield, a municipal corporation, and ABC Paving Co.",
            ["City of Springfield", "ABC Paving Co."],
        ),
    ],
)
def test_parties(opening: str, expected: list[str]) -> None:
    document = written(f"NON-DISCLOSURE AGREEMENT\n\n{opening}\n\n{FILLER}")
    assert value(document, "parties", FieldType.LIST) == expected


@pytest.mark.parametrize(
    ("name", "opening", "expected"),
    [
        ("mieter", "Zwischen Frau Ingrid Maurer, Köln (Vermieterin) und Herrn Jonas Peters, Köln (Mieter)",
         "Jonas Peters"),
        ("tenant", "Ondergetekenden: Stadswonen B.V., hierna te noemen verhuurder, en mevrouw Sanne de Jong, "
         "wonende te Utrecht, hierna te noemen huurder, zijn overeengekomen:", "Sanne de Jong"),
        ("landlord", "De una parte, D. Javier Ortega Ruiz, con DNI 12345678Z, en adelante \"el Arrendador\".",
         "Javier Ortega Ruiz"),
    ],
)  # fmt: skip
def test_parties_by_what_the_contract_calls_them(name: str, opening: str, expected: str) -> None:
    assert value(written(f"{opening}\n\n{FILLER}"), name) == expected
