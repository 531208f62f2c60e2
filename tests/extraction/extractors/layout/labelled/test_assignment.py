"""Fields choose from the page's reading: names, contexts, whole values, and each place for one field."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from docduck.documents.document import Box, Document, Page, Word
from docduck.documents.geometry.lines import build_lines
from docduck.extraction.extractors.layout.analysis import DocumentAnalysis
from docduck.extraction.extractors.layout.candidates.recognizers import find_candidates
from docduck.extraction.extractors.layout.labelled.name_match import NameMatch, alike
from docduck.extraction.extractors.layout.labelled.own_dates import own_dates
from docduck.extraction.extractors.layout.labelled.places import Place, label_text, places_of
from docduck.extraction.extractors.layout.labelled.salutations import without_salutation
from docduck.extraction.extractors.layout.labelled.values import is_period, read_value
from docduck.extraction.extractors.value_forms import has_form
from docduck.extraction.fields.field_query import query_of
from docduck.extraction.fields.issuers import is_addressee, is_issuer, is_somebody
from docduck.extraction.fields.terms import terms
from docduck.extraction.options import ExtractOptions
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import text_of, views_of
from docduck.extraction.run_extractors import extract_document
from docduck.fields import Field, FieldType
from tests.extraction.pages import text_document


def field(name: str, kind: FieldType = FieldType.TEXT) -> Field:
    """A field of a type."""
    return Field(name=name, type=kind)


def document(*words: tuple[float, float, str], size: float = 10) -> Document:
    """A page of A4 with words at (left, top) in points."""
    some = [
        Word(text, Box(x / 595, y / 842, len(text) * size * 0.5 / 595, size * 1.1 / 842))
        for x, y, text in words
    ]
    return Document("application/pdf", [Page(1, 595, 842, build_lines(some, 595, 842))], 1)


def spread(x: float, y: float, text: str) -> list[tuple[float, float, str]]:
    """The words of a line that begins at (x, y)."""
    found = []
    for word in text.split():
        found.append((x, y, word))
        x += 5 * len(word) + 3
    return found


PAYSLIP = document(
    *spread(60, 60, "Otterburn Mill"), *spread(420, 60, "PAYSLIP"),
    *spread(60, 110, "Employee"), *spread(180, 110, "Pers.nr."), *spread(300, 110, "Period"),
    *spread(460, 110, "Pay date"),
    *spread(60, 124, "Ximena Torres"), *spread(180, 124, "TF 20 4418"),
    *spread(300, 124, "01/04/2024 - 30/04/2024"), *spread(460, 124, "26/04/2024"),
    *spread(60, 200, "Total gross"), *spread(460, 200, "2,496.75"),
    *spread(60, 216, "NET PAY"), *spread(460, 216, "1,967.41"),
)  # fmt: skip


def values(source: Document, *fields: Field) -> dict[str, Any]:
    """The values of fields in a document."""
    return extract_document(source, fields).data


def test_periods_groups_and_abbreviations() -> None:
    found = values(
        PAYSLIP,
        field("Employee"),
        field("Personeelsnummer"),
        field("Début de période", FieldType.DATE),
        field("Fin de période", FieldType.DATE),
        field("Gross pay", FieldType.CURRENCY),
    )
    assert found == {
        "Employee": "Ximena Torres",
        "Personeelsnummer": "TF 20 4418",
        "Début de période": "2024-04-01",
        "Fin de période": "2024-04-30",
        "Gross pay": 2496.75,
    }


TICKET = document(
    *spread(60, 60, "CONFIRMATION"),
    *spread(60, 100, "Area"), *spread(300, 100, "Dates"),
    *spread(60, 114, "8012 Basin 7"), *spread(300, 114, "20 – 21 March 2025"),
    *spread(60, 160, "From"), *spread(300, 160, "To"),
    *spread(60, 174, "20 March 2025 08:15"), *spread(300, 174, "21 March 2025 11:45"),
    *spread(60, 220, "No."), *spread(180, 220, "C-4711"),
    *spread(60, 236, "Date"), *spread(180, 236, "02/03/2025"),
)  # fmt: skip


@pytest.mark.usefixtures("choice")
def test_labels_that_leave_out_a_part_of_the_name() -> None:
    found = values(
        TICKET,
        field("Parking area"),
        field("Confirmation number"),
        field("Date of the confirmation", FieldType.DATE),
        field("Starting time"),
        field("End time"),
    )
    assert found == {
        "Parking area": "8012 Basin 7",
        "Confirmation number": "C-4711",
        "Date of the confirmation": "2025-03-02",
        "Starting time": "08:15",
        "End time": "11:45",
    }


@pytest.mark.usefixtures("no_choice")
def test_a_general_label_answers_no_field_that_it_may_not_mean() -> None:
    assert values(TICKET, field("Date of birth", FieldType.DATE), field("Seat number")) == {
        "Date of birth": None,
        "Seat number": None,
    }


def test_both_ends_of_a_period_over_two_lines() -> None:
    lines = document(*spread(300, 124, "01 Nov 2024 a"), *spread(300, 136, "30 Nov 2024"))
    analysis = DocumentAnalysis(lines, [], ExtractOptions())
    place = Place("Período", [token for segment in analysis.view.segments for token in segment.tokens], 1.0)
    assert is_period(place, analysis)
    ends = [query_of(field(name, FieldType.DATE)) for name in ("Início do período", "Fim do período")]
    found = [read_value(query, place, analysis) for query in ends]
    assert [one.value for one in found if one] == ["2024-11-01", "2024-11-30"]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Detalhe da fatura FT 2024A/0071836", "FT 2024A/0071836"),
        ("Fatura 2024A/0071836", "2024A/0071836"),
        ("Fatura Ref. 2024A/0071836", "2024A/0071836"),
        ("Fatura 1395161-1, 5420 Main Street, Reno, NV 89502", "1395161-1"),
    ],
)
def test_letters_before_a_number_are_a_part_of_it(line: str, number: str) -> None:
    page = document(*spread(60, 60, "Luzeira"), *spread(60, 120, line))
    assert values(page, field("N.º da fatura")) == {"N.º da fatura": number}


@pytest.mark.usefixtures("no_choice")
def test_whose_a_thing_is_tells_fields_apart_little() -> None:
    offer = document(
        *spread(60, 60, "DEVIS"),
        *spread(60, 200, "Montant des honoraires : 1 690,00 €"),
        *spread(60, 214, "Reste à charge avant complémentaire : 1 438,00 €"),
    )
    assert values(offer, field("Reste à ma charge", FieldType.CURRENCY)) == {"Reste à ma charge": 1438}


@pytest.mark.usefixtures("choice")
def test_an_account_behind_an_abbreviation_in_a_sentence() -> None:
    letter = document(
        *spread(60, 60, "UPOMÍNKA"),
        *spread(
            60, 200, "Žádáme Vás, abyste uvedenou částku poukázali nejpozději do 18. 11. 2024 na náš účet"
        ),
        *spread(60, 213, "č. 19-4417820257/0100 a jako variabilní symbol uvedli 2024087. Děkujeme."),
    )
    assert values(letter, field("Bankovní účet")) == {"Bankovní účet": "19-4417820257/0100"}


def test_a_part_of_a_code_is_no_amount() -> None:
    page = document(
        *spread(60, 60, "PAYSLIP"), *spread(60, 90, "NI / SSN"), *spread(60, 104, "QQ 12 34 56 C")
    )
    paid = Field(name="Social Security", type=FieldType.CURRENCY, labels=("NI / SSN",))
    assert values(page, paid) == {"Social Security": None}


def test_a_label_that_names_somebody_answers_his_number_with_a_code_and_his_name_with_no_label() -> None:
    bill = document(
        *spread(60, 40, "Dierenkliniek Berkelzoom"),
        *spread(60, 90, "Familie Ten Cate"), *spread(60, 102, "Lindelaan 44"),
        *spread(60, 114, "7231 HM Warnsveld"), *spread(60, 160, "Rekening"),
        *spread(60, 200, "Nummer"), *spread(180, 200, "Datum"), *spread(300, 200, "Klant"),
        *spread(420, 200, "Behandeld door"),
        *spread(60, 214, "2024-10733"), *spread(180, 214, "6 juni 2024"), *spread(300, 214, "K08812"),
        *spread(420, 214, "drs. M. Hoekzema"),
    )  # fmt: skip
    found = values(bill, field("Customer Number"), field("Customer Name"))
    assert found == {"Customer Number": "K08812", "Customer Name": "Familie Ten Cate"}


def test_an_identifier_between_dots_of_a_footer() -> None:
    footer = document(
        *spread(60, 60, "Invoice"), *spread(60, 800, "Quay 1 · Tel. 97 32 40 11 · CVR 45 81 90 13")
    )
    assert values(footer, field("CVR")) == {"CVR": "45 81 90 13"}


def test_the_numbers_of_a_row_are_labelled_by_its_words_and_their_column() -> None:
    rows = (("Kitchen cabinets", "1,842", "758.90"), ("Cabinet doors", "418", "141.08"))
    page = views_of(
        document(
            *spread(60, 60, "FREIGHT BILL"),
            *spread(60, 200, "Description"), *spread(330, 200, "Weight"), *spread(420, 200, "Charges"),
            *(word for y, row in enumerate(rows, 14) for x, text in zip((60, 330, 420), row, strict=True)
              for word in spread(x, 16 * y, text)),
        )
    ).pages[0]  # fmt: skip
    found = {(one.label, one.context, one.tokens[0].text) for one in places_of(page) if one.kinds}
    assert ("Kitchen cabinets", "Weight", "1,842") in found


@pytest.mark.usefixtures("no_choice")
def test_a_sum_of_a_column_answers_the_field_that_its_head_names() -> None:
    rows = (("Csemegeuborka", "288", "196,8", "324,0"), ("Almapaprika", "144", "97,9", "161,5"),
            ("Rakomány összesen", "432", "294,7", "485,5"))  # fmt: skip
    heads = ("Megnevezés", "Mennyiség", "Nettó súly kg", "Bruttó súly kg")
    page = document(
        *spread(60, 60, "CSOMAGOLÁSI JEGYZÉK"),
        *(word for y, row in enumerate((heads, *rows), 13)
          for x, text in zip((60, 220, 330, 450), row, strict=True) for word in spread(x, 16 * y, text)),
    )  # fmt: skip
    wanted = field("Nettó tömeg (kg)", FieldType.NUMBER), field("Bruttó tömeg (kg)", FieldType.NUMBER)
    columns = (field("Megnevezés"), field("Mennyiség", FieldType.NUMBER))
    found = values(page, *wanted, Field(name="Csomagok", type=FieldType.TABLE, columns=columns))
    assert (found["Nettó tömeg (kg)"], found["Bruttó tömeg (kg)"]) == (294.7, 485.5)


def test_the_numbers_of_a_row_with_a_number_or_a_sum() -> None:
    rows = (("10.1", "Berufliche Vorsorge", "6.142,00", "12,50"), ("", "Summe", "7.100,00", "14,00"))
    page = views_of(
        document(
            *spread(60, 60, "LOHNAUSWEIS"),
            *spread(130, 200, "Bezeichnung"), *spread(330, 200, "Betrag"), *spread(420, 200, "Zuschlag"),
            *(word for y, row in enumerate(rows, 14)
              for x, text in zip((60, 130, 330, 420), row, strict=True) for word in spread(x, 16 * y, text)),
        )
    ).pages[0]  # fmt: skip
    found = {(one.label, one.tokens[0].text) for one in places_of(page) if one.kinds}
    assert {("Berufliche Vorsorge", "6.142,00"), ("Betrag", "7.100,00"), ("Zuschlag", "14,00")} <= found


@pytest.mark.usefixtures("choice")
def test_boxes_and_answers() -> None:
    form = document(
        *spread(60, 60, "LEASE"),
        *spread(60, 100, "☒ Parking"), *spread(200, 100, "☐ Balcony"),
        *spread(60, 130, "Pets allowed:"), *spread(200, 130, "☐ yes"), *spread(260, 130, "☒ no"),
    )  # fmt: skip
    fields = [field(name, FieldType.BOOLEAN) for name in ("Parking available", "Balcony", "Pets")]
    assert list(values(form, *fields).values()) == [True, False, False]


def test_values_of_a_sentence_are_labelled_by_the_words_before_them() -> None:
    letter = document(
        *spread(60, 60, "POLICY"),
        *spread(60, 200, "Your insurance of the house begins on 1 August 2024 and ends on 1 August"),
        *spread(60, 213, "2027. We collect the premium every month from account NL20 INGB 0007 **** 46."),
    )  # fmt: skip
    fields = [field(name, FieldType.DATE) for name in ("Start date", "End date")]
    assert list(values(letter, *fields, field("Account")).values()) == [
        "2024-08-01", "2027-08-01", "NL20 INGB 0007 **** 46",
    ]  # fmt: skip


def test_a_sum_in_a_sentence_has_its_currency() -> None:
    letter = document(
        *spread(60, 60, "VERTRAG"),
        *spread(60, 200, "Der Mieter hinterlegt bei der Unterzeichnung eine Kaution von € 1.250,00 und"),
        *spread(60, 213, "zahlt danach jeden Monat auf das Konto des Vermieters eine Miete von 640,00 EUR"),
        *spread(60, 226, "im Voraus, bei Verzug mit Zinsen von 8 % im Jahr seit dem Tag der Zahlung."),
    )  # fmt: skip
    fields = (field("Kaution", FieldType.CURRENCY), field("Miete", FieldType.CURRENCY))
    found = values(letter, *fields, field("Zinsen", FieldType.NUMBER))
    assert found == {"Kaution": 1250, "Miete": 640, "Zinsen": 8}


def test_a_sum_may_stand_before_its_label_and_a_mail_address_in_a_sentence() -> None:
    bill = document(
        *spread(60, 60, "FACTURA"),
        *spread(60, 200, "El importe total de esta factura está compuesto por 189,67 € de base y 39,83 € de"),
        *spread(60, 213, "IVA, que se cargan en su cuenta el día siguiente. Hemos enviado la copia al"),
        *spread(60, 226, "correo lola.gil@correo.example para que la guarde, como nos ha pedido usted."),
    )  # fmt: skip
    found = values(bill, field("cuota IVA", FieldType.CURRENCY), field("Correo"))
    assert found == {"cuota IVA": 39.83, "Correo": "lola.gil@correo.example"}


def test_the_date_of_a_letter_follows_its_town() -> None:
    page = views_of(document(*spread(60, 60, "Angoulême, le mardi 8 octobre 2024"))).pages[0]
    assert [text_of(one.tokens) for one in own_dates(page)] == ["8 octobre 2024"]


@pytest.mark.parametrize(
    ("lines", "date"),
    [
        (["Skickad 14 maj 2024 kl. 21.07", "Reser du gör den 2 juni 2024"], "14 maj 2024"),
        (["preventivo 41/25 del 14 marzo 2025"], "14 marzo 2025"),
        (["14.05.2024", "15.05.2024"], None),
        (["Umzug am Samstag, den 14. September 2024, durch."], None),
        (["Eräpäivä: 16.5.2024", "Asiakasnumero: 417", "16.5.2024"], None),
        (["Beløbet deles: den første", "marts, den anden 1. juli 2024"], None),
    ],
)
def test_a_date_without_a_label_says_when_the_document_was_made(lines: list[str], date: str | None) -> None:
    page = views_of(document(*(w for at, line in enumerate(lines) for w in spread(60, 60 + 40 * at, line))))
    found = [text_of(one.tokens) for one in own_dates(page.pages[0])]
    assert found == ([date] if date else [])


def test_a_document_is_from_the_day_when_it_was_made() -> None:
    offer, end = query_of(field("Angebot vom", FieldType.DATE)), query_of(field("Miete von", FieldType.DATE))
    page = views_of(document(*spread(60, 60, "München, 29. Juli 2024"))).pages[0]
    (place,) = own_dates(page)
    assert NameMatch([offer]).general_score(offer, place, [offer]) > 0.7
    assert NameMatch([end]).general_score(end, place, [end]) < 0.7


def test_the_label_date_answers_the_field_that_asks_when_the_document_was_made() -> None:
    made, event = (
        query_of(Field(name="Vertragsdatum", type=FieldType.DATE)),
        query_of(Field(name="Konzertdatum", type=FieldType.DATE)),
    )
    matches = NameMatch([made, event])
    page = views_of(document(*spread(60, 60, "Krems, am 3. Dezember 2024"))).pages[0]
    (place,) = own_dates(page)
    assert matches.general_score(made, place, [made, event]) > matches.general_score(
        event, place, [made, event]
    )


def test_numbers_beside_a_title_and_after_a_number_sign() -> None:
    page = document(
        *spread(60, 60, "PACKING LIST"), *spread(400, 60, "PL 50377"), *spread(60, 90, "č. PO-2024/1873"),
        *spread(60, 140, "Date"), *spread(160, 140, "23-Aug-2024"),
    )  # fmt: skip
    places = {(one.label, text_of(one.tokens)) for one in places_of(views_of(page).pages[0])}
    assert {("PACKING LIST", "PL 50377"), ("č", "PO-2024/1873")} <= places


@pytest.mark.parametrize(
    ("printed", "amount"),
    [
        ("($ 1,234.56)", -1234.56),
        ("$(1,234.56)", -1234.56),
        ("$ (1,234.56)", -1234.56),
        ("One thousand ($ 1,234.56)", 1234.56),
    ],
)
def test_an_amount_in_brackets_is_negative_unless_they_add_it_in_figures(printed: str, amount: float) -> None:
    segment = views_of(document(*spread(60, 60, printed))).segments[0]
    (candidate,) = find_candidates("amount", segment, Locale("en", ".", False, None))
    assert candidate.value == pytest.approx(Decimal(str(amount)))


def test_a_cell_in_brackets_is_negative() -> None:
    source = document(
        *spread(60, 60, "CREDIT NOTE"),
        *spread(60, 110, "Item"), *spread(300, 110, "Amount"),
        *spread(60, 130, "Bolts returned"), *spread(300, 130, "($ 12.50)"),
        *spread(60, 150, "Nuts returned"), *spread(300, 150, "$(7.25)"),
        *spread(60, 170, "Screws"), *spread(300, 170, "$ 3.00"),
    )  # fmt: skip
    columns = (field("Item"), field("Amount", FieldType.CURRENCY))
    rows = values(source, Field(name="Items", type=FieldType.TABLE, columns=columns))["Items"]
    assert [row["Amount"] for row in rows] == [-12.5, -7.25, 3]


def test_what_the_form_of_a_value_says_counts_for_this_value_alone() -> None:
    mailbox = document(*spread(60, 60, "info@otterburn.example"))
    pages = views_of(PAYSLIP).segments, views_of(mailbox).segments
    name, address = (Place("Contact", segments[0].tokens, 1.0) for segments in pages)
    query = query_of(field("Contact e-mail"))
    scores = [NameMatch([query]).score(query, place) for place in (name, address)]
    assert scores[0] < scores[1]
    for order in ((name, address), (address, name)):
        matches = NameMatch([query])
        together = {place: matches.score(query, place) for place in order}
        assert [together[name], together[address]] == scores


def match(name: str, label: str, context: str = "", *others: str) -> float:
    """How much a label names a field, among others."""
    place = Place(label, views_of(PAYSLIP).segments[0].tokens, 1.0, context)
    queries = [query_of(field(one)) for one in (name, *others)]
    return NameMatch(queries).score(queries[0], place)


@pytest.mark.parametrize(
    ("name", "label", "context"),
    [
        ("Numer CMR", "CMR", ""),
        ("Folio number", "Folio", ""),
        ("Registreringsnummer", "Reg.nr", ""),
        ("Bill of Lading", "BOL", ""),
        ("CRO/TRN", "TRN", ""),
        ("Ort", "ORT / LIEU", ""),
        ("Factuurnummer", "Nummer", "FACTUUR"),
        ("Lectura anterior", "Anterior", "LECTURAS DEL CONTADOR"),
        ("Potencia contratada (kW)", "Potencia contratada", ""),
    ],
)
def test_labels_that_name_a_field(name: str, label: str, context: str) -> None:
    assert match(name, label, context) >= 0.6


@pytest.mark.parametrize(
    ("name", "label"),
    [("Employer", "Employee"), ("Leverantör", "Leveranssätt"), ("Date", "Delivery date"),
     ("Contract number", "Contact"), ("Advertiser", "Advertiser code")],
)  # fmt: skip
def test_labels_of_something_else(name: str, label: str) -> None:
    assert match(name, label) < 0.65


def test_the_label_of_a_number_names_no_other_field_although_a_number_is_near() -> None:
    queries = [query_of(field("Advertiser"))]
    tokens = views_of(PAYSLIP).segments[0].tokens
    place = Place("Advertiser Code", tokens, 1.0, "Agency Code")
    assert NameMatch(queries).general_score(queries[0], place, queries) == 0.0


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("VIN", "N° série"), ("Certificate", "Certificate no"), ("AHV-Nummer", "C AHV-Nr. – No AVS"),
        ("Apprentice", "Lernende Person – Personne en formation"),
    ],
)  # fmt: skip
def test_numbers_of_documents_and_labels_of_forms(name: str, label: str) -> None:
    query = query_of(field(name))
    place = Place(label, views_of(PAYSLIP).segments[0].tokens, 1.0)
    matched = NameMatch([query])
    assert max(matched.score(query, place), matched.general_score(query, place, [query])) > 0.6


def test_the_role_in_the_context_decides_between_fields_of_one_concept() -> None:
    right = match("IBAN ordinante", "IBAN", "ORDINANTE", "IBAN beneficiario")
    assert right > match("IBAN ordinante", "IBAN", "BENEFICIARIO", "IBAN beneficiario")


def general(name: str, kind: FieldType, label: str, *others: str) -> float:
    """How much a label that leaves something out names a field, with other open fields of the type."""
    place = Place(label, views_of(PAYSLIP).segments[0].tokens, 1.0)
    queries = [query_of(field(one, kind)) for one in (name, *others)]
    return NameMatch(queries).general_score(queries[0], place, queries)


@pytest.mark.parametrize(
    ("name", "kind", "label"),
    [
        ("Sent on", FieldType.DATE, "DATA"),
        ("Vedtaksdato", FieldType.DATE, "Vår dato"),
        ("Medlem", FieldType.TEXT, "För- och efternamn"),
        ("Total payé", FieldType.CURRENCY, "Montant réglé"),
        ("Matrícula", FieldType.TEXT, "VIATURA"),
    ],
)
def test_a_label_says_what_the_type_of_the_field_implies(name: str, kind: FieldType, label: str) -> None:
    assert general(name, kind, label) >= 0.6


def test_a_general_label_is_left_open_between_two_fields() -> None:
    assert general("Sent on", FieldType.DATE, "Date", "Collected on") == 0


@pytest.mark.parametrize(
    ("name", "text", "suits"),
    [
        ("Second driver", "MARIJKE BOS", True), ("Second driver", "NO", False),
        ("Emergency contact", "073-904 11 20", False), ("Customer no.", "4711", True),
        ("Nummerplade", "DK 41 882", True), ("Plate", "FIAT 500X 1.0 T3 Cross", False),
        ("Plate", "GREY", False), ("IBAN beneficiario", "IT 62 R 08177 35820 000012045518", True),
        ("Hospital EIN", "16,419.10", False), ("Hospital EIN", "84-0917735", True),
        ("SIRET du garage", "Garage du Pont", False), ("Booking code", "KVXTRP", True),
    ],
)  # fmt: skip
def test_the_form_of_names_and_plates(name: str, text: str, suits: bool) -> None:
    assert has_form(query_of(field(name)), text) == suits


def test_a_label_without_its_number_and_note() -> None:
    assert label_text("16 Przewoźnik (nazwisko lub nazwa, adres, kraj)") == "Przewoźnik"
    assert label_text("Betreft factuur:") == "Betreft factuur"


@pytest.mark.parametrize(
    ("names", "party"),
    [
        (("Travel agency", "Autowerkstatt", "Uitzendbureau", "Szkoła", "Hotel", "Nome fotografo", "Méhész"),
         "issuer"),
        (("Nome do cliente", "Patient", "Steuerpflichtiger", "Låntaker"), "addressee"),
        (("Customer number", "Patient's date of birth", "Advertiser", "Remarks", "Hospital EIN",
          "Hotel guest name and room"), None),
    ],
)  # fmt: skip
def test_the_party_that_a_field_asks_for(names: Sequence[str], party: str | None) -> None:
    queries = [query_of(field(name)) for name in names]
    assert {is_issuer(query) for query in queries} == {party == "issuer"}
    assert {is_addressee(query) for query in queries} == {party == "addressee"}


def test_ticked_options_answer() -> None:
    form = document(
        *spread(60, 60, "MEDLEMSAVTAL"),
        *spread(60, 200, "Bindningstid"), *spread(160, 200, "☐ 6 mån"), *spread(260, 200, "☒ 12 mån"),
        *spread(360, 200, "☐ 24 mån"),
    )  # fmt: skip
    assert values(form, field("Bindningstid", FieldType.NUMBER)) == {"Bindningstid": 12}


def test_slashes_divide_label_and_values() -> None:
    page = document(
        *spread(60, 60, "Otterburn Mill"),
        *spread(60, 110, "Contract no / Client no"), *spread(300, 110, "3045518872 / 11094427"),
    )  # fmt: skip
    found = values(page, field("Contract no"), field("Client no"))
    assert found == {"Contract no": "3045518872", "Client no": "11094427"}


def test_values_end_with_their_sentence() -> None:
    page = document(*spread(60, 110, "Beneficiary: Legal heirs. In the event of death the balance is paid"))
    assert values(page, field("Beneficiary")) == {"Beneficiary": "Legal heirs"}


def test_salutations() -> None:
    name = list(views_of(document(*spread(60, 60, "Frau Ximena Torres"))).pages[0].segments[0].tokens)
    asked = Field(name="Kundin", type=FieldType.TEXT, description="ohne Anrede")
    assert text_of(without_salutation(query_of(asked), name)) == "Ximena Torres"
    assert text_of(without_salutation(query_of(field("Kundin")), name)) == "Frau Ximena Torres"
    dear = list(views_of(document(*spread(60, 60, "Sayın Ximena Torres"))).pages[0].segments[0].tokens)
    assert text_of(without_salutation(query_of(field("Müşteri")), dear)) == "Ximena Torres"


def test_whole_amounts_in_groups() -> None:
    page = document(*spread(60, 110, "Amount due"), *spread(300, 110, "kr 16 489,–"))
    assert values(page, field("Amount due", FieldType.CURRENCY)) == {"Amount due": 16489}


def test_groups_of_digits_may_be_as_far_apart_as_a_digit_is_wide() -> None:
    at = [(300, 110, "203"), (321, 110, "087,34")]
    page = document(
        *spread(60, 60, "FAKTURA"), *spread(60, 110, "Částka"), *at,
        *spread(60, 130, "Sleva"), *spread(300, 130, "– 19,48"), *spread(350, 130, "Kč"),
    )  # fmt: skip
    found = values(page, field("Částka", FieldType.CURRENCY), field("Sleva", FieldType.CURRENCY))
    assert found == {"Částka": 203087.34, "Sleva": 19.48}


def test_codes_in_sentences_answer_texts() -> None:
    page = document(
        *spread(60, 100, "The amount falls due on 15 May 2024 and is paid to our account with"),
        *spread(60, 112, "KID 002407741982713. We charge interest on late payments from the day"),
        *spread(60, 124, "after the deadline until you pay, and send you a reminder with the receipt"),
        *spread(60, 136, "BT 7719034. Complaints are sent in writing to the address below."),
    )  # fmt: skip
    found = values(page, field("KID"), field("Receipt"))
    assert found == {"KID": "002407741982713", "Receipt": "BT 7719034"}


def test_a_number_names_nobody() -> None:
    assert is_somebody(query_of(field("Depotinhaber")))
    assert not is_somebody(query_of(field("supplier's bank account")))
    assert not is_somebody(query_of(field("customer address")))
    assert is_somebody(query_of(field("Godkjent av")))
    assert not is_somebody(query_of(field("Gültig von")))
    page = document(*spread(60, 60, "Bankhaus"), *spread(60, 110, "Owner"), *spread(300, 110, "0814-227.331"))
    assert values(page, field("Owner")) == {"Owner": None}


def test_labels_name_totals_that_no_arithmetic_settles() -> None:
    page = document(
        *spread(60, 60, "Clínica Arga"),
        *spread(60, 200, "Suma"), *spread(460, 200, "229,50"),
        *spread(60, 216, "Entregado a cuenta"), *spread(460, 216, "-100,00"),
        *spread(60, 232, "Pendiente de pago"), *spread(460, 232, "129,50"),
    )  # fmt: skip
    found = values(page, field("total", FieldType.CURRENCY), field("cuota IVA", FieldType.CURRENCY))
    assert found["total"] == 229.5


def test_letters_greet_their_addressee() -> None:
    letter = document(
        *spread(60, 60, "Théâtre de la Comète"),
        *spread(60, 110, "Bonjour Mme Solène Kerguélen,"),
        *spread(60, 134, "Merci de votre visite et à bientôt dans notre salle avec toute votre famille."),
    )  # fmt: skip
    asked = Field(name="acheteur", type=FieldType.TEXT, description="sans Mme/M.")
    assert values(letter, asked) == {"acheteur": "Solène Kerguélen"}


def test_times_without_a_label() -> None:
    slip = document(*spread(60, 60, "GUL & GRØN RENS"), *spread(60, 110, "11-03-2024 17:42"))
    assert values(slip, field("klokken"), field("renseri")) == {
        "klokken": "17:42",
        "renseri": "GUL & GRØN RENS",
    }


def test_words_of_one_stem_may_mean_different_things() -> None:
    page = document(
        *spread(60, 60, "Short Form Registration Statement"),
        *spread(60, 110, "1. Name"), *spread(360, 110, "2. Registration No."),
        *spread(60, 124, "Gary Holm"), *spread(360, 124, "6284"),
        *spread(60, 160, "8. Name of the primary registrant"),
        *spread(60, 174, "Denholm Partners LLP"),
    )  # fmt: skip
    found = values(page, field("registrant_name"), field("person_name"), field("registration_number"))
    assert list(found.values()) == ["Denholm Partners LLP", "Gary Holm", "6284"]
    registrant, registration = terms("registrant registration")
    assert not alike(registrant, registration)


def test_a_label_that_means_a_party_answers_it_where_no_heading_or_role_does() -> None:
    lines = ("TRANSİT REFAKAT BELGESİ", "Beyan No: 2210-4", "Alıcı: Fliesenkontor Aurich", "Kap: 12")
    found = extract_document(text_document(*"\n\n".join(lines).split("\n")), [Field(name="Consignee")])
    assert found.data["Consignee"] == "Fliesenkontor Aurich"


def test_a_leader_divides_a_label_from_its_value() -> None:
    page = views_of(document(*spread(60, 60, "nummer ............. OB 25-01873"))).pages[0]
    assert ("nummer", "OB 25-01873") in {
        (one.label, text_of(one.tokens)) for one in places_of(page) if not one.run_on
    }


@pytest.mark.parametrize(("name", "expected"), [("Ordernummer", True), ("Kundennummer", False)])
def test_the_label_of_a_number_alone_is_that_of_the_document(name: str, expected: bool) -> None:
    query = query_of(Field(name=name))
    page = views_of(document(*spread(60, 60, "Nr.: 25-01873"))).pages[0]
    place = next(one for one in places_of(page) if one.label == "Nr")
    assert bool(NameMatch([query]).general_score(query, place, [query])) is expected


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("Periodo", ("Periodo dal", "Periodo al")),
        ("Gyldig", ("Gælder fra", "Gælder til")),
    ],
)
def test_both_ends_of_a_period_are_asked_by_small_words(label: str, names: tuple[str, str]) -> None:
    page = document(*spread(60, 60, label), *spread(200, 60, "01/02/2024 - 31/03/2024"))
    found = values(page, *(field(name, FieldType.DATE) for name in names))
    assert list(found.values()) == ["2024-02-01", "2024-03-31"]


def test_a_sentence_says_until_when_to_pay() -> None:
    letter = document(
        *spread(60, 60, "Zahlungserinnerung"),
        *spread(60, 120, "Rechnung"), *spread(180, 120, "Fälligkeit"), *spread(300, 120, "Betrag"),
        *spread(60, 134, "23-0711"), *spread(180, 134, "13.09.23"), *spread(300, 134, "412,30"),
        *spread(60, 148, "23-0802"), *spread(180, 148, "30.09.23"), *spread(300, 148, "87,20"),
        *spread(60, 187, "Unsere letzte Erinnerung vom 18. September 2023 haben Sie wohl leider übersehen."),
        *spread(60, 200, "Wir bitten Sie, den offenen Betrag bis zum 22. Oktober 2023 auf unser Konto"),
        *spread(60, 213, "zu überweisen. Andernfalls übergeben wir die Sache gerne unserem Anwalt in Bonn."),
    )  # fmt: skip
    columns = [field("Rechnung"), field("Fällig", FieldType.DATE), field("Betrag", FieldType.CURRENCY)]
    rows = Field(name="Offene Rechnungen", type=FieldType.TABLE, columns=columns)
    found = values(letter, field("Zahlbar bis", FieldType.DATE), rows)
    assert found["Zahlbar bis"] == "2023-10-22"
    assert [row["Fällig"] for row in found["Offene Rechnungen"]] == ["2023-09-13", "2023-09-30"]


def test_a_greeting_above_an_address_is_no_name() -> None:
    bill = document(
        *spread(60, 60, "Telvia S.p.A."), *spread(60, 74, "Via Caldera 41, 20153 Milano"),
        *spread(320, 140, "Gentile cliente"), *spread(320, 154, "Tommaso Gualtieri"),
        *spread(320, 168, "Via dei Cerchiai 19"), *spread(320, 182, "50124 Firenze FI"),
    )  # fmt: skip
    assert values(bill, field("Cliente")) == {"Cliente": "Tommaso Gualtieri"}


def test_the_name_of_a_field_in_a_sentence_is_surer_than_a_label_that_says_less() -> None:
    letter = document(
        *spread(60, 60, "Datum"), *spread(200, 60, "26.01.2024"),
        *spread(60, 120, "Jährliche Mitteilung zu Ihrer Rente mit allen Zahlungen, Stand 31.12.2023 und"),
        *spread(60, 133, "eine Aussicht auf die Zahlungen der nächsten Jahre, wie Sie es gewünscht haben."),
    )  # fmt: skip
    assert values(letter, field("Stand", FieldType.DATE)) == {"Stand": "2023-12-31"}


def test_an_address_has_the_name_of_its_field_as_label_where_no_party_is_told() -> None:
    permit = document(
        *spread(60, 60, "PARKERINGSTILLADELSE"),
        *spread(60, 120, "Køretøj"), *spread(200, 120, "Skoda Octavia"),
        *spread(60, 136, "Adresse"), *spread(200, 136, "Strandgade 14, 2. tv., 4180 Havnstrup"),
        *spread(60, 152, "Zone"), *spread(200, 152, "B2 Havnekvarteret"),
    )  # fmt: skip
    assert values(permit, field("Adresse")) == {"Adresse": "Strandgade 14, 2. tv., 4180 Havnstrup"}


def test_what_follows_a_legal_form_in_small_letters_is_no_part_of_the_name() -> None:
    bill = document(
        *spread(60, 60, "Telvia S.p.A. con socio unico"), *spread(60, 74, "Via Caldera 41, 20153 Milano"),
        *spread(320, 140, "Karpaty Sp. z o.o."), *spread(320, 154, "ul. Lwowska 212"),
        *spread(320, 168, "38-400 Krosno"),
    )  # fmt: skip
    found = values(bill, field("Gestore"), field("Cliente"))
    assert found == {"Gestore": "Telvia S.p.A.", "Cliente": "Karpaty Sp. z o.o."}


def test_the_head_of_a_column_of_texts_is_no_recipient() -> None:
    sheet = document(
        *spread(60, 40, "Timeliste"), *spread(420, 40, "Vestelektro Fana AS"),
        *spread(60, 90, "Ansatt"), *spread(200, 90, "Oppdragsgiver"), *spread(420, 90, "Uke"),
        *spread(60, 106, "Ingrid Tveiten"), *spread(200, 106, "Bergen Havnelager AS"),
        *spread(420, 106, "16"),
        *spread(60, 150, "Dato"), *spread(150, 150, "Timer"), *spread(230, 150, "Utført arbeid"),
        *spread(60, 166, "15.04.2024"), *spread(150, 166, "7,5"), *spread(230, 166, "Trekking av kabel"),
        *spread(60, 182, "16.04.2024"), *spread(150, 182, "7,5"), *spread(230, 182, "Trekking av kabel"),
        *spread(60, 198, "17.04.2024"), *spread(150, 198, "9,0"), *spread(230, 198, "Montering av tavle"),
        *spread(60, 214, "18.04.2024"), *spread(150, 214, "6,5"), *spread(230, 214, "Sluttkontroll"),
    )  # fmt: skip
    assert values(sheet, field("Kunde")) == {"Kunde": "Bergen Havnelager AS"}


def test_a_row_below_the_head_of_a_table_may_have_the_name_of_a_field() -> None:
    report = document(
        *spread(60, 60, "Effectif"), *spread(200, 60, "27"),
        *spread(60, 120, "Matière"), *spread(250, 120, "Élève"), *spread(350, 120, "Classe"),
        *spread(60, 136, "Français"), *spread(250, 136, "14,20"), *spread(350, 136, "12,10"),
        *spread(60, 152, "Mathématiques"), *spread(250, 152, "10,80"), *spread(350, 152, "11,40"),
        *spread(60, 168, "Anglais"), *spread(250, 168, "16,10"), *spread(350, 168, "13,00"),
        *spread(60, 184, "Moyenne générale"), *spread(250, 184, "13,70"),
    )  # fmt: skip
    columns = [field("Matière"), field("Élève", FieldType.NUMBER), field("Classe", FieldType.NUMBER)]
    subjects = Field(name="Matières", type=FieldType.TABLE, columns=columns)
    found = values(report, field("Moyenne générale", FieldType.NUMBER), subjects)
    assert found["Moyenne générale"] == 13.7
