"""The code in the README files verifies what is delivered."""

from __future__ import annotations

import re
from typing import Any

from docduck.service.core.installation import Installation
from docduck.service.webhooks.signing import new_secret
from tests.service.core.documents import make_parser
from tests.service.reviews.reviews_world import read_one
from tests.service.webhooks.receiver import Receiver, deliver, subscribe
from tools.readme import ROOT


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
