"""Currencies: ISO 4217 codes, and the signs and words printed for them."""

from __future__ import annotations

import re

from docduck.extraction.normal_text import plain

CODES = frozenset({
    "AED", "ARS", "AUD", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CRC", "CZK", "DKK", "DOP",
    "EGP", "EUR", "GBP", "GEL", "HKD", "HRK", "HUF", "IDR", "ILS", "INR", "ISK", "JOD", "JPY", "KES", "KRW",
    "KWD", "KZT", "LKR", "MAD", "MXN", "MYR", "NGN", "NOK", "NZD", "OMR", "PEN", "PHP", "PKR", "PLN", "QAR",
    "RON", "RSD", "RUB", "SAR", "SEK", "SGD", "THB", "TND", "TRY", "TWD", "UAH", "USD", "UYU", "VND", "ZAR",
})  # fmt: skip
SIGNS = {
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₺": "TRY", "₽": "RUB", "₩": "KRW", "₪": "ILS",
    "₫": "VND", "₱": "PHP", "₸": "KZT", "₾": "GEL", "₴": "UAH", "₦": "NGN", "฿": "THB", "zł": "PLN",
    "kč": "CZK", "ft": "HUF", "rm": "MYR", "r$": "BRL", "us$": "USD", "a$": "AUD", "au$": "AUD",
    "c$": "CAD", "ca$": "CAD", "s$": "SGD", "hk$": "HKD", "nz$": "NZD", "mx$": "MXN", "nt$": "TWD",
    "fr.": "CHF", "sfr.": "CHF", "$": "USD", "rs.": "INR", "rs": "INR", "rmb": "CNY", "cn¥": "CNY",
    "jp¥": "JPY", "円": "JPY", "円也": "JPY", "圓": "JPY", "元": "CNY", "원": "KRW", "руб": "RUB",
    "руб.": "RUB", "р.": "RUB", "грн": "UAH", "грн.": "UAH",
}  # fmt: skip
WORDS = {
    "euro": "EUR", "euros": "EUR", "dollar": "USD", "dollars": "USD", "usdollar": "USD",
    "poundsterling": "GBP", "pounds": "GBP", "schweizerfranken": "CHF", "francssuisses": "CHF",
    "zloty": "PLN", "zlotych": "PLN", "ringgit": "MYR", "yen": "JPY", "rupees": "INR", "libras": "GBP",
    "lei": "RON", "tl": "TRY", "forint": "HUF", "kronor": "SEK", "korun": "CZK", "рублей": "RUB",
    "рубля": "RUB", "рубль": "RUB", "гривень": "UAH", "гривні": "UAH", "ευρώ": "EUR", "ευρω": "EUR",
    "日元": "JPY", "人民币": "CNY", "人民幣": "CNY", "美元": "USD", "欧元": "EUR", "新台幣": "TWD",
    "新臺幣": "TWD", "港幣": "HKD",
}  # fmt: skip

_SHARED = {
    "$": frozenset({"AUD", "NZD", "CAD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU", "DOP"}),
    "¥": frozenset({"CNY"}), "元": frozenset({"TWD", "HKD"}), "rs": frozenset({"PKR", "LKR"}),
    "r": frozenset({"ZAR"}),
    **dict.fromkeys(("kr", "kr.", "kroner"), frozenset({"SEK", "DKK", "NOK", "ISK"})),
}  # fmt: skip
"""The currencies that signs mean in some nations; elsewhere they are another one, or none."""

CURRENCY_MARK = (
    r"(?:(?:US|AU|CA|HK|NZ|MX|NT|[ASCR])?\$|(?:CN|JP)?¥|[€£₹₺₽₩₪₫₴₦฿₱₸₾圓元원]|円也?|(?i:zł|Kč|\bRM|S?Fr\.|\bRs\.?"
    r"|руб\.?|р\.|грн\.?)|\bR(?=\d[\d ,]*\.\d\d(?!\d))|\b(?:" + "|".join(sorted(CODES)) + r")(?![^\W\d_]))"
)
_WHOLE_MARK = re.compile(CURRENCY_MARK, re.IGNORECASE)
_SIGN = r"[$€£¥₹₺₽₩₪₫₴₦฿₱₸₾円圓元원]"
_BESIDE = re.compile(
    rf"(?<![^\W\d_])([^\W\d_]{{0,2}}{_SIGN}|[^\W\d_]{{2,3}}\.?)\s?[-+]?\d"
    rf"|\d\s?({_SIGN}|[^\W\d_]{{2,3}})(?![^\W\d_])"
)
"""Possible marks beside a number; a pattern of the marks themselves would be slow."""


def currency_of(text: str, national: str | None = None) -> str | None:
    """Return the ISO code that ``text`` as a whole means (``€``, ``EUR``, ``US$``), None if it is none.

    A sign that several currencies share means the ``national`` one.
    """
    bare = plain(text).strip().strip("().,:;[]")
    if bare.upper() in CODES:
        return bare.upper() if bare.isupper() or len(bare) > 3 else None
    sign = bare.casefold()
    if national in _SHARED.get(sign, ()):
        return national
    return SIGNS.get(sign) or WORDS.get(sign)


def is_money(text: str) -> bool:
    """Return whether ``text`` as a whole means a currency, or one of several: "kr"."""
    return currency_of(text) is not None or text.strip("().,:;[]").casefold() in ("kr", "kroner")


def is_currency_mark(text: str) -> bool:
    """Return whether ``text`` is only a currency sign or code."""
    return _WHOLE_MARK.fullmatch(plain(text).strip()) is not None


def currencies_in(text: str, beside_digits: bool = False, national: str | None = None) -> list[str]:
    """Return the ISO codes of all currency signs and upper-case codes in ``text``.

    With ``beside_digits``, only those next to a number: "Sdn Bhd" is no amount in dinars.
    """
    text = plain(text)
    if beside_digits:
        printed = [match[1] or match[2] for match in _BESIDE.finditer(text)]
    else:
        printed = [match[0].strip(" -+(0123456789.,") for match in _WHOLE_MARK.finditer(text)]
    return [code for mark in printed if (code := currency_of(mark, national))]
