"""Limits on the time and work of evaluating conditions."""

from __future__ import annotations

import math
import time
from typing import Final

SEARCH_SECONDS = 10
"""Longest time that a search or a list may take."""

RULE_SECONDS = 1
"""Longest time that the rules of folders, and those of review stages, take for one document.

Where they take longer, it is put in no folder and is reviewed, and its warnings say so.
"""

REGEX_WORK = 20_000_000
"""The characters of a value, times the instructions of the compiled expression.

The latter are ten for a short one, thousands with large repetitions. The rest of a longer text is not
searched.
"""


class OutOfTime(Exception):
    """The time limit for evaluating conditions is exceeded."""


class Effort:
    """A time limit from now on, and a limit of work per regular expression.

    ``regex_work`` is the product of a text's characters and a compiled expression's instructions.
    """

    __slots__ = ("_end", "regex_work")

    def __init__(self, seconds: float = math.inf) -> None:
        self._end = time.monotonic() + seconds
        self.regex_work = REGEX_WORK

    def check(self) -> None:
        """Raise OutOfTime if the time limit is exceeded."""
        if time.monotonic() > self._end:
            raise OutOfTime


UNLIMITED: Final = Effort()
