from __future__ import annotations

import datetime as dt

from docduck import clock
from docduck.service.accounts.keys import create_key
from docduck.service.accounts.permissions import PERMISSIONS
from docduck.service.parsers.parsers import delete_parser
from tests.server.served import Api


def test_a_key_is_told_what_it_is(lite: Api) -> None:
    inst = lite.inst
    mine, gone = lite.parser("Mine"), lite.parser("Gone")
    lite.parser("Other")
    whole = lite.get("/me").json()
    assert (whole["permissions"], whole["parsers"], whole["apiKey"]["expiresAt"]) == (
        [*PERMISSIONS],
        None,
        None,
    )
    until = clock.now() + dt.timedelta(days=1)
    limits = (["documents:read", "reviews:write"], [mine, gone])
    made = create_key(inst, inst.team_id, "script", *limits, expires_at=until)
    delete_parser(inst, inst.team_id, gone)
    with lite.using(made.text) as limited:
        assert limited.get("/me").json() == {
            "team": whole["team"],
            "apiKey": {
                "id": made.key.id,
                "name": "script",
                "prefix": made.key.prefix,
                "createdAt": clock.iso(made.key.created_at),
                "expiresAt": clock.iso(until),
            },
            "permissions": ["documents:read", "reviews:write"],
            "parsers": [{"id": mine, "name": "Mine"}],
        }
        assert made.text not in limited.get("/me").text
    assert whole["team"] == {"id": inst.team_id, "name": "Default", "slug": "default"}
