"""Identifiers: numbers of invoices, orders, customers and accounts, and VAT identification numbers."""

from __future__ import annotations

import re

_FORM = re.compile(r"[A-Za-z0-9À-ÿ#][\w#.\-/–+&*]*", re.UNICODE)
_EDGE = ".,;:()[]{}\"'“”„*|"

_VAT_BODIES = {
    "AT": r"U\d{8}", "BE": r"[01]?\d{9}", "BG": r"\d{9,10}", "CY": r"\d{8}[A-Z]", "CZ": r"\d{8,10}",
    "DE": r"\d{9,11}", "DK": r"\d{8}", "EE": r"\d{9}", "EL": r"\d{9}", "ES": r"[A-Z0-9]\d{7}[A-Z0-9]",
    "FI": r"\d{8}", "FR": r"[A-Z0-9]{2}\d{9}", "GB": r"(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})",
    "HR": r"\d{11}", "HU": r"\d{8}", "IE": r"\d[A-Z0-9*+]\d{5}[A-Z]{1,2}|\d{7}[A-Z]{1,2}",
    "IT": r"\d{11}", "LT": r"(?:\d{9}|\d{12})", "LU": r"\d{8}", "LV": r"\d{11}", "MT": r"\d{8}",
    "NL": r"\d{9}B\d{2}", "PL": r"\d{10}", "PT": r"\d{9}", "RO": r"\d{2,10}", "SE": r"\d{12}",
    "SI": r"\d{8}", "SK": r"\d{10}", "CHE": r"\d{9}(?:MWST|TVA|IVA)?", "NO": r"\d{9}(?:MVA)?",
}  # fmt: skip
"""The part after the country prefix of a VAT number, without spaces, dots and hyphens, by country.

Source: EU Directive 2006/112, art. 215, and laws of the neighbours.
"""
_VAT_FORMS = [(re.compile(rf"{country}(?:{body})"), country) for country, body in _VAT_BODIES.items()]
_VAT_RUN = re.compile(
    rf"(?<![A-Za-z0-9])(?:{'|'.join(_VAT_BODIES)})[ .\-]?[A-Z0-9](?:[ .\-]?[A-Z0-9*+]){{4,18}}(?![A-Za-z0-9])"
)


def clean(text: str) -> str:
    """Return ``text`` without punctuation at its ends and a leading ``#``."""
    return text.strip().strip(_EDGE).lstrip("#").strip()


def is_identifier(text: str) -> bool:
    """Return whether ``text`` is one word with a digit in it."""
    bare = clean(text)
    return bool(bare) and any(c.isdigit() for c in bare) and _FORM.fullmatch(bare) is not None


def compact(text: str) -> str:
    """Return ``text`` without spaces, dots, hyphens and slashes."""
    return re.sub(r"[\s.\-/]", "", text)


def find_vat_ids(text: str) -> list[tuple[int, int, str]]:
    """Return spans and printed forms of VAT numbers with a country prefix in ``text``."""
    vat_ids = []
    for match in _VAT_RUN.finditer(text):
        run = match[0]
        # A run may include following words; remove them until a form fits.
        while run:
            bare = compact(run)
            if any(form.fullmatch(bare) for form, _ in _VAT_FORMS):
                vat_ids.append((match.start(), match.start() + len(run), run))
                break
            cut = run.rstrip().rfind(" ")
            if cut < 0:
                break
            run = run[:cut]
    return vat_ids
