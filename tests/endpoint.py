"""A language model for the tests: a server in this process that speaks the chat completion API."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Question:
    """A request as the model got it."""

    body: dict[str, Any]
    headers: dict[str, str]
    path: str = ""

    @property
    def text(self) -> str:
        """All text of the user's message."""
        content = self.body["messages"][-1]["content"]
        return content if isinstance(content, str) else "\n".join(p.get("text", "") for p in content)

    @property
    def pages(self) -> list[int]:
        return [int(number) for number in re.findall(r"^\w+ page (\d+) begins$", self.text, re.MULTILINE)]

    @property
    def pictures(self) -> list[str]:
        content = self.body["messages"][-1]["content"]
        parts = [] if isinstance(content, str) else content
        return [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]

    @property
    def asked(self) -> list[str]:
        """The keys that the answer is to have."""
        return list(self.body["response_format"]["json_schema"]["schema"]["properties"])

    @property
    def form(self) -> str:
        return str(self.body.get("response_format", {}).get("type", "text"))


@dataclass
class Reply:
    """What the server does: an HTTP answer, or one of the ways to fail."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    reset: bool = False
    endless: bool = False


def says(
    content: Any,
    finish: str = "stop",
    refusal: str | None = None,
    usage: tuple[int, int] | None = (100, 10),
    **more: Any,
) -> Reply:
    """A chat completion with ``content``, an object (as JSON) or text; ``more`` is of its message."""
    text = content if isinstance(content, str) or content is None else json.dumps(content)
    message = {"role": "assistant", "content": text, "refusal": refusal, **more}
    body: dict[str, Any] = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    if usage:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    return Reply(body)


Script = Callable[[Question], Reply]


@dataclass
class Endpoint:
    """The running server: its address, what it was asked, and how many requests it had at a time."""

    url: str
    questions: list[Question] = field(default_factory=list)
    most_at_once: int = 0


@contextmanager
def model(script: Script | list[Reply]) -> Iterator[Endpoint]:
    """A server that answers by ``script``, or with replies in turn, the last one again and again."""
    lock = threading.Lock()
    running = 0

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            nonlocal running
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            question = Question(body, dict(self.headers), self.path)
            with lock:
                endpoint.questions.append(question)
                running += 1
                endpoint.most_at_once = max(endpoint.most_at_once, running)
                number = len(endpoint.questions) - 1
            try:
                reply = script[min(number, len(script) - 1)] if isinstance(script, list) else script(question)
                time.sleep(reply.wait)
            finally:
                # Before the answer goes: who has read it may ask again at once.
                with lock:
                    running -= 1
            with suppress(OSError):
                self._answer(reply)

        def _answer(self, reply: Reply) -> None:
            if reply.reset:
                # Without a lingering close the kernel sends RST.
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                self.connection.close()
                return
            data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if not reply.endless:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
            while reply.endless:
                self.wfile.write(b" " * 65536)

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def handle(self) -> None:
            with suppress(OSError, ValueError):
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
