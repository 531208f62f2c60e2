"""The pages of a team: its name, members, invitations and keys."""

from __future__ import annotations

import re

from docduck.service.accounts.accounts import get_team, members
from docduck.service.accounts.audit_log import find_audit_entries
from docduck.service.accounts.keys import authenticate, list_keys
from docduck.service.accounts.permissions import ALL
from tests.conftest import MakeInstallation
from tests.server.served import Api, serving
from tests.web.browser import PASSWORD, Browser, member


def actions(api: Api) -> list[str]:
    """What the audit log tells, oldest first."""
    return [entry.action for entry in reversed(find_audit_entries(api.inst, api.inst.team_id).rows)]


def shown(page: str, id: str) -> str:
    found = re.search(rf'<code id="{id}">([^<]+)</code>', page)
    assert found is not None, page
    return found[1]


def test_the_team_is_renamed(api: Api, owner: Browser) -> None:
    assert owner.submit("/team", name="Accounting").status_code == 303
    assert "<h1>Team Accounting</h1>" in owner.get("/team").text
    assert get_team(api.inst, api.inst.team_id).name == "Accounting"


def test_roles_are_changed_and_members_removed(api: Api, owner: Browser) -> None:
    ann = member(api.inst, "ann", "admin")
    with Browser(api.address) as admin:
        admin.enter(api.inst, ann)
        admin.submit("/team/keys", name="mine", permissions=sorted(ALL))
        key = shown(admin.submit("/team/keys", name="mine", permissions=sorted(ALL)).text, "new-key")
        found = authenticate(api.inst, key)
        assert found is not None and found.permissions == ALL
        (me,) = (one.id for one in members(api.inst, api.inst.team_id) if one.role == "owner")
        assert admin.submit(f"/team/members/{me}/role", role="member").status_code == 403
        assert admin.submit(f"/team/members/{me}/remove").status_code == 403
        assert admin.submit(f"/team/members/{ann}/role", role="owner").status_code == 403
        assert admin.submit("/team/invitations", email="c@example.org", role="owner").status_code == 403
        assert owner.submit(f"/team/members/{ann}/role", role="king").status_code == 400
        assert owner.submit(f"/team/members/{ann}/role", role="reviewer").status_code == 303
        assert admin.get("/team/members").status_code == 403, "at once"
        found = authenticate(api.inst, key)
        assert found is not None and found.permissions == {"documents:read", "reviews:write"}
        alone = owner.submit(f"/team/members/{me}/role", role="admin")
        assert (alone.status_code, "is the only owner" in alone.text) == (409, True)
        assert owner.submit(f"/team/members/{ann}/remove").status_code == 303
        assert authenticate(api.inst, key) is None
        assert "You are in no team yet" in admin.get("/").text
    assert [one.role for one in members(api.inst, api.inst.team_id)] == ["owner"]
    told = actions(api)
    assert [one for one in told if one.startswith("member.")] == [
        "member.added",
        "member.added",
        "member.updated",
        "member.removed",
    ]


def test_a_new_person_accepts_an_invitation(api: Api, owner: Browser) -> None:
    page = owner.submit("/team/invitations", email=" Bob@Example.org ", role="reviewer")
    link = shown(page.text, "invitation-link")
    assert link.startswith(f"{api.address}/invitations/")
    assert "bob@example.org" in owner.get("/team/members").text
    assert link not in owner.get("/team/members").text, "it is shown once"
    with Browser(api.address) as bob:
        shown_page = bob.get(link)
        assert "Owner invites bob@example.org to the team as reviewer" in shown_page.text
        short = bob.post(link, data={"name": "Bob", "password": "short"})
        assert (short.status_code, 'value="Bob"' in short.text) == (400, True)
        assert bob.post(link, data={"name": "Bob", "password": PASSWORD}).status_code == 303
        assert "You are signed in as Bob and are reviewer" in bob.get("/").text
        assert bob.get(link).status_code == 404, "it is used"
        again = bob.post(link, data={"name": "Eve", "password": PASSWORD})
        assert again.status_code == 404
        assert bob.sign_in("bob@example.org").status_code == 303
    assert {"invitation.created", "member.added"} <= set(actions(api))


def test_an_existing_user_accepts_as_themself(api: Api, owner: Browser) -> None:
    link = shown(
        owner.submit("/team/invitations", email="ann@example.org", role="member").text, "invitation-link"
    )
    ann, eve = member(api.inst, "ann", None), member(api.inst, "eve", None)
    with Browser(api.address) as browser:
        assert "/sign-in?next=/invitations/" in browser.get(link).text
        assert browser.post(link, data={"name": "Ann", "password": PASSWORD}).status_code == 409
        browser.enter(api.inst, eve)
        assert "You are signed in as eve@example.org" in browser.get(link).text
        assert browser.submit(f"{link}/join").status_code == 403
        browser.enter(api.inst, ann)
        assert browser.submit(f"{link}/join", shown_on=link).status_code == 303
        assert "are member of this team" in browser.get("/").text
        assert browser.submit(f"{link}/join").status_code == 404
    again = owner.submit("/team/invitations", email="ann@example.org", role="member")
    assert (again.status_code, "is a member of the team already" in again.text) == (409, True)


def test_invitations_end(api: Api, owner: Browser) -> None:
    first, second = (
        shown(owner.submit("/team/invitations", email="b@example.org", role="member").text, "invitation-link")
        for _ in range(2)
    )
    assert owner.get(first).status_code == 404, "a newer one takes its place"
    assert owner.get(second).status_code == 200
    (path,) = re.findall(r'action="(/team/invitations/[^"/]+/revoke)"', owner.get("/team/members").text)
    assert owner.submit(path).status_code == 303
    assert owner.get(second).status_code == 404


def test_keys_are_created_replaced_and_revoked(api: Api, owner: Browser) -> None:
    parser_id = api.parser("<i>Bills</i>")
    before = len(list_keys(api.inst, api.inst.team_id))
    page = owner.submit(
        "/team/keys",
        name="reader",
        permissions=["documents:read"],
        parsers="chosen",
        parser_ids=[parser_id],
        days="30",
    )
    text = shown(page.text, "new-key")
    found = authenticate(api.inst, text)
    assert found is not None
    assert found.permissions == {"documents:read"}
    assert found.parser_ids == frozenset({parser_id})
    assert text not in owner.get("/team/keys").text
    assert "&lt;i&gt;Bills" in page.text
    replaced = shown(owner.submit(f"/team/keys/{found.key_id}/rotate").text, "new-key")
    assert authenticate(api.inst, text) is None
    new = authenticate(api.inst, replaced)
    assert new is not None and new.permissions == {"documents:read"}
    assert owner.submit(f"/team/keys/{found.key_id}/rotate").status_code == 409
    assert owner.submit(f"/team/keys/{new.key_id}/revoke").status_code == 303
    assert authenticate(api.inst, replaced) is None
    assert len(list_keys(api.inst, api.inst.team_id)) == before + 2
    log = find_audit_entries(api.inst, api.inst.team_id, action="key.revoked").rows
    assert [entry.actor.name for entry in log] == ["Owner"]


def test_what_is_wrong_with_a_key_is_told_at_its_field(api: Api, owner: Browser) -> None:
    documents = {"name": "x", "permissions": "documents:read"}
    wrong: dict[str, dict[str, str]] = {
        "A key needs a name": {**documents, "name": " "},
        "A key needs at least one permission": {"name": "x"},
        "Unknown permission": {"name": "x", "permissions": "everything"},
        "needs at least one": {**documents, "parsers": "chosen"},
        "must be a number": {**documents, "days": "9" * 30},
    }
    for told, form in wrong.items():
        page = owner.submit("/team/keys", **form)
        assert page.status_code == 400 and told in page.text
        assert 'class="error"' in page.text


def test_teams_are_created_where_the_settings_allow_it(make_installation: MakeInstallation) -> None:
    inst = make_installation(allow_team_creation=True)
    with serving(inst) as api, Browser(api.address) as browser:
        browser.enter(inst, member(inst, "ann", "reviewer"))
        assert browser.submit("/team/new", name="").status_code == 400
        for _ in range(2):
            assert browser.submit("/team/new", name="Zebras").status_code == 303
            assert "<h1>Zebras</h1>" in browser.get("/").text
        assert browser.get("/team/members").status_code == 200
    assert get_team(inst, "zebras").name == "Zebras"
