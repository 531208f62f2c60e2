from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from docduck.fields import Field, FieldType
from docduck.samples import shipped
from docduck.templates import load
from tools.samples import Draft, drafts, formats, generate

DRAFTS = drafts()
PLAIN = [draft for draft in DRAFTS if draft.kind in ("digital", "text")]
PDFS = [draft for draft in PLAIN if draft.kind == "digital"]
PICTURES = [draft for draft in DRAFTS if draft.kind in ("scan", "photo")]
LOCALES = [value for value in vars(formats).values() if isinstance(value, formats.Locale)]


def named(draft: Draft) -> str:
    return draft.id


@cache
def rendered(id: str) -> bytes:
    (draft,) = (draft for draft in DRAFTS if draft.id == id)
    return draft.render()


@cache
def page_text(id: str) -> str:
    data = rendered(id)
    if not data.startswith(b"%PDF"):
        return data.decode()
    document = pypdfium2.PdfDocument(data)
    try:
        return "\n".join(page.get_textpage().get_text_bounded() for page in document)
    finally:
        document.close()


def letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def number_forms(value: float, language: str) -> set[str]:
    exact = Decimal(str(abs(value)))
    own = [locale for locale in LOCALES if locale.language == language]
    return {form for locale in own for form in (locale.price(exact), locale.quantity(exact))}


def date_forms(value: str, language: str) -> set[str]:
    own = [locale for locale in LOCALES if locale.language == language]
    forms = {locale.date(date.fromisoformat(value)) for locale in own}
    return forms | {formats.FR.date(date.fromisoformat(value))[:5]} if language == "fr" else forms


def cells(draft: Draft) -> list[tuple[Field, Any]]:
    """Return every scalar and table cell of the truth with its field."""
    found: list[tuple[Field, Any]] = []
    for field in load(draft.template).fields:
        if field.type is FieldType.TABLE:
            for row in draft.truth[field.name]:
                found += [(column, row[column.name]) for column in field.columns]
        else:
            found.append((field, draft.truth[field.name]))
    return found


def test_samples_cover_all_kinds() -> None:
    assert len({draft.id for draft in DRAFTS}) == len(DRAFTS) >= 26
    assert {draft.language for draft in DRAFTS} == {"en", "de", "fr", "es"}
    assert {draft.kind for draft in DRAFTS} == {"digital", "scan", "photo", "text"}
    assert {draft.truth["Currency"] for draft in DRAFTS} == {"EUR", "USD", "GBP", "CHF"}
    senders = {draft.truth.get("Vendor Name") or draft.truth.get("Merchant Name") for draft in DRAFTS}
    assert len(senders - {None}) >= 10


@pytest.mark.parametrize("draft", DRAFTS, ids=named)
def test_truth_matches_template(draft: Draft) -> None:
    template = load(draft.template)
    assert list(draft.truth) == [field.name for field in template.fields]
    for field in template.fields:
        if field.type is FieldType.TABLE:
            assert draft.truth[field.name], field.name
            for row in draft.truth[field.name]:
                assert sorted(row) == sorted(column.name for column in field.columns)
        assert not (field.required and draft.truth[field.name] is None), field.name
    for field, value in cells(draft):
        if value is None:
            continue
        if field.type in (FieldType.NUMBER, FieldType.CURRENCY):
            assert isinstance(value, float), field.name
        else:
            assert isinstance(value, str) and value == " ".join(value.split()), field.name
        if field.type is FieldType.DATE:
            assert date.fromisoformat(value).isoformat() == value
        if field.type is FieldType.CHOICE:
            assert value in field.options


@pytest.mark.parametrize("draft", PLAIN, ids=named)
def test_every_value_is_printed(draft: Draft) -> None:
    text = " ".join(page_text(draft.id).split())
    known = letters(text)
    words = text.replace("\xa0", " ")
    for field, value in cells(draft):
        if value is None or field.name == "Currency":
            continue
        if isinstance(value, float):
            forms = {form.replace("\xa0", " ") for form in number_forms(value, draft.language)}
            assert any(re.search(rf"(?<![\d.,]){re.escape(form)}(?!\d)", words) for form in forms), (
                field.name,
                value,
            )
        elif field.type is FieldType.DATE:
            assert any(form in words for form in date_forms(value, draft.language)), (field.name, value)
        else:
            assert letters(value) in known, (field.name, value)


@pytest.mark.parametrize("draft", DRAFTS, ids=named)
def test_the_sums_are_right(draft: Draft) -> None:
    truth = draft.truth
    if draft.template == "bank_statement":
        balance = truth["Opening Balance"]
        for row in truth["Transactions"]:
            balance += (
                row["Amount"] if row["Amount"] is not None else (row["Credit"] or 0) - (row["Debit"] or 0)
            )
            assert row["Balance"] is None or row["Balance"] == pytest.approx(balance)
        assert truth["Closing Balance"] == pytest.approx(balance)
        return
    net = truth["Subtotal"] if truth["Subtotal"] is not None else truth["Total"]
    assert truth["Total"] == pytest.approx(net + (truth["Tax Amount"] or 0))
    included = (draft.template == "receipt" and draft.language != "en") or draft.id == "rec-gb-bookshop"
    rows = sum(row["Amount"] for row in truth["Line Items"])
    assert rows == pytest.approx(truth["Total"] if included else net)
    for row in truth["Line Items"]:
        if row["Unit Price"] is not None:
            product = abs(row["Quantity"] * row["Unit Price"])
            assert abs(row["Amount"]) == pytest.approx(product, abs=0.0051)


@pytest.mark.parametrize("draft", DRAFTS, ids=named)
def test_ibans_have_right_check_digits(draft: Draft) -> None:
    iban = draft.truth.get("IBAN")
    if iban:
        assert int("".join(str(int(character, 36)) for character in iban[4:] + iban[:4])) % 97 == 1


@pytest.mark.parametrize("draft", PDFS, ids=named)
def test_no_text_overlaps_or_leaves_the_page(draft: Draft) -> None:
    document = pypdfium2.PdfDocument(rendered(draft.id))
    try:
        for page in document:
            text = page.get_textpage()
            boxes = np.array([text.get_charbox(index) for index in range(text.count_chars())])
            left, bottom, right, top = boxes[np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) > 0.5].T
            assert len(left) > 100
            width, height = page.get_size()
            assert left.min() > 0 and bottom.min() > 0 and right.max() < width and top.max() < height
            wide = np.minimum.outer(right, right) - np.maximum.outer(left, left)
            high = np.minimum.outer(top, top) - np.maximum.outer(bottom, bottom)
            area = (right - left) * (top - bottom)
            covered = np.clip(wide, 0, None) * np.clip(high, 0, None) / np.minimum.outer(area, area)
            np.fill_diagonal(covered, 0)
            assert covered.max() < 0.5
    finally:
        document.close()


def test_generation_is_deterministic() -> None:
    for draft in PDFS:
        assert draft.render() == rendered(draft.id), draft.id


def test_long_samples_have_several_pages() -> None:
    pages = {draft.id: rendered(draft.id).count(b"/Type /Page\n") for draft in PDFS}
    assert pages["inv-de-stationery"] == pages["bank-gb-bath"] == 3
    assert sum(count > 1 for count in pages.values()) >= 4


@pytest.mark.slow
@pytest.mark.parametrize("draft", PICTURES, ids=named)
def test_images_have_no_text_layer(draft: Draft) -> None:
    data = rendered(draft.id)
    if data.startswith(b"%PDF"):
        assert not page_text(draft.id).strip()
        return
    with Image.open(BytesIO(data)) as image:
        assert min(image.size) > 500
        assert np.asarray(image.convert("L")).std() > 15


@pytest.mark.slow
def test_generate_writes_every_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.samples.drafts", lambda: PLAIN)
    samples = generate(tmp_path)
    assert [sample.id for sample in samples] == [draft.id for draft in PLAIN]
    for sample, draft in zip(samples, PLAIN, strict=True):
        assert sample.path == tmp_path / load(sample.template).slug / draft.file
        assert sample.path.stat().st_size > 500
        assert sample.truth == draft.truth


def test_shipped_samples_are_up_to_date() -> None:
    """Scans are compared by their pixels: encoders differ a little between machines."""
    made = {(load(draft.template).slug, draft.file): draft for draft in DRAFTS if draft.shipped}
    there = {(slug, file.name): file.read_bytes() for slug, file in shipped()}
    assert there.keys() == made.keys()
    for key, data in there.items():
        draft = made[key]
        assert len(data) < 60_000
        if draft.kind == "digital":
            assert data == rendered(draft.id), f"{key}: run python -m tools.samples --ship"
        else:
            with Image.open(BytesIO(data)) as one, Image.open(BytesIO(rendered(draft.id))) as other:
                apart = np.asarray(one.convert("L"), np.float32) - np.asarray(other.convert("L"), np.float32)
                assert np.abs(apart).mean() < 3


def test_shipped_samples_cover_four_parsers() -> None:
    slugs = [slug for slug, _ in shipped()]
    assert 6 <= len(slugs) <= 8
    assert set(slugs) == {"invoices", "receipts", "purchase_orders", "bank_statements"}
