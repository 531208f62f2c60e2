"""Tools: typed functions with a name, a permission and schemas, called with a client's arguments.

    @tool("get_team", "Get the team", "documents:read", READ)
    def get_team(inst: Inst, caller: SignedInUser) -> ConnectedTeam: ...

A function has the parameters of an endpoint. What depends on the request is resolved; ids and query
parameters are arguments, and a body's properties are arguments beside them. So endpoints can be tools as they
are: ``rest_tool``. Its result is shown by a view, which may have arguments of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, get_args, get_type_hints

from fastapi import BackgroundTasks, Request
from fastapi.params import Depends, Path
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from starlette.concurrency import run_in_threadpool

from docduck.api.request.current_caller import installation_of
from docduck.api.request.path_ids import resolved_ids
from docduck.api.route import permission_of, require, route_of
from docduck.api.schemas.base import ResponseModel
from docduck.errors import InputError
from docduck.mcp.schemas import input_schema
from docduck.mcp.views import LEAN, View
from docduck.service.accounts.caller import Caller
from docduck.service.core.schema import Schema, input_error

Function = Callable[..., Any]
RunInThread = Callable[[Callable[[], Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call does to the data; clients get it as hints."""

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    open_world: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a call returned: its JSON, and the pictures that go with it."""

    shown: dict[str, Any]
    images: Sequence[bytes] = ()


class ResponseWithImages(ResponseModel):
    """What a function returns with pictures, each a JPEG: they are content beside the JSON."""

    images: list[bytes] = Field(default=[], exclude=True)


_PARSER = "parserId"

READ = Effect(read_only=True, idempotent=True)
ADD = Effect()
SET = Effect(idempotent=True)
DISCARD = Effect(destructive=True)
DELETE = Effect(destructive=True, idempotent=True)


@dataclass(frozen=True, slots=True)
class Settings:
    """The rarer properties of a body, which are one argument: ``describe_settings`` tells them by topic."""

    topic: str
    shown: tuple[str, ...]
    """The properties that are arguments of their own."""


class Tool:
    """A function that clients can call by name."""

    def __init__(
        self,
        function: Function,
        name: str,
        title: str,
        permission: str,
        effect: Effect,
        description: str,
        *,
        view: View = LEAN,
        settings: Settings | None = None,
        of_team: Function | None = None,
    ) -> None:
        self.name, self.title, self.permission = name, title, permission
        self.effect, self.description = effect, description
        self.view = view
        self._function, self._of_team = function, of_team
        hints = get_type_hints(function, include_extras=True)
        result = hints["return"]
        assert issubclass(result, BaseModel), f"{name} must return a response"
        self._needs: dict[str, Callable[[Request], Awaitable[Any]]] = {}
        self._plain: dict[str, type] = {}
        self._ids: set[str] = set()
        self._body: tuple[str, type[Schema], Any] | None = None
        arguments: dict[str, Any] = {}
        for key, parameter in inspect.signature(function).parameters.items():
            hint = hints[key]
            marks = getattr(hint, "__metadata__", ())
            needed = next((mark.dependency for mark in marks if isinstance(mark, Depends)), None)
            body = _body_of(hint)
            if needed is not None:
                self._needs[key] = needed
            elif hint in (Request, BackgroundTasks):
                self._plain[key] = hint
            elif body is not None:
                self._body = key, body, parameter.default
            else:
                default = ... if parameter.default is parameter.empty else parameter.default
                if any(isinstance(mark, Path) for mark in marks):
                    self._ids.add(key)
                if key == _PARSER and of_team is not None:
                    hint, default = hint | None, None
                arguments[key] = (hint, default)
        self._arguments = create_model(
            f"{name}_arguments", __config__=ConfigDict(extra="forbid", validate_by_alias=True), **arguments
        )
        self._names = {field.alias or key for key, field in self._arguments.model_fields.items()}
        body = self._body[1] if self._body else None
        self.settings = (settings.topic, body) if settings and body else None
        self.input_schema = input_schema(
            [self._arguments, view.options],
            body,
            settings=settings.topic if settings else None,
            shown=settings.shown if settings else (),
            clears=effect is SET,
        )

    async def call(
        self, request: Request, caller: Caller, arguments: Mapping[str, Any], in_thread: RunInThread
    ) -> Result:
        """Return the result; ``in_thread`` runs a function that blocks.

        Raise Forbidden without the permission, InputError for wrong arguments, and the function's errors.
        """
        require(caller, self.permission)
        options, sent = self.view.chosen(arguments)
        values = self._values(_with_settings(sent) if self.settings else sent)
        ids = {key: values[key] for key in self._ids if values[key] is not None}
        values |= await resolved_ids(installation_of(request), caller.team_id, ids)
        for key, needed in self._needs.items():
            values[key] = await needed(request)
        after = BackgroundTasks()
        for key, kind in self._plain.items():
            values[key] = request if kind is Request else after
        function = self._function
        if self._of_team is not None and values[_PARSER] is None:
            function = self._of_team
            del values[_PARSER]
        work = partial(function, **values)

        def shown(made: BaseModel) -> Result:
            images = made.images if isinstance(made, ResponseWithImages) else ()
            return Result(self.view.show(made.model_dump(mode="json", by_alias=True), options), images)

        if inspect.iscoroutinefunction(function):
            result = await run_in_threadpool(shown, await work())
        else:
            result = await in_thread(lambda: shown(work()))
        await after()
        assert isinstance(result, Result)
        return result

    def _values(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the function's arguments; raise InputError naming every wrong one."""
        own = {key: value for key, value in arguments.items() if key in self._names or self._body is None}
        rest = {key: value for key, value in arguments.items() if key not in own}
        problems: list[Any] = []
        values: dict[str, Any] = {}
        try:
            model = self._arguments.model_validate(own)
            values = {key: getattr(model, key) for key in self._arguments.model_fields}
        except ValidationError as error:
            problems += error.errors()
        if self._body is not None:
            key, kind, default = self._body
            try:
                is_optional = default is not inspect.Parameter.empty
                values[key] = default if is_optional and not rest else kind.model_validate(rest)
            except ValidationError as error:
                problems += error.errors()
        if problems:
            raise input_error(problems)
        return values


def rest_tool(
    endpoint: Function,
    name: str,
    effect: Effect,
    description: str,
    view: View = LEAN,
    settings: Settings | None = None,
    of_team: Function | None = None,
) -> Tool:
    """Return the tool that an endpoint of the REST API is, with its permission and title.

    Without a parserId, it is the endpoint ``of_team``, if that is given.
    """
    route = route_of(endpoint)
    title, permission = str(route.summary), permission_of(route)
    return Tool(
        endpoint, name, title, permission, effect, description, view=view, settings=settings, of_team=of_team
    )


def tool(
    name: str,
    title: str,
    permission: str,
    effect: Effect,
    view: View = LEAN,
    settings: Settings | None = None,
) -> Callable[[Function], Tool]:
    """Make a tool of a function, whose docstring describes it to agents."""

    def made(function: Function) -> Tool:
        description = " ".join((function.__doc__ or "").split())
        return Tool(function, name, title, permission, effect, description, view=view, settings=settings)

    return made


def _with_settings(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return arguments with those in ``settings`` beside the others; raise InputError for one given twice."""
    settings = arguments.get("settings")
    if settings is None:
        return {key: value for key, value in arguments.items() if key != "settings"}
    if not isinstance(settings, Mapping):
        raise InputError("settings must be an object", "settings")
    if twice := sorted(settings.keys() & arguments.keys()):
        raise InputError(f"{twice[0]} is given twice: in settings and beside it", twice[0])
    return {key: value for key, value in arguments.items() if key != "settings"} | dict(settings)


def _body_of(hint: Any) -> type[Schema] | None:
    """Return the body that a parameter takes; None if it takes something else."""
    kinds = (hint, *get_args(hint), *(inner for kind in get_args(hint) for inner in get_args(kind)))
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Schema)), None)
