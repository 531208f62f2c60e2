"""Secrets in the catalog are encrypted, and can't be exchanged or changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docduck.service.core.sealing import SealBroken, seal, unseal
from docduck.settings import Settings

KEY = Settings(secret_key="k" * 32)


@settings(max_examples=25)
@given(st.binary(max_size=1000), st.text(st.characters(exclude_categories=["Cs"]), max_size=50))
def test_what_is_sealed_is_unsealed_in_its_context_alone(value: bytes, context: str) -> None:
    sealed = seal(KEY, value, context)
    assert unseal(KEY, sealed, context) == value
    assert len(value) < 4 or value not in sealed.encode()
    for keys, text, where in (
        (Settings(secret_key="x" * 32), sealed, context),
        (KEY, sealed, context + "x"),
        (KEY, sealed[:-2], context),
        (KEY, sealed.removeprefix("v1:"), context),
        (KEY, "v1:", context),
        (KEY, "", context),
    ):
        with pytest.raises(SealBroken):
            unseal(keys, text, where)


def test_the_same_value_is_never_sealed_alike() -> None:
    assert len({seal(KEY, b"value", "a") for _ in range(100)}) == 100


def test_a_key_file_of_the_home_is_used_without_a_setting(tmp_path: Path) -> None:
    sealed = seal(Settings(home=tmp_path), b"value", "a")
    assert (tmp_path / "secret.key").stat().st_mode & 0o777 == 0o600
    assert unseal(Settings(home=tmp_path), sealed, "a") == b"value"
