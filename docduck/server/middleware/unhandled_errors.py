"""Responses for errors that no handler has answered."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docduck.api.response.responses import response_for


class UnhandledErrors:
    """Answers a request whose application raised an error before it answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answered = False

        async def send_and_note(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception as error:
            if answered:
                raise
            await response_for(error, scope["state"]["request_id"])(scope, receive, send)
