"""Which parsers' documents to claim next, and which to leave alone for a while.

Teams take turns, by their weights, and parsers within a team. Shares are measured in seconds of work, not in
documents.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping

from docduck.workers.fair_queue import FairQueue

_LONGEST_DEBT = 60.0
_FIRST_SECONDS, _LONGEST_SECONDS = 5.0, 60.0
"""For which a document is held back."""


class FairScheduler:
    """Fair scheduling of parsers; ``weights`` are the shares of teams, 1 unless they are there.

    When documents turn out to be slow, the parser's newest documents are claimed first for an equal time, so
    that documents queued behind the slow ones need not wait for all of those.
    """

    def __init__(self) -> None:
        self._teams: FairQueue[str] = FairQueue()
        self._parsers: dict[str, FairQueue[str]] = {}
        self._debts: defaultdict[str, float] = defaultdict(float)
        self.weights: Mapping[str, int] = {}

    def choose(self, waiting: Mapping[str, str], expected: Mapping[str, float], limit: int) -> dict[str, int]:
        """Return how many documents to claim next, by parser; ``limit`` in all.

        ``waiting`` are parsers with queued documents, and their teams. ``expected`` are the estimated seconds
        per document; they are charged at once.
        """
        chosen: Counter[str] = Counter()
        by_team: dict[str, list[str]] = {}
        for parser_id, team_id in waiting.items():
            by_team.setdefault(team_id, []).append(parser_id)
        for _ in range(limit if waiting else 0):
            team_id = self._teams.next(by_team)
            parser_id = self._parsers.setdefault(team_id, FairQueue()).next(by_team[team_id])
            self.charge(team_id, parser_id, expected[parser_id])
            chosen[parser_id] += 1
        return dict(chosen)

    def charge(self, team_id: str, parser_id: str, seconds: float) -> None:
        """Charge seconds of work, or the difference from the estimate."""
        self._teams.charge(team_id, seconds / self.weights.get(team_id, 1))
        self._parsers.setdefault(team_id, FairQueue()).charge(parser_id, seconds)

    def record_slow(self, parser_id: str, seconds: float) -> None:
        """Record that a document took ``seconds`` before it was known to be slow."""
        self._debts[parser_id] = min(_LONGEST_DEBT, self._debts[parser_id] + seconds)

    def record_done(self, parser_id: str, seconds: float) -> None:
        """Record that a document was done in ``seconds``."""
        self._debts[parser_id] = max(0.0, self._debts[parser_id] - seconds)

    def is_newest_first(self, parser_id: str) -> bool:
        """Return whether to claim the parser's newest documents first."""
        return self._debts[parser_id] > 0


class HeldBack:
    """Documents and when to try them again: after five seconds, then twice as long each time; or later than
    this run.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._documents: dict[str, tuple[float, float]] = {}
        self._left: set[str] = set()

    def add(self, document_id: str) -> float:
        """Hold a document back; return for how many seconds."""
        _, before = self._documents.get(document_id, (0.0, 0.0))
        seconds = min(2 * before or _FIRST_SECONDS, _LONGEST_SECONDS)
        self._documents[document_id] = (self._now() + seconds, seconds)
        return seconds

    def leave(self, document_id: str) -> None:
        """Leave a document to a later run."""
        self._left.add(document_id)

    @property
    def has_left(self) -> bool:
        """Whether documents are left to a later run."""
        return bool(self._left)

    @property
    def ids(self) -> tuple[str, ...]:
        """The documents that are not to be tried now."""
        now = self._now()
        waiting = (document_id for document_id, (until, _) in self._documents.items() if until > now)
        return (*waiting, *self._left)
