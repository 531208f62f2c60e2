"""Limits on the time and work of evaluating conditions."""

from __future__ import annotations

import math
import time
from typing import Final


class OutOfTime(Exception):
    """The time limit for evaluating conditions is exceeded."""


class Effort:
    """A time limit from now on, and a limit of work per regular expression.

    ``regex_work`` is the product of a text's characters and a compiled expression's instructions.
    """

    __slots__ = ("_end", "regex_work")

    def __init__(self, seconds: float = math.inf, regex_work: int = 20_000_000) -> None:
        self._end = time.monotonic() + seconds
        self.regex_work = regex_work

    def check(self) -> None:
        """Raise OutOfTime if the time limit is exceeded."""
        if time.monotonic() > self._end:
            raise OutOfTime


UNLIMITED: Final = Effort()
