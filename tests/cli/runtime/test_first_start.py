"""What `docduck up` tells about signing in, as long as nobody can."""

from __future__ import annotations

import re
from pathlib import Path

from docduck.cli.runtime.first_start import prepare_home
from docduck.service.accounts.accounts import add_member, create_user
from docduck.service.accounts.password_reset import finish_reset
from docduck.service.core.installation import open_installation
from docduck.settings import Settings


def test_it_tells_how_to_sign_in_until_somebody_can(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", pipeline=tmp_path / "none.yaml", api_port=8123)
    (told,) = prepare_home(settings, samples=False)
    assert re.search("create the first account at http://127.0.0.1:8123/first-user/[0-9a-f]{64}$", told)
    inst = open_installation(settings)
    try:
        ann = create_user(inst, "ann@example.org", "Ann")
        add_member(inst, inst.team_id, ann.id, "owner")
        (told,) = prepare_home(settings, samples=False)
        start, _, token = told.rpartition("/")
        assert start.endswith("as ann@example.org, set a password at http://127.0.0.1:8123/password-reset")
        finish_reset(inst, token, "correct horse battery")
        assert prepare_home(settings, samples=False) == []
    finally:
        inst.close()
