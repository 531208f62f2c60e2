from __future__ import annotations

import pytest
from sqlalchemy import select

from docduck.catalog.models import User
from docduck.errors import Conflict, InputError, NotFound
from docduck.ids import new_id
from docduck.service.accounts.accounts import (
    Member,
    add_member,
    check_password,
    create_team,
    create_user,
    find_member,
    get_team,
    list_teams,
    list_users,
    members,
    rename_team,
)
from docduck.service.core.installation import Installation

PASSWORD = "correct horse battery"


def test_teams_are_made_listed_and_renamed(any_inst: Installation) -> None:
    made = create_team(any_inst, " Müller & Söhne ")
    assert (made.name, made.slug) == ("Müller & Söhne", "muller_and_sohne")
    chosen = create_team(any_inst, "Acme", "acme_2")
    assert [one.slug for one in list_teams(any_inst)] == ["default", made.slug, "acme_2"]
    renamed = rename_team(any_inst, "acme_2", "Acme Corp.")
    assert (renamed.id, renamed.slug, renamed.name) == (chosen.id, "acme_2", "Acme Corp.")
    assert get_team(any_inst, chosen.id) == get_team(any_inst, "acme_2") == renamed
    with pytest.raises(NotFound, match="Team not found"):
        get_team(any_inst, "Acme Corp.")
    with pytest.raises(Conflict, match="slug 'muller_and_sohne' exists"):
        create_team(any_inst, "MÜLLER & söhne")


def test_bad_names_passwords_and_addresses_are_refused(inst: Installation) -> None:
    for name, slug in ((" ", None), ("x" * 201, None), ("A", "A b"), ("A", ""), ("A", "a" * 51)):
        with pytest.raises(InputError):
            create_team(inst, name, slug)
    for password in ("", "elevenchars", "x" * 1025):
        with pytest.raises(InputError, match="12 to 1024 characters"):
            create_user(inst, "ann@example.org", "Ann", password)
    for email in ("", "ann", "ann@", "@b", "a b@c.d", "a@b@c", "a@b\x07.c", "a" * 320 + "@b.c"):
        with pytest.raises(InputError, match="no e-mail address"):
            create_user(inst, email, "Ann")
    assert list_users(inst) == []


def test_people_sign_in_by_their_password(any_inst: Installation) -> None:
    ann = create_user(any_inst, " Ann@Example.org", "Ann", PASSWORD)
    bob = create_user(any_inst, "bob@example.org", "Bob")
    assert (ann.email, ann.has_password, bob.has_password) == ("ann@example.org", True, False)
    assert check_password(any_inst, "ANN@example.org ", PASSWORD) == ann.id
    assert check_password(any_inst, "ann@example.org", PASSWORD + "!") is None
    assert check_password(any_inst, "ann@example.org", "x" * 100_000) is None
    assert check_password(any_inst, "bob@example.org", "") is None
    assert check_password(any_inst, "bob@example.org", "nobody's") is None
    assert check_password(any_inst, "eve@example.org", PASSWORD) is None
    with any_inst.catalog.read_session() as session:
        kept = session.scalars(select(User.password_hash).where(User.id == ann.id)).one()
    assert kept is not None and kept.startswith("$argon2id$") and PASSWORD not in kept
    with pytest.raises(Conflict, match=r"ann@example\.org exists"):
        create_user(any_inst, "ANN@example.org", "Another Ann")


def test_members_have_roles_in_their_teams_and_are_found_there_alone(any_inst: Installation) -> None:
    other = create_team(any_inst, "Others")
    ann, bob = (create_user(any_inst, f"{name.lower()}@example.org", name) for name in ("Ann", "Bob"))
    add_member(any_inst, any_inst.team_id, ann.id, "owner")
    add_member(any_inst, any_inst.team_id, " BOB@example.org", "member")
    add_member(any_inst, any_inst.team_id, bob.id, "reviewer")
    add_member(any_inst, other.id, bob.id, "admin")
    assert members(any_inst, any_inst.team_id) == [
        Member(ann.id, "Ann", "ann@example.org", "owner"),
        Member(bob.id, "Bob", "bob@example.org", "reviewer"),
    ]
    assert [one.email for one in list_users(any_inst, other.id)] == ["bob@example.org"]
    assert list_users(any_inst)[1].teams == (("default", "reviewer"), ("others", "admin"))
    with pytest.raises(InputError, match=r"Unknown role: king\. Known: owner, admin, member, reviewer"):
        add_member(any_inst, any_inst.team_id, ann.id, "king")
    for team_id, user, kind in (
        (any_inst.team_id, new_id(), "userId"),
        (any_inst.team_id, "eve@example.org", "userId"),
        (new_id(), ann.id, "teamId"),
    ):
        with pytest.raises(NotFound) as caught:
            add_member(any_inst, team_id, user, "member")
        assert caught.value.kind == kind
    with any_inst.catalog.read_session() as session:
        assert find_member(session, other.id, bob.id.upper()).name == "Bob"
        for user_id in (ann.id, new_id(), "bob@example.org"):
            for kind, message in (("reviewerId", "Reviewer not found"), ("assigneeId", "Assignee not found")):
                with pytest.raises(NotFound, match=message) as caught:
                    find_member(session, other.id, user_id, kind)
                assert caught.value.missing == ((kind, user_id),)
    # A team's only owner stays owner.
    with pytest.raises(Conflict, match="only owner"):
        add_member(any_inst, any_inst.team_id, ann.id, "member")
    assert add_member(any_inst, any_inst.team_id, ann.id, "owner").role == "owner"
    add_member(any_inst, any_inst.team_id, bob.id, "owner")
    assert add_member(any_inst, any_inst.team_id, ann.id, "member").role == "member"
