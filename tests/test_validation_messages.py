from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from docduck.validation_messages import located_message, problem_message
from tests.frameworks import assert_plain, error_kinds, known_error


class Bolt(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(min_length=1, max_length=5, pattern="^[a-z]*$")] = "m"
    size: Annotated[int, Field(ge=1, le=12)] = 1
    price: Annotated[float, Field(gt=0, lt=9)] = 1
    coated: bool = False
    kind: Literal["hex", "eye", "lag"] = "hex"
    labels: Annotated[list[str], Field(min_length=1, max_length=2)] = ["a"]
    nut: Bolt | None = None
    extra: dict[str, int] = {}

    @field_validator("kind")
    @classmethod
    def _no_lag(cls, value: str) -> str:
        if value == "lag":
            raise ValueError("lag bolts are screws")
        return value


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"name": 5}, "name: must be a string"),
        ({"name": ""}, "name: must have at least 1 character"),
        ({"name": "abcdef"}, "name: must have at most 5 characters"),
        ({"name": "A"}, "name: must match the pattern ^[a-z]*$"),
        ({"size": "1"}, "size: must be an integer"),
        ({"size": 1.5}, "size: must be an integer"),
        ({"size": 0}, "size: must be at least 1"),
        ({"size": 13}, "size: must be at most 12"),
        ({"price": 0}, "price: must be greater than 0"),
        ({"price": 9}, "price: must be less than 9"),
        ({"price": None}, "price: must be a number"),
        ({"coated": 1}, "coated: must be true or false"),
        ({"kind": "round"}, "kind: must be 'hex', 'eye' or 'lag'"),
        ({"kind": "lag"}, "kind: lag bolts are screws"),
        ({"labels": {}}, "labels: must be an array"),
        ({"labels": []}, "labels: must have at least 1 item"),
        ({"labels": ["a", "b", "c"]}, "labels: must have at most 2 items"),
        ({"labels": [None]}, "labels.0: must be a string"),
        ({"nut": []}, "nut: must be an object"),
        ({"nut": {"thread": 1}}, "Unknown property: thread"),
        ({"extra": []}, "extra: must be an object"),
    ],
)
def test_what_is_wrong_is_told_in_plain_words(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Bolt.model_validate(given)
    (problem,) = caught.value.errors()
    assert located_message(".".join(map(str, problem["loc"])), problem_message(problem)) == message
    assert_plain(message)


@pytest.mark.parametrize("kind", error_kinds())
def test_no_kind_of_error_speaks_the_framework_s_language(kind: str) -> None:
    error = known_error(kind)
    assert_plain(
        problem_message({"type": kind, "loc": ("place",), "ctx": error.context or {}, "msg": error.message()})
    )
