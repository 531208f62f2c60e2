"""Registration of clients, and the metadata by which they find the server."""

from __future__ import annotations

from typing import Any

import httpx
from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, ProtectedResourceMetadata

from docduck.service.oauth.protocol import SCOPES
from tests.conftest import MakeInstallation
from tests.constants import SetConstants
from tests.server.served import Api, serving
from tests.web.oauth.dance import REDIRECT, browser


def register(api: Api, **given: Any) -> httpx.Response:
    return browser(api).post("/oauth/register", json={"redirect_uris": [REDIRECT], **given})


def test_metadata_say_what_the_server_does(lite: Api) -> None:
    paths = ("oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server")
    answers = [browser(lite).get(f"/.well-known/{path}") for path in paths]
    assert answers[0].json() == answers[1].json()
    resource = ProtectedResourceMetadata.model_validate_json(answers[1].content)
    assert (str(resource.resource), [str(one) for one in resource.authorization_servers]) == (
        f"{lite.address}/mcp",
        [lite.address],
    )
    server = OAuthMetadata.model_validate_json(answers[2].content)
    assert str(server.issuer) == lite.address
    assert server.scopes_supported == resource.scopes_supported == [*SCOPES]
    assert server.code_challenge_methods_supported == ["S256"]
    assert server.token_endpoint_auth_methods_supported == ["none"]
    assert server.client_id_metadata_document_supported
    assert server.authorization_response_iss_parameter_supported


def test_whoever_registers_is_a_public_client(api: Api) -> None:
    asked = {"token_endpoint_auth_method": "client_secret_post", "client_name": "Robin\n\u202eX"}
    made = register(api, **asked, grant_types=["authorization_code", "password"])
    assert (made.status_code, made.headers["cache-control"]) == (201, "no-store")
    client = OAuthClientInformationFull.model_validate_json(made.content)
    assert (client.token_endpoint_auth_method, client.client_secret) == ("none", None)
    assert client.grant_types == ["authorization_code", "refresh_token"]
    assert client.client_name == "Robin X"


def test_metadata_that_are_refused(api: Api, set_constants: SetConstants) -> None:
    long = f"https://example.org/{'a' * 2000}"
    uris: list[Any] = [
        "http://example.org/callback",
        "https://user@example.org/callback",
        "https://example.org/callback#part",
        "https://example.org/a b",
        "https://example.org;script-src/",
        "javascript:alert(1)",
        "http://10.0.0.1/callback",
        "data:text/html,x",
        "file:///etc/passwd",
        "JavaScript://a/%0aalert(1)",
        "cursor://a/b#c",
        "cursor:",
        "http://localhost.example.org/",
        "https:///callback",
        long,
        "",
        1,
    ]
    set_constants(oauth_new_clients=100)
    cases: list[dict[str, Any]] = [
        *({"redirect_uris": [uri]} for uri in uris),
        {"redirect_uris": []},
        {"redirect_uris": None},
        {"redirect_uris": [REDIRECT] * 21},
    ]
    for given in cases:
        refused = register(api, **given)
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_redirect_uri"), given
    told = register(api, redirect_uris=["file:///etc/passwd"]).json()["error_description"]
    assert "'file:///etc/passwd' can't be a redirect URI" in told
    wrong: list[dict[str, Any]] = [
        {"client_name": 1},
        {"grant_types": ["password"]},
        {"response_types": ["token"]},
        {"grant_types": "authorization_code"},
    ]
    for more in wrong:
        refused = register(api, **more)
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_client_metadata"), more
    for body in (b"[]", b"{", b'{"a": "' + b"x" * 70_000 + b'"}'):
        assert browser(api).post("/oauth/register", content=body).status_code in (400, 413)


def test_registrations_of_an_address_are_limited(make_installation: MakeInstallation) -> None:
    inst = make_installation(oauth_new_clients=2, api_trusted_proxies=["127.0.0.0/8"])
    with serving(inst) as api:

        def at(address: str) -> httpx.Response:
            headers = {"X-Forwarded-For": address}
            return browser(api).post("/oauth/register", json={"redirect_uris": [REDIRECT]}, headers=headers)

        assert [at("192.0.2.1").status_code for _ in range(3)] == [201, 201, 429]
        late = at("192.0.2.1")
        assert late.json()["error"] == "temporarily_unavailable"
        assert 1 <= int(late.headers["retry-after"]) <= 900
        assert at("192.0.2.2").status_code == 201, "others may"
        network = [at(f"2001:db8::{one}").status_code for one in ("1", "2", "ffff")]
        assert network == [201, 201, 429], "a network counts as one"


def test_endpoints_for_programs_are_posted_to(lite: Api) -> None:
    for path in ("/oauth/token", "/oauth/register", "/oauth/revoke"):
        assert browser(lite).get(path).status_code == 405
