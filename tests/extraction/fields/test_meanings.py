"""Names of fields compared with printed labels by meaning."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from docduck.extraction.fields.meanings import contact_asked, left_out, likeness, meanings_of
from docduck.extraction.lexicon.thesaurus import thesaurus

LABELS = [
    "Invoice no.", "Förfallodatum", "Gesamtbetrag", "Numéro de contrat", "Mieter", "Saldo final", "Kessel",
    "Data urodzenia", "Fødselsdato", "", "–", "Nom du patient", "Teslim tarihi", "Amount (EUR)", "123",
]  # fmt: skip


@pytest.mark.parametrize(("name", "label"), list(product(LABELS, LABELS)))
def test_likeness_is_symmetric_and_bounded(name: str, label: str) -> None:
    assert likeness(name, label) == likeness(label, name)
    assert 0 <= likeness(name, label) <= 1


@pytest.mark.parametrize("label", [label for label in LABELS if label not in ("", "–")])
def test_a_label_is_like_itself(label: str) -> None:
    assert likeness(label, label) == 1
    assert likeness(label, label.upper() + ":") == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("From", "To"), ("Valid from", "Gültig bis"), ("Opening balance", "Solde final"), ("Debit", "Haben"),
        ("Net amount", "Bruttobetrag"), ("Buyer", "Verkäufer"), ("Avsändare", "Mottagare"),
        ("Tenant", "Vermieter"), ("Startdatum", "Slutdatum"), ("Patient", "Médecin"),
    ],
)  # fmt: skip
def test_opposites_exclude_each_other(one: str, other: str) -> None:
    assert likeness(one, other) == 0


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("Gesamtbetrag", {"total", "amount"}), ("Förfallodatum", {"due", "date"}),
        ("Rechnungsnummer", {"invoice", "number"}), ("Re.-Nr.", {"invoice", "number"}),
        ("fakturaNummer", {"invoice", "number"}), ("DATE_OF_BIRTH", {"birth", "date"}),
        ("Vertragsbeginn", {"contract", "begin"}), ("xyzzy", set()),
    ],
)  # fmt: skip
def test_meanings_of(text: str, meanings: set[str]) -> None:
    assert meanings_of(text) >= meanings
    assert meanings or not meanings_of(text)


@pytest.mark.parametrize(
    ("text", "atom"),
    [("Telefon kontaktowy", "phone"), ("Kontaktmejl", "email"), ("Phone model", None), ("Owner", None)],
)
def test_the_contact_that_a_text_asks_for(text: str, atom: str | None) -> None:
    assert contact_asked(text) == atom


def test_an_acronym_is_no_article() -> None:
    assert {"tax", "number"} <= meanings_of("Operator EIN")
    assert "tax" not in meanings_of("Ein Kunde")


@pytest.mark.parametrize(("form", "word"), [("Bankens", "bank"), ("Chargen", "charge")])
def test_forms_of_a_word_mean_the_same(form: str, word: str) -> None:
    assert meanings_of(form) == meanings_of(word)


def test_words_that_are_not_listed_compare_by_spelling() -> None:
    assert likeness("Kesselnummer", "Kessel-Nr.") == 1
    assert likeness("Zorblatt code", "Zorblat code") > likeness("Zorblatt code", "Quux code")


PAIRS = [
    re.split(r"\s*[=|]\s*", line)
    for line in (Path(__file__).parent / "label_pairs.txt").read_text(encoding="utf-8").splitlines()
]
"""The name of a field, the label that means it, and other labels of the same document."""


@pytest.mark.parametrize(("name", "right", "others"), [(n, r, o) for n, r, *o in PAIRS])
def test_the_label_that_means_the_field_is_the_most_alike(name: str, right: str, others: list[str]) -> None:
    ranked = sorted([right, *others], key=lambda label: -likeness(name, label))
    assert ranked[0] == right
    assert likeness(name, ranked[0]) > likeness(name, ranked[1])


def test_the_thesaurus_is_consistent() -> None:
    words = thesaurus()
    atoms = {atom for readings in words.readings.values() for reading in readings for atom in reading}
    assert atoms >= words.generic | words.common
    for one, others in [*words.opposites.items(), *words.related.items()]:
        assert {one, *others} <= atoms


@pytest.mark.parametrize(
    ("name", "label", "rest"),
    [
        ("Invoice date", "Datum", {"invoice"}),
        ("Způsob dopravy", "Doprava", {"method"}),
        ("Customer", "Kunde", set()),
        ("Weeknummer", "Week", {"number"}),
        ("Kundennummer", "Kunde", None),
        ("Datum", "Fakturadatum", None),
    ],
)
def test_what_a_label_leaves_out(name: str, label: str, rest: set[str] | None) -> None:
    assert left_out(name, label) == rest


def test_what_the_type_implies_counts_little() -> None:
    dates = frozenset({"date"})
    assert likeness("Due", "Förfallodatum", dates) > likeness("Due", "Förfallodatum")
    assert left_out("Sent on", "Datum", dates) == frozenset({"sent"})
    assert left_out("Sent on", "Datum") is None


def test_compounds_are_made_of_words_of_one_language() -> None:
    assert meanings_of("Tariffnummer") >= {"tariff", "number"}
    assert meanings_of("lesny").isdisjoint({"lesson", "new"})


def test_likeness_does_not_depend_on_the_order_of_sets() -> None:
    code = """
from docduck.extraction.fields.field_query import query_of
from docduck.fields import Field
print(query_of(Field(name="Gesamtforderung", type="currency")).concept.name)
"""
    environment = {**os.environ, "PYTHONHASHSEED": "12"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == "grand_total"
