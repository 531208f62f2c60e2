"""Preparations that are outdated when they are to be written."""

from __future__ import annotations

import pytest
from sqlalchemy.orm import Session

from docduck.api.response.responses import response_for
from docduck.errors import Transient
from docduck.service.core import transactions
from docduck.service.core.installation import Installation
from docduck.service.core.transactions import OutdatedPreparation, prepare_and_write


def test_it_is_tried_again_after_pauses(inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    tries = iter(range(20))

    def write(session: Session, prepared: int) -> int:
        if prepared < 12:
            raise OutdatedPreparation
        return prepared

    assert prepare_and_write(inst, lambda session: next(tries), write) == 12
    assert len(pauses) == 12
    assert all(0 <= one <= 0.5 for one in pauses)
    # Who never succeeds is told to come again.
    monkeypatch.setattr(transactions, "_SECONDS", 0.0)
    with pytest.raises(Transient, match="Too many others change this") as caught:
        prepare_and_write(inst, lambda session: 0, write)
    answer = response_for(caught.value)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
