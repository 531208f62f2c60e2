"""What an API server of Kubernetes would refuse of ``kubernetes.yaml``, by its own schemas."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tools.kubernetes_schemas import OBJECTS, SCHEMAS

SCHEMA = json.loads(SCHEMAS.read_text())
FREE = {"labels", "matchLabels", "requests", "limits"}
"""Mappings whose keys are names of our own."""

Path = tuple[str | int, ...]


def objects() -> list[Any]:
    return list(yaml.safe_load_all(OBJECTS.read_text()))


def refusals(one: Any) -> list[str]:
    """Return why an object is refused; unknown keys are, as ``kubectl apply`` asks for strict validation."""
    kind = f"{one.get('apiVersion')} {one.get('kind')}"
    if kind not in SCHEMA["kinds"]:
        return [f"no schema of {kind}; python -m tools.kubernetes_schemas writes it, if there is one"]
    schema = {"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{SCHEMA['kinds'][kind]}"}
    return [f"{error.json_path}: {error.message}" for error in Draft202012Validator(schema).iter_errors(one)]


def entries(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all keys and items."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(inner, dict | list):
            yield from entries(inner, (*path, key))


def at(one: Any, path: Path) -> Any:
    for key in path:
        one = one[key]
    return one


def test_every_object_is_accepted() -> None:
    assert [refusals(one) for one in objects()] == [[], []]


@pytest.mark.parametrize("number", [0, 1])
def test_every_misspelled_key_is_refused(number: int) -> None:
    one = objects()[number]
    keys = [path for path in entries(one) if isinstance(path[-1], str) and not FREE & set(path[:-1])]
    assert len(keys) > 15
    for path in keys:
        broken = copy.deepcopy(one)
        holder = at(broken, path[:-1])
        holder[f"{path[-1]}x"] = holder.pop(path[-1])
        assert refusals(broken), f"{path} may be misspelled"


@pytest.mark.parametrize("number", [0, 1])
def test_every_wrong_type_is_refused(number: int) -> None:
    one = objects()[number]
    for path in entries(one):
        value = at(one, path)
        broken = copy.deepcopy(one)
        at(broken, path[:-1])[path[-1]] = "text" if isinstance(value, list) else [value]
        assert refusals(broken), f"{path} may be of another type"


@pytest.mark.parametrize(
    ("kind", "version"),
    [
        ("Deployment", "v1"),
        ("Deployment", "apps/v1beta2"),
        ("HorizontalPodAutoscaler", "autoscaling/v2beta2"),
    ],
)
def test_a_wrong_version_is_refused(kind: str, version: str) -> None:
    (one,) = [one for one in objects() if one["kind"] == kind]
    (words,) = refusals({**one, "apiVersion": version})
    assert words.startswith(f"no schema of {version} {kind}")


def test_the_objects_refer_to_each_other() -> None:
    deployment, scaler = objects()
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"].items() <= labels.items()
    target = {"apiVersion": deployment["apiVersion"], "kind": deployment["kind"]}
    assert scaler["spec"]["scaleTargetRef"] == {**target, "name": deployment["metadata"]["name"]}
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    for metric in scaler["spec"]["metrics"]:
        assert metric["resource"]["name"] in container["resources"]["requests"], "shares are of requests"
