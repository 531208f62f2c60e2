"""Recognizers of typed candidates: dates, amounts, identifiers and other values in a segment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from docduck.extraction.extractors.layout.candidates.candidate import Candidate
from docduck.extraction.extractors.layout.candidates.printed_numbers import numbers_of, spaced_text
from docduck.extraction.lexicon import concepts_by_label
from docduck.extraction.normal_text import plain
from docduck.extraction.page.locale import Locale
from docduck.extraction.page.page_view import Segment, Token
from docduck.extraction.values import bank, contacts
from docduck.extraction.values.currencies import currencies_in
from docduck.extraction.values.dates import find_dates, first_of_range, joins_range, repair_date
from docduck.extraction.values.identifiers import clean, find_vat_ids, is_identifier
from docduck.extraction.values.numbers import WIDE, NumberMatch

_ORDINAL = re.compile(r"\d{1,2}[.)]")
"""The number of an item in a form or list."""
_REPAIRED = 0.6
"""``form`` of a value whose OCR errors were corrected."""
_MISREAD_AMOUNT = re.compile(r"[^\w\s.,-]?[A-Za-z]?-?[\dOoDQCIl|SBZ]{1,6}[.,][\dOoDQCIl|SBZ]{2}")
_DIGITS = str.maketrans("OoDQCIl|SBZ", "00000111582")


def dates(segment: Segment, locale: Locale) -> list[Candidate]:
    """Return the dates of a segment, with ranges marked."""
    text, form = segment.text, 1.0
    matches = find_dates(text, locale.year_first)
    if not matches and (text := repair_date(segment.text)) != segment.text:
        matches, form = find_dates(text, locale.year_first), _REPAIRED
    matches = sorted(
        [*matches, *(first for last in matches if (first := first_of_range(text, last)))],
        key=lambda m: m.start,
    )
    candidates = []
    for match in matches:
        value = match.read(locale.day_first).isoformat()
        tokens = segment.slice(match.start, match.end)
        candidates.append(Candidate("date", value, tokens, form, printed=text[match.start : match.end]))
    for first, second, a, b in zip(matches, matches[1:], candidates, candidates[1:], strict=False):
        if joins_range(segment.text[first.end : second.start]) and a.value <= b.value and a.range is None:
            a.range, b.range = "start", "end"
    return candidates


def amounts(segment: Segment, locale: Locale) -> list[Candidate]:
    """Return the numbers and amounts of a segment; a percentage has the kind ``percent``."""
    text, misread = spaced_text(segment.tokens, locale), frozenset[int]()
    if segment.page.ocr:
        text, misread = _corrected(text, segment)
    return [
        Candidate(
            "percent" if match.percent else "amount",
            match.value,
            tokens,
            _REPAIRED if any(token.index in misread for token in tokens) else _amount_form(match),
            match.decimals,
            match.currency,
            printed=text[match.start : match.end].replace(WIDE, " "),
            side=match.side,
        )
        for match, tokens in numbers_of(segment.tokens, locale, text)
    ]


def _corrected(text: str, segment: Segment) -> tuple[str, frozenset[int]]:
    """Return the text of a segment with OCR errors in amounts corrected, and the tokens that have them.

    Letters that look like digits become digits (``15.0C``), a mark before the number becomes a blank
    (``V1.26``), and a blank in place of the decimal point is closed if the segment holds nothing else
    (``4 24``).
    """
    tokens = segment.tokens
    if len(tokens) == 2 and all(token.text.isdigit() for token in tokens):
        whole, cents = tokens[0].text, tokens[1].text
        if len(whole) < 5 and len(cents) == 2:
            return f"{whole}.{cents}", frozenset({0, 1})
    misread = set[int]()
    for token, start in zip(tokens, segment.starts, strict=True):
        fixed = _fixed(token.text.rstrip(":;").removesuffix(",").removesuffix("."))
        if fixed is not None:
            misread.add(token.index)
            text = text[:start] + fixed + text[start + len(fixed) :]
    return text, frozenset(misread)


def _fixed(text: str) -> str | None:
    """Return an amount of a token with OCR errors corrected, in as many characters; None if it has none."""
    bare = text.replace(",", "").replace(".", "").lstrip("-")
    if sum(char.isdigit() for char in text) < 2 or bare.isdigit():
        return None
    if not _MISREAD_AMOUNT.fullmatch(text) or currencies_in(text):
        return None
    body = text.lstrip("~:=*'\"´`^_")
    body = body[1:] if body[:1].isalpha() and (body[1:2].isdigit() or body[1:2] == "-") else body
    fixed = body.translate(_DIGITS).rjust(len(text))
    return fixed if fixed != text else None


def _amount_form(match: NumberMatch) -> float:
    if match.currency or match.decimals == 2:
        return 1.0
    digits = sum(char.isdigit() for char in match.digits)
    if digits > 9 or (match.digits.startswith("0") and match.digits.isdigit() and digits > 1):
        return 0.1
    return 0.55 if match.digits.isdigit() else 0.7


def identifiers(segment: Segment) -> list[Candidate]:
    """Return identifiers: words with a digit, with and without a short prefix before them."""
    candidates: list[Candidate] = []
    tokens = segment.tokens
    accounts = {m.start(): m for m in bank.MASKED_IBAN.finditer(segment.text) if "*" in m[0] or "•" in m[0]}
    at = 0
    while at < len(tokens):
        account = accounts.get(segment.starts[at])
        if account is not None:
            tokens_ = segment.slice(*account.span())
            candidates.append(Candidate("identifier", account[0], tokens_, 1.0))
            at += len(tokens_)
            continue
        text = clean(tokens[at].text)
        ordinal = at == 0 and len(tokens) > 1 and _ORDINAL.fullmatch(tokens[0].text)
        if ordinal or not is_identifier(text):
            at += 1
            continue
        first, last = at, at + 1
        while last < len(tokens) and _NUMBER_GROUP.fullmatch(_group(tokens[last - 1])):
            group = _group(tokens[last])
            apart = tokens[last].left - tokens[last - 1].right > 0.6 * (
                tokens[last].bottom - tokens[last].top
            )
            if apart or not _NUMBER_GROUP.fullmatch(group) or len(text) + len(group) > _LONGEST_NUMBER:
                break
            text = " ".join(map(_group, tokens[first : last + 1]))
            last += 1
        whole = last == len(tokens) and (first == 1 or _is_prefix(tokens[:first]))
        if (
            first
            and (not candidates or candidates[-1].end < first)
            and re.fullmatch(r"[A-Z]{1,4}[-/]?", tokens[first - 1].text)
            and tokens[first - 1].key not in _FILL
        ):
            candidates.append(
                Candidate(
                    "identifier",
                    f"{tokens[first - 1].text} {text}",
                    tokens[first - 1 : last],
                    1.0 if whole else 0.6,
                )
            )
            whole = whole and candidates[-1].form == 1.0
        else:
            whole = False
        form = _identifier_form(text, tokens[at].text)
        candidates.append(Candidate("identifier", text, tokens[first:last], _PART * form if whole else form))
        at = last
    return candidates


def _is_prefix(words: Sequence[Token]) -> bool:
    """Return whether the last of some words before a number is a part of it, not its label or a state."""
    return len(words) > 1 and words[-1].key not in concepts_by_label() and not words[-2].text.endswith(",")


def _group(token: Token) -> str:
    return token.text.strip(".,;:()#")


_PART = 0.8
"""Factor for a number that ends its segment, behind a prefix in capitals."""
_NUMBER_GROUP = re.compile(r"[\d*•][\d*•-]{0,6}|[xX]{2,5}")
"""Digits of a number that is printed in groups, some of them masked."""
_LONGEST_NUMBER = 24
_FILL = frozenset({"nr", "no", "n", "id", "ref", "num", "vom", "eur", "usd", "gbp", "chf"})


def _identifier_form(text: str, printed: str) -> float:
    if printed.startswith("(") and printed.endswith(")"):
        return 0.3
    digits = sum(char.isdigit() for char in text)
    if find_dates(text):
        return 0.6 if text.isdigit() else 0.15
    if digits < 2:
        return 0.6
    if any(char.isalpha() for char in text) or digits >= 5 or "-" in text or "/" in text:
        return 1.0
    return 0.85


def _spans(
    kind: str, find: Callable[[str], Iterable[tuple[int, int, str]]], segment: Segment
) -> list[Candidate]:
    return [
        Candidate(kind, value, segment.slice(start, end)) for start, end, value in find(plain(segment.text))
    ]


def _regex(kind: str, pattern: re.Pattern[str], segment: Segment) -> list[Candidate]:
    return [
        Candidate(kind, match[0].rstrip(".,;"), segment.slice(match.start(), match.end()))
        for match in pattern.finditer(plain(segment.text))
    ]


def _mails(segment: Segment) -> list[Candidate]:
    candidates = _regex("mail", contacts.MAIL, segment)
    if candidates or not segment.page.ocr:
        return candidates
    spans = [(m.start(), m.end(), m[0]) for m in contacts.MAIL.finditer(segment.text.replace(",", "."))]
    return [Candidate("mail", text, segment.slice(a, b), _REPAIRED) for a, b, text in spans]


def find_candidates(kind: str, segment: Segment, locale: Locale) -> list[Candidate]:
    """Return the candidates of one kind in a segment."""
    match kind:
        case "date":
            return dates(segment, locale) if segment.has_digit else []
        case "amount" | "percent":
            return amounts(segment, locale) if segment.has_digit else []
        case "identifier":
            return identifiers(segment) if segment.has_digit else []
        case "iban":
            candidates = _spans("iban", bank.find_ibans, segment) if segment.has_digit else []
            for candidate in candidates:
                candidate.form = 1.0 if bank.iban_valid(candidate.value) else 0.85
            return candidates
        case "bic":
            return _regex("bic", bank.BIC, segment)
        case "vat":
            return _spans("vat", find_vat_ids, segment) if segment.has_digit else []
        case "mail":
            return _mails(segment) if "@" in segment.text else []
        case "web":
            return _regex("web", contacts.WEB, segment) if "." in segment.text else []
        case "phone":
            return _spans("phone", contacts.find_phones, segment) if segment.has_digit else []
        case _:
            return []
