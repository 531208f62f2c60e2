"""Methods that are declared by their signature, as each sends one request.

class Folders(Resource[M]):
    @operation("GET", "/parsers/{parser_id}/folders/{folder_id}")
    def get(self, parser_id: str, folder_id: str) -> Folder:
        \"""Return a folder.\"""
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

from docduck.client.transport.encoding import UNSET, camel, path, timestamp
from docduck.client.transport.endpoint import Resource, endpoint
from docduck.client.transport.steps import Steps
from docduck.client.transport.uploads import upload

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class operation:
    """A decorator: the declared method sends a request with its arguments, and returns the response.

    Arguments that the path doesn't name are query parameters of a GET or DELETE, otherwise properties of
    the JSON body; ``body`` is an argument that is the whole body, and ``file`` is uploaded. ``result`` is
    the property of the response that is returned; ``names`` are JSON names that are not the argument's.
    """

    method: str
    path: str
    result: str | None = None
    body: str | None = None
    read_only: bool = False
    held_seconds: float = 0
    names: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, function: Callable[Concatenate[Any, P], T]) -> endpoint[P, T]:
        @functools.wraps(function)
        def steps(resource: Any, /, *args: P.args, **kwargs: P.kwargs) -> Steps[T]:
            signature = _signature(function)
            values = _set_values(signature, resource, *args, **kwargs)
            not_sent = {"self", "idempotency_key", "if_match", *_names(self.path)}
            has_values = not signature.parameters.keys() <= not_sent
            return self._sent(resource, values, has_values, "file" in signature.parameters)

        return endpoint(steps)

    def _sent(
        self, resource: Resource[Any], values: dict[str, Any], has_values: bool, takes_file: bool
    ) -> Steps[Any]:
        key = values.pop("idempotency_key", None)
        version = values.pop("if_match", None)
        # Without a parser it is about all parsers.
        is_of_all = values.get("parser_id") is None
        template = self.path.removeprefix("/parsers/{parser_id}") if is_of_all else self.path
        if is_of_all:
            values.pop("parser_id", None)
        ids = {name: values.pop(name) for name in _names(template)}
        place = path(*(ids[part[1:-1]] if part[0] == "{" else part for part in template.split("/")[1:]))
        sent = {self.names.get(name) or camel(name): timestamp(value) for name, value in values.items()}
        options: dict[str, Any] = {"idempotency_key": key, "read_only": self.read_only}
        if version is not None:
            options["if_match"] = version
        if takes_file and ("file" in sent or not sent):
            options["upload"] = upload([sent["file"]] if sent else [], {})
        elif self.method in ("GET", "DELETE"):
            options["params"] = sent
        elif has_values:
            options["body"] = values[self.body] if self.body else sent
        response = yield from resource.call(self.method, place, held_seconds=self.held_seconds, **options)
        return response if self.result is None else response[self.result]


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def _names(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def _set_values(signature: inspect.Signature, *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return the arguments that are set: not UNSET, nor None where None is the default; raise TypeError."""
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    values: dict[str, Any] = {}
    for name, parameter in [*signature.parameters.items()][1:]:
        value = bound.arguments[name]
        if parameter.kind is parameter.VAR_KEYWORD:
            values |= {key: each for key, each in value.items() if each is not UNSET}
        elif value is not UNSET and not (value is None and parameter.default is None):
            values[name] = value
    return values
