from __future__ import annotations

from docduck.service.core.installation import Installation
from docduck.service.oauth.tokens import check_access_token
from tests.cli.conftest import Docduck
from tests.service.oauth.test_tokens import RESOURCE, connected


def test_connections_are_listed_and_ended(docduck: Docduck, inst: Installation) -> None:
    text = connected(inst).access
    (shown,) = docduck("connections", "list", "--json").json
    assert (shown["client"], shown["email"]) == ("A program without a name", "ann@example.org")
    assert "ann@example.org" in docduck("connections", "list").out
    ended = docduck("connections", "revoke", shown["id"])
    assert ended.code == 0
    assert ended.out == "A program without a name is disconnected from ann@example.org\n"
    assert check_access_token(inst, text, RESOURCE) is None
    again = docduck("connections", "revoke", shown["id"])
    assert again.code == 2
    assert "docduck connections list shows all" in again.err
