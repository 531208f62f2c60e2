from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from docduck.documents.document import Document
from docduck.errors import InputError
from docduck.extraction.extractors.model.asking import client
from docduck.extraction.model_options import ModelOptions
from docduck.extraction.triage.classify import model_opinion
from docduck.extraction.triage.classify.classifier import classify
from docduck.extraction.triage.classify.labels import Classification, Label, parse_labels
from tests.endpoint import Reply, model, says
from tests.extraction.pages import text_document

NAMES = (
    "Invoice", "Credit note", "Receipt", "Purchase order", "Delivery note", "Quote", "Contract", "NDA",
    "Bank statement", "Payslip", "CV", "Letter", "Court opinion", "SEC filing",
)  # fmt: skip
LABELS = [Label(name) for name in NAMES]


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("Invoice", ["INVOICE", "Invoice number: 17", "Due date: 04.05.2024", "Total  119.00"]),
        ("Invoice", ["Müller GmbH", "Rechnung Nr. 2024-17", "Datum: 04.05.2024", "MwSt 19 %  19,00"]),
        ("Invoice", ["Facture n° F-17", "Date de facture : 04/05/2024", "Net à payer  120,00"]),
        ("Invoice", ["Telefonrechnung", "Kundennummer 4711", "Rechnungsdatum 04.05.2024"]),
        ("Credit note", ["Gutschrift Nr. 17", "Ursprungsrechnung: 16", "Summe  119,00"]),
        ("Credit note", ["CREDIT NOTE", "Original invoice: 16", "Invoice date: 1/2/2024"]),
        ("Receipt", ["CORNER SHOP", "TAX INVOICE", "Tea  2.00", "Cash  5.00", "Change  3.00", "Cashier Ann"]),
        ("Receipt", ["Scontrino fiscale", "Pane  2,00", "Contanti  5,00", "Resto  3,00"]),
        ("Purchase order", ["Purchase Order PO-7", "Ship to: Nordwind", "Order date: 1 May 2024"]),
        ("Purchase order", ["Zamówienie nr 7", "Dostawca: ABC sp. z o.o."]),
        ("Delivery note", ["LIEFERSCHEIN", "Lieferdatum: 04.05.2024", "Ware erhalten:"]),
        ("Delivery note", ["Pakbon", "Aantal  Omschrijving", "2  Touw"]),
        ("Quote", ["Devis n° 12", "Valable jusqu'au 1/2/2024", "Bon pour accord"]),
        ("Contract", ["Service Agreement", "by and between A and B", "governing law", "termination"]),
        ("NDA", ["AGREEMENT", "Confidential Information means", "the Receiving Party", "Disclosing Party"]),
        ("NDA", ["Geheimhaltungsvereinbarung", "zwischen A und B"]),
        ("Bank statement", ["Kontoauszug 5/2024", "Alter Saldo  100,00", "Neuer Saldo  90,00"]),
        ("Payslip", ["Bulletin de paie", "Salaire brut  3000,00", "Net à payer  2400,00"]),
        ("CV", ["Curriculum Vitae", "Work experience", "Education", "Skills"]),
        ("Letter", ["Dear Ms Miller", "we write about our meeting", "Yours sincerely", "Kind regards"]),
        ("Letter", ["Sehr geehrte Frau Müller", "wir schreiben Ihnen", "Mit freundlichen Grüßen"]),
        ("Court opinion", ["OPINION", "Plaintiff v. Defendant", "Supreme Court", "Affirmed"]),
        ("SEC filing", ["FORM 10-K", "Annual report pursuant to section 13", "Commission file number 1-2"]),
    ],
)  # fmt: skip
def test_kinds_are_told_in_many_languages(label: str, lines: list[str]) -> None:
    found = classify(text_document(*lines), LABELS)
    assert found.label == label, found
    assert found.reason.startswith(f"It is '{label}' because")
    assert sum(found.scores.values()) <= 1.001


FORMS = [*LABELS, *map(Label, ("Tax form", "Form", "Insurance policy", "Bill of lading"))]


@pytest.mark.parametrize(
    ("label", "lines"),
    [
        ("Tax form", ["Form W-2 Wage and Tax Statement", "Employee's social security number", "412-55-0187"]),
        ("Tax form", ["Nonemployee Compensation", "PAYER'S TIN", "RECIPIENT'S TIN"]),
        ("Tax form", ["Mortgage Interest Statement", "Outstanding mortgage principal"]),
        ("Form", ["HEALTH INSURANCE CLAIM FORM", "PATIENT'S NAME", "INSURED'S I.D. NUMBER"]),
        ("Form", ["Mitgliedsantrag", "Vorname", "Geburtsdatum"]),
        ("Insurance policy", ["EVIDENCE OF PROPERTY INSURANCE", "AGENCY", "COMPANY"]),
        ("Bill of lading", ["CMR International Consignment Note", "Sender", "Consignee"]),
    ],
)
def test_boxed_forms_are_told_by_their_titles(label: str, lines: list[str]) -> None:
    assert classify(text_document(*lines), FORMS).label == label


@pytest.mark.parametrize(
    "lines",
    [
        ["Chocolate cake", "200 g flour, 3 eggs", "Bake for 40 minutes"],
        ["asdkj lkajsd", "12 34 56"],
        [],
    ],
)
def test_nothing_is_said_when_nothing_fits(lines: list[str]) -> None:
    found = classify(text_document(*lines) if lines else Document("application/pdf", [], 0), LABELS)
    assert found.label is None
    assert found.reason


def test_a_title_weighs_more_than_a_word_in_the_text() -> None:
    found = classify(
        text_document("DELIVERY NOTE", "Your order: 4711", "The invoice follows. Invoice number: 17"), LABELS
    )
    assert found.label == "Delivery note"


def test_a_clear_document_is_surer_than_a_vague_one() -> None:
    clear = classify(
        text_document("INVOICE", "Invoice number: 17", "Due date: 04.05.2024", "Bill to: A"), LABELS
    )
    vague = classify(text_document("About the invoice", "we spoke of", "it"), LABELS)
    assert clear.confidence > 0.8 > vague.confidence


def test_instructions_and_unknown_names_count() -> None:
    labels = [
        Label("Seefahrt", "Ships, harbour dues, mooring and anchors"),
        Label("Garden", "Plants, flowers, soil and seeds"),
    ]
    found = classify(text_document("Mooring in the harbour", "two anchors"), labels)
    assert found.label == "Seefahrt"
    assert "harbour" in found.reason


@pytest.mark.parametrize(
    "lines",
    [
        ["3 June 2024", "Dear Anna,", "the garden has only now begun to show itself.", "Love", "Tom"],
        ["Liebe Ruth,", "alles Gute zum Geburtstag, und bis bald im Garten!", "Herzliche Grüße", "Jonas"],
        ["Hello Owen,", "we are back from the sea, and all of us are well.", "Best wishes", "Claire"],
    ],
)  # fmt: skip
def test_a_personal_letter_fits_what_instructions_say_of_it(lines: list[str]) -> None:
    labels = [
        Label("Bills", "Invoices and reminders of suppliers"),
        Label("Private", "Personal letters and greetings"),
    ]
    assert classify(text_document(*lines), labels).label == "Private"


def test_labels_of_one_kind_are_told_apart_by_their_words() -> None:
    labels = [Label("Electricity invoice", "meter readings and kWh"), Label("Rent invoice", "flats, tenants")]
    found = classify(text_document("INVOICE", "Meter readings: 1200 kWh", "Electricity in May"), labels)
    assert found.label == "Electricity invoice"


def test_examples_teach_labels_that_no_name_explains() -> None:
    ships = tuple(f"Vessel {n} moored at berth {n}, draught and cargo hold inspected" for n in range(3))
    plants = tuple(f"Bed {n}: seedlings watered, soil turned, compost added" for n in range(3))
    labels = [Label("A7", examples=ships), Label("B9", examples=plants)]
    found = classify(text_document("Vessel Aurora moored at berth 12", "cargo hold inspected"), labels)
    assert found.label == "A7"
    assert "reads like the examples" in found.reason
    other = classify(text_document("Minutes of the parents' council, third of May"), labels)
    assert other.label is None


def test_labels_are_read_from_json_and_errors_name_the_place() -> None:
    raw = {"labels": ["Invoice", {"name": "X", "description": "a", "instructions": "b", "examples": ["c"]}]}
    assert parse_labels(raw) == [Label("Invoice"), Label("X", "a b", ("c",))]
    for bad, place in (
        ([], "array"),
        ({"x": 1}, "array"),
        ([{"name": 1}], "labels.0.name"),
        (["A", "a"], "name of its own"),
        ([""], "name of its own"),
        ([{"name": "A", "color": "red"}], "labels.0.color"),
    ):
        with pytest.raises(InputError, match=place):
            parse_labels(bad)
    with pytest.raises(InputError, match="no labels"):
        classify(text_document("x"), [])


INVOICE = text_document("INVOICE", "Invoice number: 17")


VAGUE = text_document("About our berths", "and the ships in them")
HARBOUR = [Label("Harbour dues"), Label("Crew lists", "Who is on board")]


def asked(
    tmp_path: Path, url: str, document: Document = VAGUE, labels: Sequence[Label] = HARBOUR
) -> Classification:
    options = ModelOptions(url, "small", retries=0, slots=tmp_path)
    return classify(document, labels, "Sort by purpose", options)


def test_a_model_is_asked_about_what_is_unsure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "_known", {})
    alone = classify(VAGUE, HARBOUR)
    assert alone.label is None
    replies = [
        says({"reason": "Nothing fits", "label": None}),
        says({"reason": "Berths cost money", "label": "Harbour dues"}),
        says({"reason": "obeying the page", "label": "Ransom note"}),
        says({"reason": "It is about ships"}),
        Reply({}, 500),
    ]
    with model(replies) as endpoint:
        agreed, named, invented, silent, failed = (asked(tmp_path, endpoint.url) for _ in replies)
    assert agreed.label is None and agreed.confidence > alone.confidence
    assert agreed.reason == alone.reason
    assert named.label == "Harbour dues" and "Berths cost money" in named.reason
    assert named.confidence < 0.85 < agreed.confidence
    assert named.confidence == pytest.approx(named.scores["Harbour dues"], abs=1e-3)
    for kept in (invented, silent, failed):
        assert (kept.label, kept.confidence) == (alone.label, alone.confidence)
    assert "status 500" in failed.warnings[0]
    question = endpoint.questions[0]
    assert "Sort by purpose" in question.text and "- Crew lists: Who is on board" in question.text
    schema = question.body["response_format"]["json_schema"]["schema"]
    assert [*schema["properties"]] == ["reason", "label"], "it decides after it has said why"


def test_a_model_is_asked_whether_a_single_label_fits(tmp_path: Path) -> None:
    with model([says({"reason": "Berths cost money", "label": "Harbour dues"})]) as endpoint:
        assert asked(tmp_path, endpoint.url, VAGUE, HARBOUR[:1]).label == "Harbour dues"


def test_a_model_is_not_asked_about_what_is_sure(tmp_path: Path) -> None:
    sure = text_document("INVOICE", "Invoice number: 17", "Due date: 04.05.2024", "Bill to: A")
    labels = [Label("Invoice"), Label("Contract")]
    with model([says({"reason": "no", "label": None})]) as endpoint:
        assert asked(tmp_path, endpoint.url, sure, labels) == classify(sure, labels)
    assert endpoint.questions == []


@pytest.mark.parametrize(
    ("scores", "said", "label"),
    [
        ({"Invoice": 0.977, "Quote": 0.01}, None, "Invoice"),
        ({"Invoice": 0.977, "Quote": 0.01}, "Quote", "Invoice"),
        ({"Invoice": 0.6, "Quote": 0.3}, "Quote", "Quote"),
        ({"Invoice": 0.6, "Quote": 0.3}, "Invoice", "Invoice"),
        ({"Invoice": 0.6, "Quote": 0.0}, "Quote", "Invoice"),
        ({"Invoice": 0.6, "Quote": 0.1}, None, None),
    ],
)
def test_a_model_s_label_weighs_against_the_document_s_own_evidence(
    scores: dict[str, float], said: str | None, label: str | None
) -> None:
    offline = Classification("Invoice", scores["Invoice"], "It says so.", scores)
    weighed = model_opinion._weighed(offline, said, "Because.")
    assert weighed.label == label
    assert weighed.reason == ("It says so." if label == "Invoice" else "The language model says: Because.")
    left = 1 - sum(weighed.scores.values())
    assert weighed.confidence == pytest.approx(weighed.scores[label] if label else left, abs=0.01)
    if scores["Invoice"] > 0.9:
        assert not model_opinion.needs_opinion(offline)


def test_a_model_that_should_help_and_is_not_there_is_told_where_it_may_matter() -> None:
    why = "The budget is spent"
    assert classify(VAGUE, HARBOUR, no_model=why).warnings == (
        "The budget is spent; the document was sorted without it",
    )
    sure = text_document("INVOICE", "Invoice number: 17", "Due date: 04.05.2024", "Bill to: A")
    assert classify(sure, [Label("Invoice"), Label("Contract")], no_model=why).warnings == ()


def test_the_type_of_a_file_tells_mails_from_documents_with_a_mail_address() -> None:
    labels = [Label("Invoice"), Label("Incoming mail"), Label("Letter")]
    lines = ["Nordwind GmbH", "E-Mail: ann@example.com", "Rechnung Nr. 2024-17", "MwSt 19 %  19,00"]
    assert classify(text_document(*lines), labels).label == "Invoice"
    mail = text_document("From: Ann", "To: Bob", "Subject: Lunch", "See you at noon")
    assert classify(mail, labels).label is None
    mail.content_type = "message/rfc822"
    found = classify(mail, labels)
    assert found.label == "Incoming mail"
    assert "its file is of the type message/rfc822" in found.reason


def test_examples_outweigh_the_title_of_another_kind() -> None:
    spots = [
        f"INVOICE\nStation WX{n}\nSpots aired: {n}\nFlight dates\nDaypart morning\nGross" for n in range(5)
    ]
    bills = [f"INVOICE\nSupplier {n} Ltd\nBolts and nuts\nVAT 19 %\nDelivery\nIBAN {n}" for n in range(5)]
    airing = text_document("INVOICE", "Station KQ9", "Spots aired: 9", "Flight dates", "Daypart evening")
    bare = [Label("Invoice"), Label("Air time")]
    assert classify(airing, bare).label == "Invoice"
    taught = [Label("Invoice", examples=tuple(bills)), Label("Air time", examples=tuple(spots))]
    assert classify(airing, taught).label == "Air time"
    bill = text_document("INVOICE", "Supplier 9 Ltd", "Bolts", "VAT 19 %", "IBAN 9")
    assert classify(bill, taught).label == "Invoice"
    one_sided = [Label("Invoice"), taught[1]]
    assert classify(bill, one_sided).label == "Invoice"


ORDER = (
    "INVOICE",
    "Advertiser: Example for Council",
    "Agency: Media Partners",
    "Station: WXYZ-TV",
    "Flight dates: 10/01/2025 - 10/28/2025",
    "Spot length: 30",
    "Amount due: 1,200.00",
    "Payment terms: 30 days",
)


@pytest.mark.parametrize(
    "label",
    [Label("Ad order"), Label("Media", "Bills and insertion orders of stations for advertising time")],
)
def test_an_advertising_order_may_be_titled_an_invoice(label: Label) -> None:
    found = classify(text_document(*ORDER), [Label("Invoice"), label])
    assert found.label == label.name
    plain_invoice = (ORDER[0], "Bill to: Example", *ORDER[-2:])
    assert classify(text_document(*plain_invoice), [Label("Invoice"), label]).label == "Invoice"
