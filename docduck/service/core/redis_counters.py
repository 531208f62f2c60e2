"""Counters of requests in Redis, for an API that runs on several hosts."""

from __future__ import annotations

import logging
from typing import Any

from docduck.errors import InputError, Transient
from docduck.service.core.rate_counters import Counts, Limits

_log = logging.getLogger(__name__)
_KEPT_SECONDS = 2 * 86_400
# The same rules as ``rate_counters._TAKE``. Redis runs a script atomically.
_TAKE = f"""
local minute, day = tonumber(ARGV[1]), tonumber(ARGV[2])
local most_minute, most_day = tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'minute', 'minute_count', 'day', 'day_count')
local in_minute, in_day = 0, 0
if kept[1] and tonumber(kept[1]) >= minute and tonumber(kept[1]) <= minute + 1 then
    minute, in_minute = tonumber(kept[1]), tonumber(kept[2])
end
if kept[3] and tonumber(kept[3]) >= day and tonumber(kept[3]) <= day + 1 then
    day, in_day = tonumber(kept[3]), tonumber(kept[4])
end
if (most_minute > 0 and in_minute >= most_minute) or (most_day > 0 and in_day >= most_day) then
    return {{0, minute, in_minute, day, in_day}}
end
redis.call('HSET', KEYS[1], 'minute', minute, 'minute_count', in_minute + 1,
    'day', day, 'day_count', in_day + 1)
redis.call('EXPIRE', KEYS[1], {_KEPT_SECONDS})
return {{1, minute, in_minute + 1, day, in_day + 1}}
"""
_GIVE_BACK = """
local kept = redis.call('HMGET', KEYS[1], 'minute', 'minute_count', 'day', 'day_count')
if kept[1] == ARGV[1] and kept[3] == ARGV[2] and tonumber(kept[2]) > 0 and tonumber(kept[4]) > 0 then
    redis.call('HINCRBY', KEYS[1], 'minute_count', -1)
    redis.call('HINCRBY', KEYS[1], 'day_count', -1)
end
"""


class RedisCounters:
    """Counters in Redis, a hash per key.

    While Redis can't be reached, requests are refused with 503 rather than passed uncounted.
    """

    def __init__(self, address: str, seconds: float) -> None:
        """Raise InputError if the address is wrong or the client package is not installed."""
        try:
            import redis
        except ImportError as error:
            raise InputError(
                "DOCDUCK_RATE_LIMIT_REDIS_URL needs the package redis: install docduck[redis]",
                "DOCDUCK_RATE_LIMIT_REDIS_URL",
            ) from error
        self._failures: tuple[type[Exception], ...] = (redis.RedisError, OSError)
        try:
            self._client: Any = redis.Redis.from_url(
                address, socket_timeout=seconds, socket_connect_timeout=seconds
            )
        except ValueError:
            # Without the cause, which may contain the address with its password.
            raise InputError(
                "DOCDUCK_RATE_LIMIT_REDIS_URL is no address of Redis; write it as redis://host:6379/0",
                "DOCDUCK_RATE_LIMIT_REDIS_URL",
            ) from None
        self._take = self._client.register_script(_TAKE)
        self._give_back = self._client.register_script(_GIVE_BACK)

    def take(self, key_id: str, minute: int, day: int, limits: Limits) -> Counts:
        taken, *counts = self._run(self._take, key_id, minute, day, limits.minute, limits.day)
        return Counts(bool(taken), *(int(count) for count in counts))

    def give_back(self, key_id: str, counts: Counts) -> None:
        self._run(self._give_back, key_id, counts.minute, counts.day)

    def forget_before(self, day: int) -> int:
        # Redis expires the keys itself.
        return 0

    def close(self) -> None:
        self._client.close()

    def _run(self, script: Any, key_id: str, *arguments: int) -> Any:
        try:
            return script(keys=[f"docduck:rate:{key_id}"], args=arguments)
        except self._failures as error:
            _log.error("Redis can't count requests, and so none is let through: %s", type(error).__name__)
            raise Transient("Requests can't be counted for the moment") from error
