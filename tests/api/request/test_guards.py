"""Nobody gets in who may not: every route that exists, with every kind of key that is not enough."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest

from docduck import clock
from docduck.api.request.authentication import PREFIX, PUBLIC
from docduck.catalog.models import ApiKey
from docduck.ids import new_id
from docduck.server.app import create_app
from docduck.service.accounts.keys import create_key, revoke_key
from docduck.service.accounts.permissions import PERMISSIONS
from docduck.service.core.installation import Installation
from tests.server.app_routes import app_routes
from tests.server.served import Api, serving


def operations(inst: Installation) -> list[tuple[str, str, str]]:
    """Method, path below the prefix and permission of every operation of the document."""
    paths = create_app(inst).openapi()["paths"]
    return [
        (method.upper(), path.removeprefix(PREFIX), operation["x-required-permission"])
        for path, item in paths.items()
        for method, operation in item.items()
        if path.startswith(PREFIX)
    ]


def filled(path: str, parser_id: str | None = None) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: parser_id if parser_id and m[1] == "parserId" else new_id(), path)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    from docduck.service.core.installation import open_installation
    from docduck.settings import Settings

    settings = Settings(home=tmp_path_factory.mktemp("guards"), rate_limit_minute=0, rate_limit_day=0)
    inst = open_installation(settings)
    with serving(inst) as api:
        yield api
    inst.close()


def test_every_route_is_listed_and_asks_for_a_permission_that_exists(served: Api) -> None:
    found = operations(served.inst)
    assert len(found) > 5
    assert {permission for _, _, permission in found} <= set(PERMISSIONS)
    listed = {PREFIX + path for _, path, _ in found}
    paths = {route.path.replace(":path}", "}") for route in app_routes(served.inst)}
    assert {one for one in paths if one.startswith("/api/")} == listed | PUBLIC


def test_without_a_key(served: Api) -> None:
    for method, path, _ in operations(served.inst):
        for headers in ({"Authorization": ""}, {"Authorization": "Bearer"}):
            answer = served.request(method, filled(path), headers=headers)
            assert answer.status_code == 401, (method, path)
            assert answer.json()["message"] == "Missing API key"
            assert answer.headers["www-authenticate"] == "Bearer"


def test_with_a_key_that_is_wrong_revoked_or_expired(served: Api) -> None:
    inst = served.inst
    revoked = create_key(inst, inst.team_id, "revoked")
    revoke_key(inst, inst.team_id, revoked.key.id)
    expired = create_key(inst, inst.team_id, "expired", expires_at=clock.now() + timedelta(days=1))
    with inst.catalog.transaction() as session:
        session.get_one(ApiKey, expired.key.id).expires_at = clock.now() - timedelta(seconds=1)
    wrong = f"docduck_{'x' * 43}"
    for text in (wrong, revoked.text, expired.text, served.key[:-1], served.key.upper(), "é", "x" * 10_000):
        for method, path, _ in operations(inst):
            answer = served.request(
                method, filled(path), headers={b"Authorization": f"Bearer {text}".encode()}
            )
            assert answer.status_code == 401, (method, path, text[:20])
            assert answer.json()["message"] == "Invalid API key"


def test_without_the_permission(served: Api) -> None:
    parser_id = served.parser()
    for method, path, permission in operations(served.inst):
        others = [one for one in PERMISSIONS if one != permission]
        with served.using(served.key_with(permissions=others)) as client:
            answer = client.request(method, filled(path, parser_id))
            assert answer.status_code == 403, (method, path)
            assert answer.json() == {
                "error": True,
                "message": "Access denied",
                "requestId": answer.headers["x-request-id"],
            }


def test_with_a_key_of_another_team(served: Api) -> None:
    parser_id = served.parser()
    with served.other_team() as strangers:
        for method, path, _ in operations(served.inst):
            if "{parserId}" not in path:
                continue
            answer = strangers.request(method, filled(path, parser_id))
            # A bad body is seen first, but nothing is told of the parser.
            assert answer.status_code in (400, 404), (method, path, answer.text)
            if answer.status_code == 404:
                assert answer.json()["notFound"][0]["type"] == "parserId", (method, path)


def test_with_a_key_for_other_parsers(served: Api) -> None:
    mine, other = served.parser("Mine"), served.parser("Other")
    with served.using(served.key_with(parser_ids=[other])) as client:
        for method, path, _ in operations(served.inst):
            if "{parserId}" not in path:
                continue
            answer = client.request(method, filled(path, mine))
            assert answer.status_code == 403, (method, path, answer.text)
            gone = client.request(method, filled(path, new_id()))
            assert gone.status_code == 404, (method, path, gone.text)


def test_both_header_forms_and_the_alias(served: Api) -> None:
    key = served.key
    for header in (f"Bearer {key}", f"bearer {key}", f"BEARER   {key}", key):
        assert served.get("/parsers", headers={"Authorization": header}).status_code == 200, header
    answer = served.get(f"{served.address}/v1/parsers")
    assert answer.status_code == 200 and answer.headers["x-api-version"] == "1"


def test_the_wrong_method_names_the_right_ones(served: Api) -> None:
    answer = served.put("/parsers")
    assert answer.status_code == 405
    assert answer.json()["message"] == "Method not allowed"
    assert answer.headers["allow"] == "GET, HEAD, POST"


def test_ids_that_are_none(served: Api) -> None:
    for method, path, _ in operations(served.inst):
        if "{parserId}" in path:
            answer = served.request(method, filled(path.replace("{parserId}", "17")))
            assert answer.status_code == 400, (method, path)
            assert answer.json()["message"] == "Invalid parserId"


def test_parsers_and_classifiers_are_named_by_slug_as_well(served: Api) -> None:
    parser_id = served.parser("Delete")
    routing = {"rules": [{"label": "Bill", "targetParserId": parser_id}]}
    made = [served.post("/classifiers", json={"name": "All Mail", "routing": routing}).json() for _ in "ab"]
    assert [one["slug"] for one in made] == ["all_mail", "all_mail_2"]
    assert served.get("/parsers/delete").json()["id"] == parser_id
    assert served.get("/parsers/delete/documents").json()["data"] == []
    assert served.patch("/classifiers/all_mail_2", json={"name": "Post"}).json()["id"] == made[1]["id"]
    assert served.get("/classifiers/all_mail_2").json()["name"] == "Post"
    served.upload("delete")
    for key in (served.key_with(parser_ids=[served.parser("Other 2")]), served.key_with(["exports:read"])):
        with served.using(key) as limited:
            assert limited.get("/parsers/delete").status_code == 403
            assert limited.get("/classifiers/all_mail").status_code == 403
    with served.other_team() as strangers:
        for path in ("/parsers/delete", "/classifiers/all_mail"):
            assert strangers.get(path).status_code == 400, "an id that is none"
    assert served.delete("/classifiers/all_mail").status_code == 200
    again = served.post("/classifiers", json={"name": "All Mail", "routing": routing}).json()
    assert again["slug"] == "all_mail"
