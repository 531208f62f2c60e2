"""What is dear to make and the same in every test, made once in each process of the tests.

An installation of a test's own has an engine of its own, which would compile every statement anew, and every
client of HTTP would load the machine's certificates.
Hashes of passwords are dear on purpose; here they are not.
"""

from __future__ import annotations

import functools
import os
import ssl
from typing import Any

import httpx
from argon2 import PasswordHasher
from httpx._transports import default as transports
from sqlalchemy import Engine, event
from sqlalchemy.dialects.postgresql.psycopg2 import PGDialect_psycopg2
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from docduck.service.accounts import passwords

_STATEMENTS: LRUCache[Any, Any] = LRUCache(5000)
_TRUSTED = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""Variables that say which certificates are trusted."""


def share() -> None:
    """Share compiled statements between all engines, and certificates between all clients; hash cheaply."""
    for dialect in (SQLiteDialect_pysqlite, PGDialect_psycopg2):
        # A compiled statement is kept for a dialect, of which each engine has its own.
        dialect.__eq__ = _same_kind  # type: ignore[method-assign]
        dialect.__hash__ = _kind_hash  # type: ignore[method-assign, assignment]
    event.listen(Engine, "engine_connect", _share_statements)
    vars(transports)["create_ssl_context"] = _ssl_context
    vars(passwords)["PasswordHasher"] = _cheap_hasher


def _same_kind(dialect: object, other: object) -> bool:
    return type(dialect) is type(other)


def _kind_hash(dialect: object) -> int:
    return hash(type(dialect))


def _share_statements(connection: Any) -> None:
    connection.engine._compiled_cache = _STATEMENTS


def _cheap_hasher() -> PasswordHasher:
    """Take no arguments: docduck hashes at the library's own cost."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def _ssl_context(
    verify: ssl.SSLContext | str | bool = True, cert: Any = None, trust_env: bool = True
) -> ssl.SSLContext:
    if verify is not True or cert is not None:
        return httpx.create_ssl_context(verify, cert, trust_env)
    return _trusting(trust_env, *(os.environ.get(name) for name in _TRUSTED))


@functools.cache
def _trusting(trust_env: bool, *_variables: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=trust_env)
