"""Firefox without a window, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/)."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

FIREFOX = Path("/usr/bin/firefox-esr")
_SECONDS = 30
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Control": "\ue009", "Alt": "\ue00a"}


class FirefoxPage:
    """A tab, and what its console tells as an error."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._number = socket, 0
        self.complaints: list[str] = []
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        tree = self._send("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]

    def goto(self, address: str) -> None:
        """Open an address and wait until it is loaded."""
        self._send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression, which is a text, number or boolean."""
        target = {"context": self._context}
        given = self._send("script.evaluate", expression=script, target=target, awaitPromise=True)
        assert given["type"] == "success", given
        return given["result"].get("value")

    def wait_for(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + _SECONDS
        while not self.evaluate(f"Boolean({script})"):
            assert time.monotonic() < end, (script, self.complaints)
            time.sleep(0.05)

    def press(self, *keys: str) -> None:
        """Press keys together, such as ``Control`` and ``k``."""
        values = [_KEYS.get(key, key) for key in keys]
        actions = [{"type": "keyDown", "value": value} for value in values]
        actions += [{"type": "keyUp", "value": value} for value in reversed(values)]
        source = {"type": "key", "id": "keyboard", "actions": actions}
        self._send("input.performActions", context=self._context, actions=[source])

    def type(self, text: str) -> None:
        """Press the keys of a text, one after another."""
        for letter in text:
            self.press(letter)

    def _send(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            told = json.loads(self._socket.recv(timeout=_SECONDS))
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.complaints.append(told["params"]["text"])
            if told.get("id") == self._number:
                assert told["type"] == "success", told
                return told["result"]


@contextmanager
def firefox() -> Iterator[FirefoxPage]:
    """A new Firefox with a profile of its own."""
    with tempfile.TemporaryDirectory(prefix="docduck-firefox-") as profile:
        command = [str(FIREFOX), "--headless", "--remote-debugging-port", "0", "--profile", profile]
        with subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        ) as process:
            try:
                assert process.stderr is not None
                address = next(match[1] for line in process.stderr if (match := _LISTENS.search(line)))
                with connect(f"{address}/session", max_size=None) as socket:
                    yield FirefoxPage(socket)
            finally:
                process.kill()
