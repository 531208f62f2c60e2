"""Notifications within the process about committed changes.

listen(catalog.engine, RUN_NEEDED, wake)       # from now on
notify(session, RUN_NEEDED, [parser_id])       # in a transaction; calls ``wake`` after it has committed
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from docduck.catalog.database import engine_of

RUN_NEEDED = "run needed"
"""Documents of these parsers and classifiers were queued, or rows of documents are out of date."""
DELIVERIES = "deliveries"
"""Events of documents are to be delivered to these webhooks."""

Listener = Callable[[frozenset[str]], None]

_KEY = "docduck_notices"
_listeners: WeakKeyDictionary[Engine, dict[str, list[Listener]]] = WeakKeyDictionary()


def listen(engine: Engine, topic: str, listener: Listener) -> Callable[[], None]:
    """Call ``listener`` with ids after each commit, in the committing thread; return a function that ends it.

    The listener must be quick and must not raise.
    """
    listeners = _listeners.setdefault(engine, {}).setdefault(topic, [])
    listeners.append(listener)
    return lambda: listeners.remove(listener)


def notify(session: Session, topic: str, ids: Iterable[str]) -> None:
    """Notify the topic's listeners of ``ids`` once the transaction has committed."""
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
