"""How much time and work the evaluation of conditions may take."""

from __future__ import annotations

import math
import time
from typing import Final


class OutOfTime(Exception):
    """Conditions could not be evaluated in the time that they may take."""


class Effort:
    """The time from now on in which conditions must be evaluated, and the work of one regular expression.

    ``regex_work`` is the most characters of a text times instructions of a compiled expression.
    """

    __slots__ = ("_end", "regex_work")

    def __init__(self, seconds: float = math.inf, regex_work: int = 20_000_000) -> None:
        self._end = time.monotonic() + seconds
        self.regex_work = regex_work

    def check(self) -> None:
        """Raise OutOfTime when the time is over."""
        if time.monotonic() > self._end:
            raise OutOfTime


UNLIMITED: Final = Effort()
