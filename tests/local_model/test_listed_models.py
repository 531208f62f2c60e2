from __future__ import annotations

import re

import pytest

from docduck.errors import InputError
from docduck.local_model.listed_models import listed_model, listed_models

PERMISSIVE = {"Apache-2.0", "MIT"}


def test_every_model_is_pinned_and_permissive() -> None:
    models = listed_models()
    assert len({model.name for model in models}) == len(models) > 5
    for model in models:
        assert re.fullmatch(r"[0-9a-f]{64}", model.sha256)
        assert re.fullmatch(r"[0-9a-f]{40}", model.revision)
        assert model.licence in PERMISSIVE
        assert model.file.endswith(".gguf")
        assert float(model.memory.removesuffix(" GB")) * 1e9 > model.bytes
    assert [model.bytes for model in models] == sorted(model.bytes for model in models)


def test_a_name_that_is_not_listed_is_told_with_one_alike() -> None:
    with pytest.raises(InputError, match=r"did you mean qwen3-4b\?"):
        listed_model("qwen3-4")
    with pytest.raises(InputError, match="docduck model list"):
        listed_model("gpt")
