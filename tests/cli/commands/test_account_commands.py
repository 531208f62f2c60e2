from __future__ import annotations

import io

import pytest

from docduck.service.accounts.accounts import check_password
from docduck.service.accounts.keys import authenticate
from docduck.service.accounts.password_reset import find_reset
from docduck.service.core.installation import Installation
from docduck.service.oauth.tokens import check_access_token
from tests.cli.conftest import Docduck
from tests.service.oauth.test_tokens import RESOURCE, connected


def test_a_key_is_shown_once_and_alone_for_scripts(docduck: Docduck, inst: Installation) -> None:
    said = docduck("keys", "create", "my script")
    assert (said.code, said.err) == (0, "Store the key 'my script' safely: it is not shown again.\n")
    assert authenticate(inst, said.out.strip())
    quiet = docduck("keys", "create", "ci", "--quiet")
    assert (quiet.code, quiet.err, len(quiet.out)) == (0, "", len("docduck_") + 43 + 1)
    made = docduck("keys", "create", "json", "--json").json
    assert authenticate(inst, made["text"])
    listed = docduck("keys", "list")
    assert f"docduck_{made['prefix']}" in listed.out
    for key in (said.out.strip(), quiet.out.strip(), made["text"]):
        assert key[16:] not in listed.out + docduck("keys", "list", "--json").out


def test_a_key_may_be_limited(docduck: Docduck) -> None:
    docduck("parsers", "add", "--template", "receipt")
    made = docduck(
        *("keys", "create", "reader", "--permission", "documents:read", "--permission", "exports:read"),
        *("--parser", "receipts", "--expires-in-days", "30", "--json"),
    ).json
    assert made["permissions"] == ["documents:read", "exports:read"]
    assert made["parserIds"] == [docduck("parsers", "list", "--json").json[0]["id"]]
    assert made["expiresAt"] is not None
    wrong = docduck("keys", "create", "reader", "--permission", "all")
    assert wrong.code == 2
    assert "Unknown permission: all. Known: parsers:read, parsers:write" in wrong.err
    unknown = docduck("keys", "create", "reader", "--parser", "bills")
    assert (unknown.code, unknown.err) == (
        2,
        "Error: Parser not found: bills (docduck parsers list shows all)\n",
    )
    assert docduck("keys", "create", "reader", "--expires-in-days", "0").code == 2
    assert docduck("keys", "create", "reader", "--quiet", "--json").code == 2
    assert len(docduck("keys", "list", "--json").json) == 1


def test_keys_are_rotated_and_revoked(docduck: Docduck, inst: Installation) -> None:
    first = docduck("keys", "create", "ci", "--quiet").out.strip()
    second = docduck("keys", "rotate", first[:16], "--grace-seconds", "600", "--quiet").out.strip()
    assert authenticate(inst, first)
    assert authenticate(inst, second)
    third = docduck("keys", "rotate", first[:16], "--json").json["text"]
    assert not authenticate(inst, first)
    said = docduck("keys", "revoke", second[8:16] if second[8] != "-" else second[:16])
    assert (said.code, said.out) == (0, f"Key ci ({second[:16]}) is revoked\n")
    assert not authenticate(inst, second)
    states = {one["prefix"]: one["revokedAt"] for one in docduck("keys", "list", "--json").json}
    assert states[third[8:16]] is None
    assert states[first[8:16]] and states[second[8:16]]
    again = docduck("keys", "rotate", second[:16])
    assert (again.code, "not valid any more" in again.err) == (2, True)
    nothing = docduck("keys", "revoke", "docduck_nothing1")
    assert (nothing.code, nothing.err) == (
        2,
        "Error: Key not found: nothing1 (docduck keys list shows all)\n",
    )


def test_keys_belong_to_their_team(docduck: Docduck) -> None:
    assert docduck("teams", "create", "Acme").code == 0
    made = docduck("keys", "create", "ci", "--team", "acme", "--json").json
    assert docduck("keys", "list", "--json").json == []
    assert [one["id"] for one in docduck("keys", "list", "--team", "acme", "--json").json] == [made["id"]]
    assert docduck("keys", "revoke", made["id"]).code == 2
    assert docduck("keys", "revoke", made["id"], "--team", "acme").code == 0
    unknown = docduck("keys", "list", "--team", "nobody")
    assert (unknown.code, unknown.err) == (
        2,
        "Error: Team not found: nobody (docduck teams list shows all)\n",
    )


def test_teams_are_made_and_renamed(docduck: Docduck) -> None:
    assert docduck("teams", "create", "Acme [red] Corp", "--slug", "acme").code == 0
    assert docduck("teams", "create", "Acme").code == 2
    assert docduck("teams", "rename", "acme", "Acme & Co").out == "Team acme is now named Acme & Co\n"
    assert [(one["slug"], one["name"]) for one in docduck("teams", "list", "--json").json] == [
        ("default", "Default"),
        ("acme", "Acme & Co"),
    ]
    assert "Acme & Co" in docduck("teams", "list").out


def test_teams_are_limited(docduck: Docduck) -> None:
    said = docduck("teams", "limit", "default", "--weight", "4", "--documents-per-day", "1000")
    assert said.out == "Team default has weight 4 and a quota of 1,000 documents a day\n"
    said = docduck("teams", "limit", "default", "--documents-per-day", "0")
    assert said.out == "Team default has weight 4 and no quota\n"
    for wrong in (("--weight", "0"), ("--weight", "1001"), ("--documents-per-day", "-1")):
        assert docduck("teams", "limit", "default", *wrong).code == 2
    (team,) = docduck("teams", "list", "--json").json
    assert (team["weight"], team["documentsPerDay"], team["documentsToday"]) == (4, None, None)


def test_people_are_made_and_taken_into_teams(
    docduck: Docduck, inst: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a long password \r\nmore"))
    made = docduck("users", "create", "Ann@example.org", "Ann", "--password", "--json")
    assert made.json["hasPassword"] is True
    assert "long password" not in made.out
    assert check_password(inst, "ann@example.org", "a long password ") == made.json["id"]
    assert docduck("users", "create", "bob@example.org", "Bob").code == 0
    assert docduck("users", "create", "bob@example.org", "Bob").code == 2
    added = docduck("users", "add", "ann@example.org", "--role", "owner")
    assert (added.code, added.out) == (0, "ann@example.org is owner of team default\n")
    assert "default: owner" in docduck("users", "list").out
    assert [one["email"] for one in docduck("users", "list", "--team", "default", "--json").json] == [
        "ann@example.org"
    ]
    assert docduck("users", "add", "bob@example.org", "--role", "king").code == 2
    assert "only owner" in docduck("users", "remove", "ann@example.org").err
    assert docduck("users", "add", "bob@example.org", "--role", "member").code == 0
    removed = docduck("users", "remove", "bob@example.org")
    assert removed.out == "bob@example.org is no longer in team default\n"
    assert docduck("users", "remove", "bob@example.org").code == 2
    unknown = docduck("users", "add", "eve@example.org", "--role", "member")
    assert (unknown.code, unknown.err) == (
        2,
        "Error: User not found: eve@example.org (docduck users list shows all)\n",
    )


def test_a_link_to_set_a_password_is_printed(docduck: Docduck, inst: Installation) -> None:
    made = docduck("users", "create", "ann@example.org", "Ann", "--role", "owner", "--json").json
    assert made["teams"] == [["default", "owner"]]
    ran = docduck("users", "reset-password", "ann@example.org")
    assert ran.out.startswith("http://127.0.0.1:8000/password-reset/")
    assert "ann@example.org can set a password there once" in ran.err
    token = ran.out.strip().rpartition("/")[2]
    assert find_reset(inst, token) == "ann@example.org"
    assert docduck("users", "reset-password", "ann@example.org", "--json").json["link"] != ran.out.strip()
    assert docduck("users", "reset-password", "bob@example.org").code == 2
    assert docduck("users", "create", "bob@example.org", "Bob", "--team", "default").code == 2
    assert docduck("users", "create", "bob@example.org", "Bob", "--role", "king").code == 2
    assert len(docduck("users", "list", "--json").json) == 1


def test_connections_are_listed_and_ended(docduck: Docduck, inst: Installation) -> None:
    text = connected(inst).access
    (shown,) = docduck("connections", "list", "--json").json
    assert (shown["client"], shown["email"]) == ("A program without a name", "ann@example.org")
    assert "ann@example.org" in docduck("connections", "list").out
    ended = docduck("connections", "revoke", shown["id"])
    assert ended.code == 0
    assert ended.out == "A program without a name is disconnected from ann@example.org\n"
    assert check_access_token(inst, text, RESOURCE) is None
    again = docduck("connections", "revoke", shown["id"])
    assert again.code == 2
    assert "docduck connections list shows all" in again.err
