"""Mail addresses, web addresses and telephone numbers."""

from __future__ import annotations

import re

MAIL = re.compile(
    r"(?<![A-Za-z0-9._%+\-])[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}"
)
WEB = re.compile(
    r"(?:https?://[^\s<>\"')]+|(?<![@\w.])www\.[^\s<>\"'),;]+"
    r"|(?<![@\w.\-])[a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.(?:com|net|org|eu|de|at|ch|fr|es|it|nl|be|pl|pt|uk|ie|io|biz|info)"
    r"(?:/[^\s<>\"')]*)?(?![\w@.]))",
    re.IGNORECASE,
)
PHONE = re.compile(r"(?<![\w.,/\-])(?:\+|00)?\(?\d[\d\s()./\-–]{4,20}\d(?![\w]|[.,]\d)")
_HOST = re.compile(r"(?:https?://)?(?:www\.)?([\w.\-]+)", re.IGNORECASE)
_DATE_LIKE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")


def find_phones(text: str) -> list[tuple[int, int, str]]:
    """Return spans and trimmed texts of telephone numbers (7 to 15 digits, not a date)."""
    phones = []
    for match in PHONE.finditer(text):
        run = match[0].strip()
        digits = sum(char.isdigit() for char in run)
        if 7 <= digits <= 15 and not _DATE_LIKE.fullmatch(run) and run.count("(") == run.count(")"):
            phones.append((match.start(), match.start() + len(match[0].rstrip()), run))
    return phones


def find_hosts(text: str) -> list[str]:
    """Return the hosts of the mail and web addresses in ``text``, in small letters and without "www."."""
    hosts = [match.rpartition("@")[2] for match in MAIL.findall(text)]
    hosts += [host[1] for match in WEB.finditer(text) if (host := _HOST.match(match[0]))]
    return [host.lower() for host in hosts]
