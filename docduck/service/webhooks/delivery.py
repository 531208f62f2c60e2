"""Sending deliveries: claim, compose, sign, post, record.

A deliverer sends what is due, many at the same time. The API runs one while it serves, and the Dagster job
``deliver_webhooks`` runs one where there is no API; any number may work at the same time. A delivery whose
process dies is sent again: receivers get each event at least once.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TypeVar

from docduck import clock, tracing
from docduck.catalog.notifications import DELIVERIES, listen
from docduck.outbound.policy import OutboundPolicy
from docduck.outbound.post import PostResult, post
from docduck.outbound.resolving import SYSTEM, Connecting
from docduck.owner import this_process
from docduck.service.core.installation import Installation
from docduck.service.webhooks.delivery_queue import (
    Attempt,
    ClaimedDelivery,
    claim,
    due_webhooks,
    record,
    release,
    release_lost,
)
from docduck.service.webhooks.messages import Message, Unsendable, load_messages
from docduck.service.webhooks.slots import Slots
from docduck.settings import STOP_GRACE_SECONDS

MAX_DELIVERIES = 32
"""Deliveries that a process sends at the same time."""

DELIVERIES_EACH = 8
"""Deliveries to one webhook at the same time; to one that answers slowly, one."""
POLL_SECONDS = 1

T = TypeVar("T")

_log = logging.getLogger(__name__)

_LOST_SECONDS = 10.0
"""How often the claims of lost processes are given up."""
_FIRST_BACK_OFF_SECONDS, _LONGEST_BACK_OFF_SECONDS = 1.0, 60.0
_INTERNAL = "an internal error of the sender"


class Deliverer:
    """Sends the deliveries that are due; ``sent`` counts the attempts."""

    def __init__(self, inst: Installation, connecting: Connecting = SYSTEM) -> None:
        self._inst = inst
        self._connecting = connecting
        self._policy = OutboundPolicy.for_webhooks(inst.settings)
        self._slots = Slots(MAX_DELIVERIES, DELIVERIES_EACH)
        self._owner = this_process()
        self._tasks: dict[asyncio.Task[None], ClaimedDelivery] = {}
        self._attempts: list[Attempt] = []
        self._checked = float("-inf")
        self._back_off = _FIRST_BACK_OFF_SECONDS
        self._ended = threading.Event()
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.sent = 0

    def wake(self) -> None:
        """Look for due deliveries now; to be called from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # The loop has just ended.
                self._loop.call_soon_threadsafe(self._wake.set)

    def end(self) -> None:
        """Make ``run`` return, once the deliveries in progress have ended; to be called from any thread."""
        self._ended.set()
        self.wake()

    async def run(self, *, until_idle: bool = False, seconds: float = float("inf")) -> None:
        """Send what is due until ``end`` is called or ``seconds`` are over; with ``until_idle``, until
        nothing is due.
        """
        self._loop = asyncio.get_running_loop()
        deadline = time.monotonic() + seconds
        # Names are resolved in threads; a slow name server must not keep the others' names waiting.
        self._loop.set_default_executor(ThreadPoolExecutor(MAX_DELIVERIES, "webhook-names"))
        with ThreadPoolExecutor(1, "webhook-catalog") as catalog:
            self._catalog = catalog
            while not self._ended.is_set() and time.monotonic() < deadline:
                self._wake.clear()
                is_idle = await self._turn()
                if is_idle and until_idle:
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._wake.wait()
            await self._finish()

    async def _turn(self) -> bool:
        """Record attempts and begin the next deliveries; return whether there is nothing to do."""
        try:
            await self._record()
            await self._begin()
        except Exception:
            _log.exception("webhooks are not delivered for %g s", self._back_off)
            await asyncio.to_thread(self._ended.wait, self._back_off)
            self._back_off = min(2 * self._back_off, _LONGEST_BACK_OFF_SECONDS)
            return False
        self._back_off = _FIRST_BACK_OFF_SECONDS
        return not self._tasks and not self._attempts

    async def _record(self) -> None:
        attempts = list(self._attempts)
        if attempts:
            await self._in_catalog(lambda: record(self._inst, attempts))
            del self._attempts[: len(attempts)]

    async def _begin(self) -> None:
        if time.monotonic() - self._checked > _LOST_SECONDS:
            await self._in_catalog(lambda: release_lost(self._inst))
            self._checked = time.monotonic()
        shares = self._slots.allot(await self._in_catalog(lambda: due_webhooks(self._inst)))
        if not shares:
            return
        for message in await self._in_catalog(lambda: self._claim(shares)):
            self._slots.start(message.delivery.webhook_id)
            task = asyncio.create_task(self._send(message))
            self._tasks[task] = message.delivery
            task.add_done_callback(self._tasks.pop)

    def _claim(self, shares: dict[str, int]) -> Sequence[Message | Unsendable]:
        claimed = claim(self._inst, shares, self._owner)
        try:
            return load_messages(self._inst, claimed)
        except BaseException:
            release(self._inst, claimed)
            raise

    async def _send(self, message: Message | Unsendable) -> None:
        at, began = clock.now(), time.monotonic()
        try:
            result = await self._post(message)
        except Exception:
            _log.exception("delivery %s can't be sent", message.delivery.id)
            result = PostResult(None, _INTERNAL)
        seconds = time.monotonic() - began
        self._slots.end(message.delivery.webhook_id, seconds)
        attempt = Attempt(message.delivery, at, result.status, seconds, result.error, result.retry_after)
        self._attempts.append(attempt)
        _trace(attempt)
        self.sent += 1
        self._wake.set()

    async def _post(self, message: Message | Unsendable) -> PostResult:
        if isinstance(message, Unsendable):
            return PostResult(None, message.reason)
        headers = message.headers(int(time.time()))
        return await post(message.url, message.body, headers, self._policy, self._connecting)

    async def _finish(self) -> None:
        """Wait a moment for deliveries in progress, record them, and give up the others."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=STOP_GRACE_SECONDS / 4)
        left = dict(self._tasks)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)
        with suppress(Exception):
            await self._record()
            await self._in_catalog(lambda: release(self._inst, left.values()))

    async def _in_catalog(self, work: Callable[[], T]) -> T:
        """Do ``work`` in the thread for the catalog."""
        return await asyncio.get_running_loop().run_in_executor(self._catalog, work)


def _trace(attempt: Attempt) -> None:
    error = str(attempt.status or "no response")
    tracing.record(
        "webhook",
        attempt.delivery.document_id,
        attempt.at,
        error=None if attempt.has_succeeded else error,
        team_id=attempt.delivery.team_id,
        event=attempt.delivery.event,
        delivery_id=attempt.delivery.id,
        status_code=attempt.status,
    )


def deliver_due(inst: Installation, seconds: float, connecting: Connecting = SYSTEM) -> int:
    """Send deliveries until nothing is due, for at most ``seconds``; return how many attempts were made."""
    deliverer = Deliverer(inst, connecting)
    asyncio.run(deliverer.run(until_idle=True, seconds=seconds))
    return deliverer.sent


@contextmanager
def delivering(inst: Installation, connecting: Connecting = SYSTEM) -> Iterator[None]:
    """Send deliveries in a thread during the block."""
    deliverer = Deliverer(inst, connecting)
    thread = threading.Thread(
        target=lambda: asyncio.run(deliverer.run()), name="delivering-webhooks", daemon=True
    )
    forget = listen(inst.catalog.engine, DELIVERIES, lambda _: deliverer.wake())
    thread.start()
    try:
        yield
    finally:
        forget()
        deliverer.end()
        thread.join(timeout=STOP_GRACE_SECONDS / 2)
