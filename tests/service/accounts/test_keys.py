from __future__ import annotations

import datetime as dt
import hashlib
import logging
import re
from functools import partial

import pytest

from docduck import clock
from docduck.catalog.models import ApiKey
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import add_member, create_team, create_user
from docduck.service.accounts.caller import TeamUser
from docduck.service.accounts.keys import NewKey, authenticate, create_key, list_keys, revoke_key, rotate_key
from docduck.service.accounts.permissions import ALL, PERMISSIONS, ROLES
from docduck.service.core.installation import Installation
from tests.service.core.at_once import at_once
from tests.service.core.catalog import audited, statements
from tests.service.core.documents import make_parser


def later(monkeypatch: pytest.MonkeyPatch, **delta: float) -> None:
    moment = clock.now() + dt.timedelta(**delta)
    monkeypatch.setattr(clock, "now", lambda: moment)


def last_used(inst: Installation) -> dt.datetime | None:
    return list_keys(inst, inst.team_id)[0].last_used_at


def test_a_key_opens_its_team_with_all_permissions_by_its_text_alone(any_inst: Installation) -> None:
    made = create_key(any_inst, any_inst.team_id, " ci ")
    assert re.fullmatch(r"docduck_[A-Za-z0-9_-]{43}", made.text)
    assert made.key.name == "ci"
    caller = authenticate(any_inst, made.text)
    assert caller is not None
    assert (caller.team_id, caller.key_id) == (any_inst.team_id, made.key.id)
    assert (caller.permissions, caller.parser_ids) == (frozenset(PERMISSIONS), None)
    assert made.text[8:16] == caller.prefix == made.key.prefix
    digest = hashlib.sha256(made.text.encode()).hexdigest()
    for text in (made.text.upper(), made.text[:-1], made.text + "a", "", "\udcff\0", digest):
        assert authenticate(any_inst, text) is None


def test_a_key_is_limited_to_permissions_and_parsers_and_knows_who_made_it(inst: Installation) -> None:
    parser = make_parser(inst)
    permissions = ["documents:write", "documents:read", "documents:read"]
    made = create_key(inst, inst.team_id, "reader", permissions, [parser.id.upper(), parser.id])
    assert made.key.permissions == ("documents:read", "documents:write")
    assert made.key.parser_ids == (parser.id,)
    caller = authenticate(inst, made.text)
    assert caller is not None
    assert caller.permissions == {"documents:read", "documents:write"}
    assert caller.parser_ids == frozenset({parser.id})
    ann = create_user(inst, "ann@example.org", "Ann")
    by = TeamUser(inst.team_id, ann.id, ROLES["owner"], None, ann.id, "owner")
    with pytest.raises(NotFound) as caught:
        create_key(inst, inst.team_id, "ci", by=by)
    assert caught.value.kind == "userId"
    add_member(inst, inst.team_id, ann.id, "owner")
    made = create_key(inst, inst.team_id, "ci", by=by)
    with inst.catalog.read_session() as session:
        assert session.get_one(ApiKey, made.key.id).created_by == ann.id


def test_keys_that_nobody_could_use_are_refused(any_inst: Installation) -> None:
    inst, other = any_inst, create_team(any_inst, "Others")
    with pytest.raises(InputError, match="Unknown permission: keys:write, parsers:Read") as unknown:
        create_key(inst, inst.team_id, "ci", ["parsers:read", "parsers:Read", "keys:write"])
    assert all(name in unknown.value.message for name in PERMISSIONS)
    mine, theirs = make_parser(inst), make_parser(inst, "Theirs", other.id)
    nobodys = new_id()
    with pytest.raises(NotFound) as caught:
        create_key(inst, inst.team_id, "ci", parser_ids=[mine.id, theirs.id, nobodys, "x"])
    assert caught.value.missing == (("parserId", theirs.id), ("parserId", nobodys), ("parserId", "x"))
    for name, given in (
        ("", {}),
        ("ci", {"permissions": []}),
        ("ci", {"parser_ids": []}),
        ("ci", {"expires_at": clock.now()}),
    ):
        with pytest.raises(InputError):
            create_key(inst, inst.team_id, name, **given)
    assert list_keys(inst, inst.team_id) == []


def test_an_expired_key_opens_nothing(any_inst: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    made = create_key(any_inst, any_inst.team_id, "ci", expires_at=clock.now() + dt.timedelta(days=1))
    later(monkeypatch, hours=23)
    assert authenticate(any_inst, made.text) is not None
    later(monkeypatch, hours=1)
    assert authenticate(any_inst, made.text) is None
    assert not made.key.is_valid(clock.now())
    with pytest.raises(Conflict, match="not valid any more"):
        rotate_key(any_inst, any_inst.team_id, made.key.id)


def test_a_key_is_revoked_by_any_name_of_it_but_not_by_another_team(any_inst: Installation) -> None:
    stranger, other = create_team(any_inst, "Others").id, create_key(any_inst, any_inst.team_id, "other")
    assert list_keys(any_inst, stranger) == []
    for name in ("{id}", "{prefix}", "docduck_{prefix}", "{text}"):
        made = create_key(any_inst, any_inst.team_id, "ci")
        ref = name.format(id=made.key.id, prefix=made.key.prefix, text=made.text)
        for act in (revoke_key, rotate_key):
            with pytest.raises(NotFound) as caught:
                act(any_inst, stranger, ref)
            assert made.text not in f"{caught.value} {caught.value.value}"
        assert authenticate(any_inst, made.text) is not None
        revoked = revoke_key(any_inst, any_inst.team_id, ref)
        assert revoked.revoked_at is not None
        assert revoke_key(any_inst, any_inst.team_id, made.key.id).revoked_at == revoked.revoked_at
        assert authenticate(any_inst, made.text) is None
        log = [(action, details.get("changed")) for _, action, details in audited(any_inst)[-2:]]
        assert log == [("key.created", None), ("key.revoked", ["revokedAt"])]
    assert authenticate(any_inst, other.text) is not None


def test_a_rotated_key_ends_at_once_or_after_its_grace_and_never_lasts_longer(
    any_inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = make_parser(any_inst)
    end = clock.now() + dt.timedelta(days=9)
    first = create_key(any_inst, any_inst.team_id, "ci", ["documents:read"], [parser.id], end)
    second = rotate_key(any_inst, any_inst.team_id, first.key.prefix)
    assert authenticate(any_inst, first.text) is None
    for name in ("name", "permissions", "parser_ids", "expires_at"):
        assert getattr(second.key, name) == getattr(first.key, name)
    with pytest.raises(InputError, match="grace"):
        rotate_key(any_inst, any_inst.team_id, second.key.id, grace_seconds=-1)
    third = rotate_key(any_inst, any_inst.team_id, second.key.id, grace_seconds=60)
    later(monkeypatch, seconds=59)
    assert authenticate(any_inst, second.text) is not None
    later(monkeypatch, seconds=2)
    assert authenticate(any_inst, second.text) is None
    assert authenticate(any_inst, third.text) is not None
    fourth = rotate_key(any_inst, any_inst.team_id, third.key.id, grace_seconds=90 * 86_400)
    ends = {one.id: one.expires_at for one in list_keys(any_inst, any_inst.team_id)}
    assert ends[third.key.id] == ends[fourth.key.id] == end


def test_a_key_is_rotated_once_by_two_at_a_time(any_inst: Installation) -> None:
    for _ in range(5):
        key = create_key(any_inst, any_inst.team_id, "ci").key
        made = at_once(*[partial(rotate_key, any_inst, any_inst.team_id, key.id)] * 2)
        assert {type(one) for one in made} == {Conflict, NewKey}


def test_uses_are_noted_once_a_minute_without_making_requests_wait(
    inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = create_key(inst, inst.team_id, "ci").text
    begin = clock.now()
    monkeypatch.setattr(clock, "now", lambda: begin)
    with inst.catalog.transaction():
        # Whoever holds the catalog's writer keeps the use waiting, and nothing else.
        assert authenticate(inst, text) is not None
        assert last_used(inst) is None
    for seconds in (0, 59, 61):
        monkeypatch.setattr(clock, "now", lambda at=seconds: begin + dt.timedelta(seconds=at))
        authenticate(inst, text)
        inst.key_uses.close()
        noted = last_used(inst)
        assert noted is not None
        assert (noted - begin).total_seconds() == (61 if seconds == 61 else 0)


def test_a_key_is_found_by_one_indexed_read(any_inst: Installation) -> None:
    text = create_key(any_inst, any_inst.team_id, "ci").text
    authenticate(any_inst, text)
    any_inst.key_uses.close()
    with statements(any_inst) as asked:
        assert authenticate(any_inst, text) is not None
    assert len(asked) == 1
    if any_inst.catalog.is_sqlite:
        with any_inst.catalog.engine.connect() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {asked[-1]}", ("x",)).all()
        assert "USING INDEX" in plan[0][3]


def test_the_text_of_a_key_is_nowhere(inst: Installation, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    made = create_key(inst, inst.team_id, "ci", ["documents:read"])
    authenticate(inst, made.text)
    new = rotate_key(inst, inst.team_id, made.text, 60)
    with pytest.raises(NotFound):
        revoke_key(inst, create_team(inst, "Others").id, made.text)
    log = {action: details for _, action, details in audited(inst)}
    assert log["key.created"]["permissions"] == ["documents:read"]
    rotated = log["key.rotated"]
    assert (rotated["changed"], rotated["before"]) == (["expiresAt"], {"expiresAt": None})
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
