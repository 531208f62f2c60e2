"""A small OpenID Connect provider on this machine, which confirms whoever a test names."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey


class Provider:
    """What the provider says; a test may change all of it."""

    def __init__(self, issuer: str) -> None:
        self.issuer = issuer
        self.key = RSAKey.generate_key(2048, {"kid": "1"})
        self.claims: dict[str, Any] = {}
        self.userinfo: dict[str, Any] = {}
        self.published = [self.key]
        self.metadata = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/jwks",
            "userinfo_endpoint": f"{issuer}/userinfo",
        }
        self.requests: list[str] = []
        self.asked: dict[str, str] = {}

    def confirm(self, url: str, **claims: Any) -> str:
        """Let a user sign in at the URL that the browser was sent to; the path that they come back to."""
        self.asked = dict(parse_qsl(urlsplit(url).query))
        now = int(time.time())
        self.claims = {
            "iss": self.issuer,
            "aud": self.asked["client_id"],
            "sub": "subject-1",
            "iat": now,
            "exp": now + 60,
            "nonce": self.asked["nonce"],
            "email": "ann@example.org",
            "email_verified": True,
            "name": "Ann",
            **claims,
        }
        back = urlsplit(self.asked["redirect_uri"])
        return f"{back.path}?{urlencode({'code': 'code-1', 'state': self.asked['state']})}"

    def token(self, form: dict[str, list[str]], authorization: str) -> tuple[int, dict[str, Any]]:
        verifier = hashlib.sha256(form["code_verifier"][0].encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).decode().rstrip("=")
        is_right = (
            form["code"] == ["code-1"]
            and form["redirect_uri"] == [self.asked["redirect_uri"]]
            and challenge == self.asked["code_challenge"]
            and authorization == f"Basic {base64.b64encode(b'docduck:s3cret').decode()}"
        )
        if not is_right:
            return 400, {"error": "invalid_grant"}
        claims = {name: value for name, value in self.claims.items() if value is not None}
        id_token = jwt.encode({"alg": "RS256", "kid": str(self.key.kid)}, claims, self.key)
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": id_token}

    def answer(self, path: str, body: bytes, authorization: str) -> tuple[int, dict[str, Any]]:
        self.requests.append(path)
        match path:
            case "/.well-known/openid-configuration":
                return 200, self.metadata
            case "/jwks":
                return 200, {"keys": [key.as_dict(private=False) for key in self.published]}
            case "/token":
                return self.token(parse_qs(body.decode()), authorization)
            case "/userinfo" if authorization == "Bearer access":
                return 200, self.userinfo
            case _:
                return 404, {}


@contextmanager
def running_provider() -> Iterator[Provider]:
    """A provider on a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            size = int(self.headers.get("Content-Length", "0"))
            status, answer = provider.answer(
                self.path, self.rfile.read(size), self.headers.get("Authorization", "")
            )
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        do_POST = do_GET

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = Provider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
