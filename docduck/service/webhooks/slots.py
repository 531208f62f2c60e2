"""The share of each webhook in the deliveries that a process sends at the same time.

A webhook whose last delivery was answered promptly has several slots. All others, which answer slowly or
have not answered yet, have one each and half of all slots together, so that they never delay the prompt ones.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection

PROMPT_SECONDS = 2.0
"""A delivery that takes longer is slow."""


class Slots:
    """The deliveries in progress, at most ``total``, and ``each`` of one webhook."""

    def __init__(self, total: int, each: int) -> None:
        self._total, self._each = total, each
        self._busy: Counter[str] = Counter()
        self._prompt: set[str] = set()
        self._served: dict[str, int] = {}
        self._turns = itertools.count(1)

    def allot(self, webhook_ids: Collection[str]) -> dict[str, int]:
        """Return how many deliveries of these webhooks may begin; those served longest ago come first."""
        shares: dict[str, int] = {}
        free = self._total - self._busy.total()
        others = self._total // 2 - sum(n for busy_id, n in self._busy.items() if busy_id not in self._prompt)
        for webhook_id in sorted(webhook_ids, key=lambda other: self._served.get(other, 0)):
            is_prompt = webhook_id in self._prompt
            most = self._each if is_prompt else 1
            count = min(most - self._busy[webhook_id], free, most if is_prompt else others)
            if count > 0:
                shares[webhook_id] = count
                free -= count
                others -= 0 if is_prompt else count
        return shares

    def start(self, webhook_id: str) -> None:
        """Take a slot for a delivery."""
        self._busy[webhook_id] += 1
        self._served[webhook_id] = next(self._turns)

    def end(self, webhook_id: str, seconds: float) -> None:
        """Free the slot of a delivery that took ``seconds``."""
        self._busy[webhook_id] -= 1
        if not self._busy[webhook_id]:
            del self._busy[webhook_id]
        if seconds < PROMPT_SECONDS:
            self._prompt.add(webhook_id)
        else:
            self._prompt.discard(webhook_id)
