from __future__ import annotations

from typing import Any

import pytest

from docduck.extraction.run_extractors import extract_document
from docduck.extraction.values.choices import best_option
from docduck.fields import parse_fields
from tests.extraction.pages import text_document

FORM = {"name": "form_type", "type": "choice", "options": ["Short-Form", "Amendment", "Report"]}
PROSE = "Every short form, amendment, report or other document that is filed is open to the public"


def read(lines: list[str], field: dict[str, Any]) -> Any:
    return extract_document(text_document(*lines), parse_fields([field])).data[field["name"]]


def test_option_from_title() -> None:
    assert read(["U.S. Department  Amendment to Registration Statement", "", PROSE], FORM) == "Amendment"
    assert read(["Short Form Registration Statement", PROSE], FORM) == "Short-Form"


def test_an_option_is_surer_where_titles_name_no_other() -> None:
    def confidence(*lines: str) -> float:
        found = extract_document(text_document(*lines), parse_fields([FORM]))
        return float(found.field_metadata["form_type"]["confidence"])

    assert confidence("Short Form Registration Statement", PROSE) > 0.9
    assert confidence("Short Form Registration Statement", "Amendment", PROSE) < 0.5


def test_prose_is_not_a_title() -> None:
    assert read([PROSE, PROSE], FORM) is None


@pytest.mark.parametrize(
    ("title", "option"), [("RECHNUNG", "Invoice"), ("Gutschrift", "Credit note"), ("Bon de livraison", None)]
)
def test_option_by_synonym_in_title(title: str, option: str | None) -> None:
    field = {"name": "kind", "type": "choice", "options": ["Invoice", "Credit note"]}
    assert read([title, "Nordwind GmbH"], field) == option


def test_option_after_words_that_name_the_field() -> None:
    field = {"name": "Metodo di pagamento", "type": "choice", "options": ["Contanti", "Elettronico"]}
    assert (
        read(["Totale 71,00", "Pagamento elettronico 71,00", "Pagamento elettronico"], field) == "Elettronico"
    )


@pytest.mark.parametrize(
    ("lines", "option"),
    [
        (["Suma totală a fost achitată integral cu cardul, conform bonului."], "card"),
        (["Se poate plăti cu cardul sau în numerar la ghișeu."], None),
        (["Vezi cardiologie."], None),
    ],
)
def test_the_only_option_that_is_printed(lines: list[str], option: str | None) -> None:
    assert read(lines, {"name": "Achitat", "type": "choice", "options": ["numerar", "card"]}) == option


def test_option_by_synonym() -> None:
    options = ["Bank transfer", "Credit card"]
    assert best_option("Überweisung", options) == ("Bank transfer", 0.9)
    assert best_option("Barscheck", options) is None


def test_ticked_option() -> None:
    field = {"name": "status", "type": "choice", "options": ["Single", "Married", "Divorced"]}
    assert read(["Status", "[ ] Single  [x] Married  [ ] Divorced"], field) == "Married"
    assert read(["☐ ledig  ☒ verheiratet"], field) == "Married"
    assert read(["Single  X Married  Divorced"], field) == "Married"
    assert read(["[x] Single  [x] Married"], field) is None


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("Insured: [x] yes [ ] no", True),
        ("Insured: ☐ Yes ☒ No", False),
        ("Insured: X yes no", True),
        ("Insured: yes no X", False),
        ("☑ Insured", True),
        ("☐ Insured", False),
        ("Insured: oui", True),
        ("Insured", None),
    ],
)
def test_booleans(line: str, value: bool | None) -> None:
    assert read([line], {"name": "insured", "type": "boolean"}) is value


CHECK = {"name": "Guards fitted", "type": "choice", "options": ["Pass", "Fail", "N/A"]}


@pytest.mark.parametrize(
    ("marks", "option"),
    [
        ("x                    ", "Pass"),
        ("          x          ", "Fail"),
        ("          □       □  ", "Pass"),
        ("□         □          ", "N/A"),
        ("□         □       □  ", None),
    ],
)
def test_the_ticked_column_of_a_row(marks: str, option: str | None) -> None:
    lines = ["Check                Pass      Fail    N/A", "First aid box        □         □       x"]
    assert read([*lines, f"Guards fitted        {marks}"], CHECK) == option


def test_the_option_whose_box_is_hidden_by_its_mark() -> None:
    field = {"name": "Overall result", "type": "choice", "options": ["Satisfactory", "Action needed"]}
    assert read(["Overall result:  Action needed   □ Satisfactory"], field) == "Action needed"
    assert read(["Overall result:  □ Action needed   □ Satisfactory"], field) is None
