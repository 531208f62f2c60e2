"""Whose documents are read next: teams, and the parsers of a team, take turns by the time spent on them.

Start-time fair queueing (Goyal, Vin, Cheng, 1996), on two levels. Time counts, not documents: who brings slow
ones gets as much of the workers as everybody else, and no more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)

_LONGEST_DEBT = 60.0


class FairQueue(Generic[K]):
    """The seconds that each key was given; a key that comes back is not owed the time that it was away."""

    def __init__(self) -> None:
        self._spent: dict[K, float] = {}
        self._level = 0.0

    def next(self, waiting: Collection[K]) -> K:
        """Return the key, of those that wait, that was given least."""
        for key in waiting:
            self._spent[key] = max(self._spent.get(key, 0.0), self._level)
        chosen = min(waiting, key=self._spent.__getitem__)
        self._level = self._spent[chosen]
        return chosen

    def charge(self, key: K, seconds: float) -> None:
        """Note that ``key`` was given ``seconds``, or less than was noted where they are negative."""
        self._spent[key] = self._spent.get(key, self._level) + seconds


class FairScheduler:
    """The turns of parsers, each of one team.

    A parser whose documents turn out slow has its newest ones read first for as long as the slow ones took:
    what was dropped behind them need not wait for each of them to be tried.
    """

    def __init__(self) -> None:
        self._teams: FairQueue[str] = FairQueue()
        self._parsers: dict[str, FairQueue[str]] = {}
        self._debts: defaultdict[str, float] = defaultdict(float)

    def choose(self, waiting: Mapping[str, str], expected: Mapping[str, float], limit: int) -> dict[str, int]:
        """Return of how many documents it is the turn, by parser, ``limit`` in all.

        ``waiting`` are the parsers that have any, with their teams, ``expected`` the seconds that a document
        of each will take; they are charged at once.
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
        """Note the seconds that a document took, or those by which that differs from what was expected."""
        self._teams.charge(team_id, seconds)
        self._parsers.setdefault(team_id, FairQueue()).charge(parser_id, seconds)

    def note_slow(self, parser_id: str, seconds: float) -> None:
        """Note that a document took ``seconds`` before it was known to be slow."""
        self._debts[parser_id] = min(_LONGEST_DEBT, self._debts[parser_id] + seconds)

    def note_done(self, parser_id: str, seconds: float) -> None:
        """Note that a document was done in ``seconds``."""
        self._debts[parser_id] = max(0.0, self._debts[parser_id] - seconds)

    def is_newest_first(self, parser_id: str) -> bool:
        """Return whether the parser's newest documents come first."""
        return self._debts[parser_id] > 0
