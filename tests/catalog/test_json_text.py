from __future__ import annotations

import json
from typing import Any

import pytest

from docduck.catalog.json_text import Compressed, decompressed, json_text, json_value


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ({"a": [1, 2.5, None, True, "ü 😀"]}, {"a": [1, 2.5, None, True, "ü 😀"]}),
        ({"a\0b": ["c\0"]}, {"ab": ["c"]}),
        ("half \ud83d of a pair", "half ? of a pair"),
        ("spelled \\u0000", "spelled \\u0000"),
        (("a", 1), ["a", 1]),
        ({"a": [10**30 + 1, -(2**63) - 1]}, {"a": [10**30 + 1, -(2**63) - 1]}),
        ([1e16, 0.1, -0.0, 5e-324], [1e16, 0.1, -0.0, 5e-324]),
        ([float("nan"), float("inf")], [None, None]),
    ],
)
def test_what_any_catalog_can_hold(value: Any, stored: Any) -> None:
    text = json_text(value)
    assert json.loads(text) == stored
    assert json_value(text) == stored
    assert "\0" not in text
    text.encode()
    for written in (Compressed.of(value).data, text, text.encode()):
        assert decompressed(written) == stored
