from __future__ import annotations

import pytest

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.documents import saved_views
from docduck.service.documents.saved_views import list_views, save_view
from tests.web.browser import member


def test_each_member_and_the_team_have_a_number_of_views_of_their_own(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    inst, ann, bob = any_inst, member(any_inst, "ann"), member(any_inst, "bob")
    monkeypatch.setattr(saved_views, "MOST_VIEWS", 2)

    def save(user: str, name: str, for_team: bool = False) -> None:
        save_view(inst, inst.team_id, user, name, "status=failed", "user x", for_team=for_team)

    for name in ("A", "B", "A"):
        save(ann, name)
    with pytest.raises(InputError, match="You have 2 saved views"):
        save(ann, "C")
    save(bob, "C")
    for name in ("D", "E"):
        save(ann, name, for_team=True)
    with pytest.raises(InputError, match="The team has 2 saved views"):
        save(bob, "F", for_team=True)
    assert [view.name for view in list_views(inst, inst.team_id, bob)] == ["C", "D", "E"]
