"""What the team uses, over the API."""

from __future__ import annotations

from docduck import clock
from docduck.catalog.models import ModelUsage
from tests.api.request.hostile import refused
from tests.server.served import Api
from tests.service.core.documents import add, complete, make_parser


def test_usage_is_by_day_and_parser_and_by_month_and_model(lite: Api) -> None:
    parser = make_parser(lite.inst)
    add(lite.inst, parser, 3)
    complete(lite.inst, parser)
    now = clock.now()
    with lite.inst.catalog.transaction() as session:
        used = ModelUsage(
            team_id=lite.inst.team_id, month=f"{now:%Y-%m}", model="small", cost_micros=1_500_000
        )
        used.documents, used.requests, used.input_tokens, used.output_tokens = 1, 2, 30, 4
        session.add(used)
    found = lite.get("/usage").json()
    (day,) = found["days"]
    assert (day["day"], day["parserId"], day["parserName"]) == (f"{now:%Y-%m-%d}", parser.id, parser.name)
    assert (day["documents"], day["pages"]) == (3, 3)
    assert found["models"] == [
        {
            **{"month": f"{now:%Y-%m}", "model": "small", "documents": 1, "requests": 2},
            **{"inputTokens": 30, "outputTokens": 4, "cost": 1.5},
        }
    ]
    with lite.other_team() as strangers:
        assert strangers.get("/usage").json() == {"days": [], "models": []}
    with lite.using(lite.key_with(parser_ids=[parser.id])) as limited:
        refused(limited.get("/usage"), 403, "Access denied")
