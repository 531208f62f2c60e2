from __future__ import annotations

from pathlib import Path

from docduck.service.core.installation import open_installation
from docduck.service.oauth.tokens import check_access_token
from docduck.settings import Settings
from tests.cli.conftest import Docduck
from tests.service.oauth.test_tokens import RESOURCE, connected


def test_connections_are_listed_and_ended(docduck: Docduck, tmp_path: Path) -> None:
    inst = open_installation(Settings(home=tmp_path / "home"))
    try:
        text = connected(inst).access
        (shown,) = docduck("connections", "list", "--json").json
        assert (shown["client"], shown["email"]) == ("A program without a name", "ann@example.org")
        assert "ann@example.org" in docduck("connections", "list").out
        ended = docduck("connections", "revoke", shown["id"])
        assert ended.code == 0
        assert ended.out == "A program without a name is disconnected from ann@example.org\n"
        assert check_access_token(inst, text, RESOURCE) is None
    finally:
        inst.close()
    again = docduck("connections", "revoke", shown["id"])
    assert again.code == 2
    assert "docduck connections list shows all" in again.err
