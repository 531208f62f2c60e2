from __future__ import annotations

import itertools
import uuid

from docduck.ids import new_id


def test_ids_sort_by_the_time_they_were_made() -> None:
    made = [new_id() for _ in range(2000)]
    assert len(set(made)) == 2000
    # Only those made within the same quarter of a microsecond are in any order.
    assert sum(after < before for before, after in itertools.pairwise(made)) < 20
    one = uuid.UUID(made[0])
    assert (one.version, one.variant) == (7, uuid.RFC_4122)
