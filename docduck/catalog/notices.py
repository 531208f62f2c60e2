"""Word of what was committed, for those in this process who wait for it.

listen(catalog.engine, QUEUED, wake)      # from now on
tell(session, QUEUED, [parser_id])        # within a transaction; ``wake`` is called once it has committed
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from docduck.catalog.database import engine_of

QUEUED = "queued"
"""Documents of these parsers were queued."""

Listener = Callable[[frozenset[str]], None]

_KEY = "docduck_notices"
_listeners: WeakKeyDictionary[Engine, dict[str, list[Listener]]] = WeakKeyDictionary()


def listen(engine: Engine, topic: str, listener: Listener) -> Callable[[], None]:
    """Have ``listener`` called, in the thread that committed, with the ids told of; gives what ends that.

    It must be quick, and must not raise.
    """
    found = _listeners.setdefault(engine, {}).setdefault(topic, [])
    found.append(listener)
    return lambda: found.remove(listener)


def notify(session: Session, topic: str, ids: Iterable[str]) -> None:
    """Tell the topic's listeners of ``ids`` once the session's transaction has committed."""
    if not _listeners.get(engine_of(session), {}).get(topic):
        return
    notices: dict[str, set[str]] | None = session.info.get(_KEY)
    if notices is None:
        notices = session.info[_KEY] = {}
        event.listen(session, "after_commit", _deliver)
    notices.setdefault(topic, set()).update(ids)


def _deliver(session: Any) -> None:
    notices, session.info[_KEY] = session.info[_KEY], {}
    by_topic = _listeners.get(engine_of(session), {})
    for topic, ids in notices.items():
        for listener in list(by_topic.get(topic, ())):
            listener(frozenset(ids))
