"""Signatures: published vectors, the published libraries, secrets."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from docduck.errors import InputError
from docduck.service.core.installation import Installation
from docduck.service.webhooks.signing import new_secret, secret_key, signed_headers
from tests.service.core.documents import make_parser
from tests.service.reviews.reviews_world import read_one
from tests.service.webhooks.receiver import Receiver, deliver, subscribe
from tools.readme import ROOT

VECTOR = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
"""The secret of the specification's example."""


def test_the_example_of_the_specification() -> None:
    headers = signed_headers(
        "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}', [secret_key(VECTOR)]
    )
    signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert headers == {
        f"{prefix}-{name}": value
        for prefix in ("webhook", "svix")
        for name, value in (
            ("id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
            ("timestamp", "1614265330"),
            ("signature", signature),
        )
    }


def test_a_vector_computed_by_hand() -> None:
    # printf 'msg_1.1700000000.{}' | openssl dgst -sha256 -hmac 000000000000000000000000 -binary | base64
    key = b"0" * 24
    headers = signed_headers("msg_1", 1700000000, b"{}", [key])
    assert headers["webhook-signature"] == "v1,GyD6JYhOMw54HxxeJFT2MBccaZQKsuPluglVfnm25Bo="


@given(st.binary(max_size=200).map(lambda data: base64.b64encode(data)), st.integers(1, 3))
def test_the_published_library_verifies_with_each_key(body: bytes, count: int) -> None:
    secrets = [new_secret() for _ in range(count)]
    headers = signed_headers("msg_1", int(time.time()), body, [secret_key(one) for one in secrets])
    for secret in secrets:
        Verifier(secret).verify(body, headers, json_parse=False)
    with pytest.raises(WebhookVerificationError):
        Verifier(new_secret()).verify(body, headers, json_parse=False)
    with pytest.raises(WebhookVerificationError):
        Verifier(secrets[0]).verify(body + b"x", headers, json_parse=False)


def test_new_secrets_are_long_enough_and_never_the_same() -> None:
    made = {new_secret() for _ in range(100)}
    assert len(made) == 100
    assert {len(secret_key(one)) for one in made} == {32}


def test_what_is_no_secret_is_refused_and_not_shown() -> None:
    short, good, long = (base64.b64encode(bytes(size)).decode() for size in (23, 32, 65))
    right = f"whsec_{good}"
    wrong = ["", "whsec_", "whsec_AAAA", f"whsec_{short}", f"whsec_{long}", good, right[:-1], f"{right} "]
    for text in (*wrong, "whsec_ÄÖÜ" + "A" * 40):
        with pytest.raises(InputError) as caught:
            secret_key(text)
        assert not text.removeprefix("whsec_") or text not in str(caught.value)


JAVASCRIPT = """
import { Webhook } from "standardwebhooks";
const lines = (await import("node:fs")).readFileSync(0, "utf8").split("\\n").filter(Boolean);
for (const line of lines) {
  const { secret, headers, body } = JSON.parse(line);
  new Webhook(secret).verify(body, headers);
}
console.log(lines.length);
"""


@pytest.fixture(scope="module")
def javascript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the published library for JavaScript."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("node and npm are not installed")
    folder = tmp_path_factory.mktemp("javascript")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    (folder / "verify.js").write_text(JAVASCRIPT)
    install = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "standardwebhooks@1"]
    try:
        subprocess.run(install, cwd=folder, check=True, capture_output=True, timeout=120)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("no npm registry can be reached")
    return folder


@pytest.mark.extended
def test_the_published_library_for_javascript_verifies(javascript: Path) -> None:
    messages = []
    for body in ('{"a": 1}', '{"Größe": "😀\\u2028"}', "{}"):
        old, new = new_secret(), new_secret()
        keys = [secret_key(new), secret_key(old)]
        headers = signed_headers("msg_1", int(time.time()), body.encode(), keys)
        messages += [{"secret": one, "headers": headers, "body": body} for one in (old, new)]
    lines = "\n".join(json.dumps(one) for one in messages)
    done = subprocess.run(
        ["node", "verify.js"], cwd=javascript, input=lines, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == (str(len(messages)), "")


def code_of(path: str, containing: str) -> str:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / path).read_text(), flags=re.DOTALL)
    (found,) = [block for block in blocks if containing in block]
    return str(found)


def test_the_examples_verify_a_delivery(lite: Installation, receiver: Receiver, capsys: Any) -> None:
    parser = make_parser(lite)
    _, secret = subscribe(lite, parser.id, receiver.url(), ["document.exported"])
    read_one(lite, parser)
    deliver(lite)
    (got,) = receiver.received
    by_hand: dict[str, Any] = {}
    exec(code_of("docduck/service/webhooks/README.md", "is_genuine"), by_hand)
    assert by_hand["is_genuine"](secret, got.headers, got.body)
    assert not by_hand["is_genuine"](new_secret(), got.headers, got.body)
    assert not by_hand["is_genuine"](secret, got.headers, got.body + b" ")
    given = {"secret": secret, "headers": dict(got.headers), "body": got.body}
    exec(code_of("README.md", "standardwebhooks"), given)
    assert capsys.readouterr().out == "document.exported 12.5\n"
