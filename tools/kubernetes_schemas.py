"""The schemas of what is in ``orchestration/kubernetes.yaml``: ``python -m tools.kubernetes_schemas``.

They are Kubernetes' own (Apache-2.0), closed: an object with an unknown key is not valid. They come from the
package kubernetes-validate, which has 70 MB: install it for this alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import yaml

from tools.readme import ROOT

OBJECTS = ROOT / "orchestration" / "kubernetes.yaml"
SCHEMAS = ROOT / "tests" / "orchestration" / "kubernetes_schemas.json"
VERSION = "v1.37.0"
"""Of Kubernetes."""

_UNUSED = ("description", "default")
_REF = "/api/_definitions.json#"


def main() -> None:
    """Write the definitions that the objects refer to, each once, without their descriptions."""
    source = f"kubernetes-json-schema/{VERSION}-local-strict/_definitions.json"
    known = json.loads((files("kubernetes_validate") / source).read_text())["$defs"]
    kinds = {
        f"{of['group']}/{of['version']} {of['kind']}": name
        for name, schema in known.items()
        for of in schema.get("x-kubernetes-group-version-kind", ())
    }
    objects = [f"{spec['apiVersion']} {spec['kind']}" for spec in yaml.safe_load_all(OBJECTS.read_text())]
    used: dict[str, Any] = {}
    waiting = [kinds[kind] for kind in objects]
    while waiting:
        if (name := waiting.pop()) not in used:
            used[name] = _reduced(known[name])
            waiting += [ref.rpartition("/")[2] for ref in _refs(used[name])]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(used[name])}" for name in sorted(used))
    heads = json.dumps({"version": VERSION, "kinds": {kind: kinds[kind] for kind in objects}})[1:-1]
    SCHEMAS.write_text(f'{{{heads}, "$defs": {{\n{lines}\n}}}}\n')
    print(f"Wrote {SCHEMAS.relative_to(ROOT)}")


def _reduced(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without what says nothing of validity."""
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "properties":
            kept[key] = {name: _reduced(item) for name, item in value.items()}
        elif key == "$ref":
            kept[key] = value.removeprefix(_REF)
        elif key not in _UNUSED and not key.startswith(("x-", "$")):
            kept[key] = _reduced(value) if isinstance(value, dict) else value
    return kept


def _refs(schema: Any) -> Iterator[str]:
    for key, value in schema.items() if isinstance(schema, dict) else enumerate(schema):
        if key == "$ref":
            yield value
        elif isinstance(value, dict | list):
            yield from _refs(value)


if __name__ == "__main__":
    main()
