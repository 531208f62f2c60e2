"""The layouts of machine-readable zones: where each element is, and what its check digits cover.

Sources: ICAO Doc 9303, parts 4 (TD3), 5 (TD1), 6 (TD2) and 7 (visas, MRV-A and MRV-B); décret n° 55-1397 for
the French identity card of 1988. Positions count from 0 through the lines put together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Span = tuple[int, int]
"""The first position, and that after the last."""


@dataclass(frozen=True, slots=True)
class ZoneLayout:
    """A layout: ``spans`` of elements by name, ``checks`` as digit's position by element, ``overall``.

    ``overall`` are the spans that the last check digit covers, empty without one. ``starts`` are the possible
    beginnings of the first line.
    """

    name: str
    lines: int
    width: int
    starts: tuple[str, ...]
    spans: Mapping[str, Span]
    checks: Mapping[str, int]
    overall: tuple[Span, ...] = ()
    overall_at: int = -1


def _two_lines(name: str, width: int, starts: tuple[str, ...], *, whole: bool) -> ZoneLayout:
    """Return a layout of passports (44 characters), cards (36) and visas (without ``whole``)."""
    at = width
    is_passport = whole and width == 44
    end = 2 * width - (2 if is_passport else int(whole))
    spans = {
        "code": (0, 2),
        "issuing_state": (2, 5),
        "names": (5, width),
        "number": (at, at + 9),
        "nationality": (at + 10, at + 13),
        "birth_date": (at + 13, at + 19),
        "sex": (at + 20, at + 21),
        "expiry_date": (at + 21, at + 27),
        "optional": (at + 28, end),
    }
    checks = {"number": at + 9, "birth_date": at + 19, "expiry_date": at + 27}
    if is_passport:
        checks["optional"] = end
    overall = ((at, at + 10), (at + 13, at + 20), (at + 21, 2 * width - 1)) if whole else ()
    return ZoneLayout(name, 2, width, starts, spans, checks, overall, 2 * width - 1 if whole else -1)


LAYOUTS = (
    _two_lines("TD3", 44, ("P",), whole=True),
    _two_lines("MRV-A", 44, ("V",), whole=False),
    ZoneLayout(
        "TD1",
        3,
        30,
        ("A", "C", "I"),
        {
            "code": (0, 2),
            "issuing_state": (2, 5),
            "number": (5, 14),
            "optional": (15, 30),
            "birth_date": (30, 36),
            "sex": (37, 38),
            "expiry_date": (38, 44),
            "nationality": (45, 48),
            "optional_2": (48, 59),
            "names": (60, 90),
        },
        {"number": 14, "birth_date": 36, "expiry_date": 44},
        ((5, 37), (38, 45), (48, 59)),
        59,
    ),
    ZoneLayout(
        "FRA1988",
        2,
        36,
        ("IDFRA",),
        {
            "code": (0, 2),
            "issuing_state": (2, 5),
            "surname": (5, 30),
            "number": (36, 48),
            "given_names": (49, 63),
            "birth_date": (63, 69),
            "sex": (70, 71),
        },
        {"number": 48, "birth_date": 69},
        ((0, 71),),
        71,
    ),
    _two_lines("TD2", 36, ("A", "C", "I", "P"), whole=True),
    _two_lines("MRV-B", 36, ("V",), whole=False),
)
