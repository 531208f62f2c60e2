from __future__ import annotations

import pytest
from sqlalchemy import select, text

from docduck.catalog.models import Team
from docduck.service.core.installation import Installation

NORMAL, FULL = 1, 2


@pytest.mark.parametrize(("durable", "level"), [(False, NORMAL), (True, FULL), (False, NORMAL)])
def test_a_durable_transaction_waits_for_the_disk(inst: Installation, durable: bool, level: int) -> None:
    with inst.catalog.transaction(durable=durable) as session:
        assert session.execute(text("PRAGMA synchronous")).scalar() == level


@pytest.mark.parametrize("durable", [False, True])
def test_an_error_rolls_everything_back(any_inst: Installation, durable: bool) -> None:
    with pytest.raises(RuntimeError), any_inst.catalog.transaction(durable=durable) as session:
        session.add(Team(name="Half", slug="half"))
        session.flush()
        raise RuntimeError
    with any_inst.catalog.read_session() as session:
        assert session.scalar(select(Team).where(Team.slug == "half")) is None
