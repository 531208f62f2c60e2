"""The language models that can be named in settings, over the API."""

from __future__ import annotations

import pytest

from tests.api.request.hostile import refused
from tests.server.served import Api

MODELS = """
default: {base_url: "http://someone:s3cret@localhost:1/v1?k=s3cret", model: usual, extra_headers: {X: A_KEY}}
hosted:
  {preset: openai, model: large, api_key: A_KEY, vision: true, context_tokens: 65536, input_price: 0.25,
   output_price: 2}
small: {file: s3cret/weights.gguf}
"""


def test_models_are_told_without_their_secrets(lite: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lite.get("/models").json()["data"] == []
    monkeypatch.setenv("A_KEY", "s3cret")
    file = lite.inst.settings.models_file
    file.write_text(MODELS)
    answer = lite.get("/models")
    assert "s3cret" not in answer.text
    assert answer.json() == {
        "data": [
            {
                **{"name": "default", "isDefault": True, "model": "usual", "isLocal": True},
                **{"endpoint": "localhost", "contextTokens": 32768, "takesPictures": False},
                **{"inputPrice": None, "outputPrice": None},
            },
            {
                **{"name": "hosted", "isDefault": False, "model": "large", "isLocal": False},
                **{"endpoint": "api.openai.com", "contextTokens": 65536, "takesPictures": True},
                **{"inputPrice": 0.25, "outputPrice": 2},
            },
            {
                **{"name": "small", "isDefault": False, "model": "weights", "isLocal": True},
                **{"endpoint": None, "contextTokens": 8192, "takesPictures": False},
                **{"inputPrice": None, "outputPrice": None},
            },
        ],
        "pagination": {"page": 1, "limit": 3, "total": 3, "pageCount": 1},
    }
    for name in (one["name"] for one in answer.json()["data"]):
        lite.parser(name, model=name)
    parser_id = lite.parser("Mine")
    with lite.using(lite.key_with(["parsers:read"], parser_ids=[parser_id])) as limited:
        assert limited.get("/models").json() == answer.json()
    with lite.using(lite.key_with(["documents:read"])) as other:
        refused(other.get("/models"), 403, "Access denied")
    file.write_text("hosted: {base_url: x}")
    assert lite.get("/models").json()["data"] == [], "a file that is wrong has none"
