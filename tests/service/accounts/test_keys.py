from __future__ import annotations

import datetime as dt
import hashlib
import logging
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from sqlalchemy import event, select

from docduck import clock
from docduck.catalog.models import ApiKey, AuditEntry
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import add_member, create_team, create_user
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.keys import NewKey, authenticate, create_key, list_keys, revoke_key, rotate_key
from docduck.service.accounts.permissions import ALL, PERMISSIONS, ROLES
from docduck.service.core.installation import Installation
from tests.service.core.documents import make_parser


def later(monkeypatch: pytest.MonkeyPatch, **delta: float) -> None:
    moment = clock.now() + dt.timedelta(**delta)
    monkeypatch.setattr(clock, "now", lambda: moment)


def last_used(inst: Installation) -> dt.datetime | None:
    return list_keys(inst, inst.team_id)[0].last_used_at


def test_a_key_opens_its_team_with_all_permissions(any_inst: Installation) -> None:
    made = create_key(any_inst, any_inst.team_id, " ci ")
    assert re.fullmatch(r"docduck_[A-Za-z0-9_-]{43}", made.text)
    assert made.key.name == "ci"
    caller = authenticate(any_inst, made.text)
    assert caller is not None
    assert (caller.team_id, caller.key_id) == (any_inst.team_id, made.key.id)
    assert (caller.permissions, caller.parser_ids) == (frozenset(PERMISSIONS), None)
    assert made.text[8:16] == caller.prefix == made.key.prefix


@pytest.mark.parametrize("change", [str.upper, lambda text: text[:-1], lambda text: text + "a", lambda _: ""])
def test_any_other_text_opens_nothing(inst: Installation, change: type[str]) -> None:
    text = create_key(inst, inst.team_id, "ci").text
    assert authenticate(inst, change(text)) is None
    assert authenticate(inst, "\udcff\0") is None
    assert authenticate(inst, hashlib.sha256(text.encode()).hexdigest()) is None


def test_a_key_is_limited_to_permissions_and_parsers(any_inst: Installation) -> None:
    parser = make_parser(any_inst)
    made = create_key(
        any_inst,
        any_inst.team_id,
        "reader",
        ["documents:write", "documents:read", "documents:read"],
        [parser.id.upper(), parser.id],
    )
    assert made.key.permissions == ("documents:read", "documents:write")
    assert made.key.parser_ids == (parser.id,)
    caller = authenticate(any_inst, made.text)
    assert caller is not None
    assert caller.permissions == {"documents:read", "documents:write"}
    assert caller.parser_ids == frozenset({parser.id})


def test_an_unknown_permission_is_told_with_the_known_ones(inst: Installation) -> None:
    with pytest.raises(InputError, match="Unknown permission: keys:write, parsers:Read") as caught:
        create_key(inst, inst.team_id, "ci", ["parsers:read", "parsers:Read", "keys:write"])
    assert all(name in caught.value.message for name in PERMISSIONS)
    assert list_keys(inst, inst.team_id) == []


def test_parsers_must_be_the_team_s(any_inst: Installation) -> None:
    other = create_team(any_inst, "Others")
    mine, theirs = make_parser(any_inst), make_parser(any_inst, "Theirs", other.id)
    nobodys = new_id()
    with pytest.raises(NotFound) as caught:
        create_key(any_inst, any_inst.team_id, "ci", parser_ids=[mine.id, theirs.id, nobodys, "x"])
    assert caught.value.missing == (("parserId", theirs.id), ("parserId", nobodys), ("parserId", "x"))


def test_what_would_make_a_useless_key_is_refused(inst: Installation) -> None:
    for name, given in (
        ("", {}),
        ("ci", {"permissions": []}),
        ("ci", {"parser_ids": []}),
        ("ci", {"expires_at": clock.now()}),
    ):
        with pytest.raises(InputError):
            create_key(inst, inst.team_id, name, **given)


def test_a_key_knows_which_member_made_it(any_inst: Installation) -> None:
    ann = create_user(any_inst, "ann@example.org", "Ann")
    by = TeamUser(any_inst.team_id, ann.id, ROLES["owner"], None, ann.id, "owner")
    with pytest.raises(NotFound) as caught:
        create_key(any_inst, any_inst.team_id, "ci", by=by)
    assert caught.value.kind == "userId"
    add_member(any_inst, any_inst.team_id, ann.id, "owner")
    made = create_key(any_inst, any_inst.team_id, "ci", by=by)
    with any_inst.catalog.read_session() as session:
        assert session.get_one(ApiKey, made.key.id).created_by == ann.id


def test_an_expired_key_opens_nothing(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    made = create_key(any_inst, any_inst.team_id, "ci", expires_at=clock.now() + dt.timedelta(days=1))
    later(monkeypatch, hours=23)
    assert authenticate(any_inst, made.text) is not None
    later(monkeypatch, hours=1)
    assert authenticate(any_inst, made.text) is None
    assert not made.key.is_valid(clock.now())
    with pytest.raises(Conflict, match="not valid any more"):
        rotate_key(any_inst, any_inst.team_id, made.key.id)


@pytest.mark.parametrize("name", ["id", "prefix", "docduck_prefix", "text"])
def test_a_key_is_revoked_by_any_name_of_it(any_inst: Installation, name: str) -> None:
    made, other = (create_key(any_inst, any_inst.team_id, "ci") for _ in range(2))
    prefix = made.key.prefix
    names = {"id": made.key.id, "prefix": prefix, "docduck_prefix": f"docduck_{prefix}", "text": made.text}
    revoked = revoke_key(any_inst, any_inst.team_id, names[name])
    assert revoked.revoked_at is not None
    assert revoke_key(any_inst, any_inst.team_id, made.key.id).revoked_at == revoked.revoked_at
    assert authenticate(any_inst, made.text) is None
    assert authenticate(any_inst, other.text) is not None
    with any_inst.catalog.read_session() as session:
        acts = session.scalars(select(AuditEntry.action).where(AuditEntry.resource_id == made.key.id)).all()
    assert sorted(acts) == ["key.created", "key.revoked"]


def test_another_team_s_key_is_not_found(any_inst: Installation) -> None:
    other = create_team(any_inst, "Others")
    made = create_key(any_inst, other.id, "theirs")
    for ref in (made.key.id, made.key.prefix, made.text):
        with pytest.raises(NotFound) as caught:
            revoke_key(any_inst, any_inst.team_id, ref)
        assert made.text not in f"{caught.value} {caught.value.value}"
        with pytest.raises(NotFound):
            rotate_key(any_inst, any_inst.team_id, ref)
    assert authenticate(any_inst, made.text) is not None
    assert list_keys(any_inst, any_inst.team_id) == []


def test_a_rotated_key_ends_at_once_or_after_its_grace(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(any_inst)
    end = clock.now() + dt.timedelta(days=9)
    first = create_key(any_inst, any_inst.team_id, "ci", ["documents:read"], [parser.id], end)
    second = rotate_key(any_inst, any_inst.team_id, first.key.prefix)
    assert authenticate(any_inst, first.text) is None
    before, after = first.key, second.key
    assert (after.name, after.permissions, after.parser_ids, after.expires_at) == (
        before.name,
        before.permissions,
        before.parser_ids,
        before.expires_at,
    )
    third = rotate_key(any_inst, any_inst.team_id, second.key.id, grace_seconds=60)
    later(monkeypatch, seconds=59)
    assert authenticate(any_inst, second.text) is not None
    later(monkeypatch, seconds=2)
    assert authenticate(any_inst, second.text) is None
    assert authenticate(any_inst, third.text) is not None


def test_a_key_is_rotated_once_by_two_at_a_time(any_inst: Installation) -> None:
    made = [create_key(any_inst, any_inst.team_id, "ci") for _ in range(5)]
    begin = threading.Barrier(2)

    def rotate(made_key: NewKey) -> bool:
        begin.wait(10)
        with suppress(Conflict):
            rotate_key(any_inst, any_inst.team_id, made_key.key.id)
            return True
        return False

    with ThreadPoolExecutor(2) as threads:
        for key in made:
            assert sorted(threads.map(rotate, [key, key])) == [False, True]


def test_a_grace_never_makes_a_key_last_longer(any_inst: Installation) -> None:
    end = clock.now() + dt.timedelta(seconds=30)
    made = create_key(any_inst, any_inst.team_id, "ci", expires_at=end)
    rotate_key(any_inst, any_inst.team_id, made.key.id, grace_seconds=3600)
    old = next(one for one in list_keys(any_inst, any_inst.team_id) if one.id == made.key.id)
    assert old.expires_at == end
    with pytest.raises(InputError, match="grace"):
        rotate_key(any_inst, any_inst.team_id, made.key.id, grace_seconds=-1)


def test_uses_are_noted_once_a_minute(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    text = create_key(any_inst, any_inst.team_id, "ci").text
    begin = clock.now()
    for seconds in (0, 59, 61):
        monkeypatch.setattr(clock, "now", lambda at=seconds: begin + dt.timedelta(seconds=at))
        authenticate(any_inst, text)
        any_inst.key_uses.close()
        noted = last_used(any_inst)
        assert noted is not None
        assert (noted - begin).total_seconds() == (61 if seconds == 61 else 0)


def test_a_request_does_not_wait_for_its_use_to_be_noted(inst: Installation) -> None:
    text = create_key(inst, inst.team_id, "ci").text
    with inst.catalog.transaction():
        # Whoever holds the catalog's writer keeps the use waiting, and nothing else.
        assert authenticate(inst, text) is not None
        assert last_used(inst) is None
    inst.key_uses.close()
    assert last_used(inst) is not None


def test_a_key_is_found_by_one_indexed_read(any_inst: Installation) -> None:
    text = create_key(any_inst, any_inst.team_id, "ci").text
    authenticate(any_inst, text)
    any_inst.key_uses.close()
    asked: list[str] = []

    def remember(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        asked.append(statement)

    event.listen(any_inst.catalog.engine, "before_cursor_execute", remember)
    assert authenticate(any_inst, text) is not None
    event.remove(any_inst.catalog.engine, "before_cursor_execute", remember)
    assert len([one for one in asked if not one.startswith("BEGIN")]) == 1
    if any_inst.catalog.is_sqlite:
        with any_inst.catalog.engine.connect() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked[-1]}", ("x",)).all()
        assert "USING INDEX" in plan[0][3]


def test_the_text_of_a_key_is_nowhere(inst: Installation, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    made = create_key(inst, inst.team_id, "ci")
    authenticate(inst, made.text)
    new = rotate_key(inst, inst.team_id, made.text, 60)
    with pytest.raises(NotFound):
        revoke_key(inst, create_team(inst, "Others").id, made.text)
    inst.close()
    secret = made.text.removeprefix("docduck_")
    assert secret not in repr(made) + repr(new) + caplog.text
    files = [path for path in inst.settings.home.rglob("*") if path.is_file()]
    assert any(made.key.prefix.encode() in path.read_bytes() for path in files)
    assert not any(secret[8:].encode() in path.read_bytes() for path in files)
    assert not any(new.text[16:].encode() in path.read_bytes() for path in files)


def test_the_roles_are_contract_d_s() -> None:
    assert ROLES["owner"] == ROLES["admin"] == ALL
    assert ROLES["member"] == ALL - {"audit:read"}
    assert ROLES["reviewer"] == {"documents:read", "reviews:write"}
    assert len(PERMISSIONS) == 15
