"""Machine-readable zones of passports, visas and identity cards (ICAO Doc 9303)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from docduck.extraction.extractors.codes.formats.check_digits import icao_check
from docduck.extraction.extractors.codes.formats.mrz_layouts import LAYOUTS, ZoneLayout

MOST_MISCOUNTED = 4
"""Fillers of a line that OCR may add or lose."""
_FILLER = "<"
_DIGITS = str.maketrans("OISB", "0158")
_LETTERS = str.maketrans("0158", "OISB")
_IN_LETTERS = ("code", "issuing_state", "names", "surname", "given_names", "nationality", "sex")
_IN_DIGITS = ("birth_date", "expiry_date")
_FEWEST_CHECKS = 2
_SHORT_NUMBER = 9
"""Characters of a document number; longer ones go on in the optional data."""
_LAST_EXPIRY = 50
"""Years from now in which a paper expires at the latest."""
_LONGEST_LIFE = 120
_FRENCH = "FRA1988"


@dataclass(frozen=True, slots=True)
class MachineReadableZone:
    """What a zone states; an element whose own check digit is wrong is None.

    ``lines`` are the repaired lines. ``is_whole``: all check digits agree. Names are in capitals without
    accents, and ``is_cut`` says that they may go on. ``optional`` is what the issuing state chose to add.
    """

    layout: str
    lines: tuple[str, ...]
    is_whole: bool
    issuing_state: str | None
    surname: str | None
    given_names: str | None
    is_cut: bool
    number: str | None
    nationality: str | None
    birth_date: date | None
    sex: str | None
    expiry_date: date | None
    optional: str | None


def parse_zone(lines: Sequence[str], today: date) -> MachineReadableZone | None:
    """Return the zone that two or three lines of capitals, digits and ``<`` state; None if they are none.

    At least two check digits must agree, and one of them of the number or the date of birth. ``today``
    decides the century of dates.
    """
    best: tuple[int, ZoneLayout, str, frozenset[str], bool] | None = None
    for layout in LAYOUTS:
        text = _fitted(lines, layout)
        if text is None:
            continue
        agreed, wrong = _checked(layout, text)
        if len(agreed) < _FEWEST_CHECKS or not agreed & {"number", "birth_date"}:
            continue
        score = len(agreed) - len(wrong)
        if best is None or score > best[0]:
            best = (score, layout, text, agreed, not wrong)
    return _zone(*best[1:], today) if best else None


def _fitted(lines: Sequence[str], layout: ZoneLayout) -> str | None:
    """Return the lines put together, of the layout's width and repaired; None if they can't be of it."""
    if len(lines) != layout.lines or not lines[0].translate(_LETTERS).startswith(layout.starts):
        return None
    parts = [_of_width(line, layout.width) for line in lines]
    if None in parts:
        return None
    text = "".join(part for part in parts if part)
    for name in _IN_LETTERS:
        text = _repaired(text, layout.spans.get(name), _LETTERS)
    for name in _IN_DIGITS:
        text = _repaired(text, layout.spans.get(name), _DIGITS)
    for at in (*layout.checks.values(), *([layout.overall_at] if layout.overall else [])):
        text = _repaired(text, (at, at + 1), _DIGITS)
    return text


def _of_width(line: str, width: int) -> str | None:
    """Return a line with as many fillers more or less in its longest run of them as its width wants."""
    missing = width - len(line)
    if not missing:
        return line
    run = max(re.finditer("<+", line), key=lambda found: found.end() - found.start(), default=None)
    if abs(missing) > MOST_MISCOUNTED or run is None or run.end() - run.start() <= max(-missing, 1):
        return None
    return line[: run.start()] + _FILLER * (run.end() - run.start() + missing) + line[run.end() :]


def _repaired(text: str, span: tuple[int, int] | None, table: Mapping[int, int]) -> str:
    if span is None:
        return text
    return text[: span[0]] + text[span[0] : span[1]].translate(table) + text[span[1] :]


def _checked(layout: ZoneLayout, text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of the elements whose check digit agrees, and of those whose does not."""
    agreed, wrong = set[str](), set[str]()
    for name, at in layout.checks.items():
        value = _element(layout, text, name)
        check = text[at]
        if name == "number" and check == _FILLER:
            value, check = _long_number(layout, text)
        if check == _FILLER and not value.strip(_FILLER):
            continue
        (agreed if check == str(icao_check(value)) else wrong).add(name)
    if layout.overall:
        covered = "".join(text[start:end] for start, end in layout.overall)
        (agreed if text[layout.overall_at] == str(icao_check(covered)) else wrong).add("overall")
    return frozenset(agreed), frozenset(wrong)


def _element(layout: ZoneLayout, text: str, name: str) -> str:
    start, end = layout.spans.get(name, (0, 0))
    return text[start:end]


def _long_number(layout: ZoneLayout, text: str) -> tuple[str, str]:
    """Return a number that goes on in the optional data, as part 5 allows, with its check digit."""
    rest = _element(layout, text, "optional").split(_FILLER)[0]
    return _element(layout, text, "number") + rest[:-1], rest[-1:] or _FILLER


def _zone(
    layout: ZoneLayout, text: str, agreed: frozenset[str], is_whole: bool, today: date
) -> MachineReadableZone:
    number: str | None = _element(layout, text, "number")
    optional = _element(layout, text, "optional")
    if layout.checks["number"] < len(text) and text[layout.checks["number"]] == _FILLER:
        number, optional = _long_number(layout, text)[0], ""
    if "number" not in agreed:
        number = None
    names = _element(layout, text, "names")
    surname, _, given = names.partition("<<")
    if layout.name == _FRENCH:
        surname, given = _element(layout, text, "surname"), _element(layout, text, "given_names")
    else:
        given = given.split("<<")[0]
    expiry = _expiry(_element(layout, text, "expiry_date"), today) if "expiry_date" in agreed else None
    latest = _french_issue(number, today) if layout.name == _FRENCH and number else today
    width = layout.width
    return MachineReadableZone(
        layout=layout.name,
        lines=tuple(text[at : at + width] for at in range(0, len(text), width)),
        is_whole=is_whole,
        issuing_state=_word(_element(layout, text, "issuing_state")),
        surname=_word(surname),
        given_names=_word(given),
        is_cut=(names or given)[-1:] != _FILLER,
        number=_code(number),
        nationality=_word(_element(layout, text, "nationality"))
        or ("FRA" if layout.name == _FRENCH else None),
        birth_date=_birth(_element(layout, text, "birth_date"), min(latest, expiry or latest), today)
        if "birth_date" in agreed
        else None,
        sex={"M": "M", "F": "F", "<": "X", "X": "X"}.get(_element(layout, text, "sex")),
        expiry_date=expiry,
        optional=_code(_element(layout, text, "optional_2")) or _code(optional),
    )


def _word(text: str) -> str | None:
    return " ".join(part for part in text.split(_FILLER) if part) or None


def _code(text: str | None) -> str | None:
    """Return a number without its fillers; None if it is empty or has some inside."""
    stripped = (text or "").rstrip(_FILLER)
    return stripped if stripped and _FILLER not in stripped else None


def _expiry(text: str, today: date) -> date | None:
    """Return a date of expiry: the latest that is not too far in the future."""
    return _latest(text, date(today.year + _LAST_EXPIRY, 12, 31))


def _birth(text: str, last: date, today: date) -> date | None:
    """Return a date of birth: the latest that is neither in the future nor after the paper's own dates."""
    found = _latest(text, min(last, today))
    return found if found and found.year >= today.year - _LONGEST_LIFE else None


def _french_issue(number: str, today: date) -> date:
    """Return the end of the month of issue that begins the number of the card of 1988, at most today."""
    found = _latest(f"{number[:4]}28", today) if number[:4].isdecimal() else None
    return found or today


def _latest(text: str, last: date) -> date | None:
    """Return the latest date that two digits each of year, month and day can mean, up to ``last``."""
    if not (text.isascii() and text.isdecimal()) or len(text) != 6:
        return None
    for century in (2000, 1900):
        try:
            found = date(century + int(text[:2]), int(text[2:4]), int(text[4:]))
        except ValueError:
            continue
        if found <= last:
            return found
    return None
