from __future__ import annotations

import pytest
from sqlalchemy import text

from docduck.catalog.notifications import RUN_NEEDED, listen, notify
from docduck.service.core.installation import Installation


def test_listeners_are_told_once_it_is_committed(any_inst: Installation) -> None:
    told: list[frozenset[str]] = []
    listen(any_inst.catalog.engine, RUN_NEEDED, told.append)
    with any_inst.catalog.transaction() as session:
        notify(session, RUN_NEEDED, ["a"])
        notify(session, RUN_NEEDED, ["b", "a"])
        session.execute(text("SELECT 1"))
        assert told == []
    assert told == [frozenset({"a", "b"})]
    with any_inst.catalog.transaction() as session:
        notify(session, "other", ["c"])
    assert len(told) == 1


def test_what_is_rolled_back_is_not_told(inst: Installation) -> None:
    told: list[frozenset[str]] = []
    listen(inst.catalog.engine, RUN_NEEDED, told.append)
    with pytest.raises(ZeroDivisionError), inst.catalog.transaction() as session:
        notify(session, RUN_NEEDED, ["a"])
        raise ZeroDivisionError
    with inst.catalog.transaction():
        pass
    assert told == []


def test_whoever_has_left_is_told_no_more(inst: Installation) -> None:
    told: list[frozenset[str]] = []
    leave = listen(inst.catalog.engine, RUN_NEEDED, told.append)
    leave()
    with inst.catalog.transaction() as session:
        notify(session, RUN_NEEDED, ["a"])
    assert told == []
