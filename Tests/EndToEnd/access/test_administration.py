"""The commands with which an operator manages organizations, members and tokens."""

import json
import re

import httpx
import pytest

from installation import eventually


def tokens(waymark, slug, *options):
    return json.loads(waymark.cli("token", "list", "--organization", slug, "--json", *options).stdout)["tokens"]


def create(waymark, slug, name):
    made = waymark.cli("token", "create", "--organization", slug, "--name", name, "--role", "viewer")
    return made.stdout.strip()


def status(waymark, secret):
    return httpx.get(f"{waymark.url}/v1/me", headers={"Authorization": f"Bearer {secret}"}).status_code


def events(waymark, slug, kind):
    answer = waymark.api("GET", f"/v1/events?kind={kind}", token=waymark.token(organization=slug))
    return [event["subject"] for event in answer.json()["items"]]


def test_a_token_is_replaced_and_the_old_one_stays_valid_for_the_overlap(waymark):
    slug = waymark.create_organization()
    waymark.cli("token", "create", "--organization", slug, "--name", "ci", "--role", "editor")
    old, new = tokens(waymark, slug)[0]["id"], {}
    for hours, ends in (("2", True), ("0", False)):
        new = json.loads(waymark.cli("token", "rotate", old, "--overlap-hours", hours, "--json").stdout)
        assert waymark.api("GET", "/v1/teams", token=new["secret"]).status_code == 200
        assert (new["token"]["name"], new["token"]["role"]) == ("ci", "editor")
        before = [token for token in tokens(waymark, slug, "--all") if token["id"] == old][0]
        assert before["expiresAt"] is not None
        assert (old in [token["id"] for token in tokens(waymark, slug)]) is ends
        old = new["token"]["id"]
    assert events(waymark, slug, "token.rotated") == ["ci", "ci"]
    listed = waymark.cli("token", "list", "--organization", slug).stdout
    assert re.search(r"created \S+ \S+ UTC by \S+, last used", listed)
    result = waymark.cli("token", "rotate", old, "--overlap-hours", "169", check=False)
    assert result.returncode == 2 and "0 to 168" in result.stderr


def test_revoking_a_token_by_its_id_revokes_only_that_token(waymark):
    ours, theirs = waymark.create_organization(), waymark.create_organization()
    secrets = [create(waymark, slug, "ci") for slug in (ours, ours, theirs)]
    assert [status(waymark, secret) for secret in secrets] == [200, 200, 200]
    listed = waymark.cli("token", "list", "--organization", ours).stdout
    assert not re.search("wm_", listed) and len(re.findall(r"  viewer  ci  created \d{4}-", listed)) == 2

    newest, older = [token["id"] for token in tokens(waymark, ours) if token["name"] == "ci"]
    revoked = waymark.cli("token", "revoke", newest)
    assert revoked.stdout == f"The token ci of {ours} is revoked.\n"
    eventually(lambda: [status(waymark, secret) for secret in secrets] == [200, 401, 200], 2, what="the revocation")
    assert [token["id"] for token in tokens(waymark, ours) if token["name"] == "ci"] == [older]
    [kept] = [token for token in tokens(waymark, ours, "--all") if token["id"] == newest]
    again = waymark.cli("token", "revoke", newest)
    assert "was already revoked; nothing changed" in again.stdout
    assert [token for token in tokens(waymark, ours, "--all") if token["id"] == newest] == [kept]
    assert events(waymark, ours, "token.revoked") == ["ci"]
    assert events(waymark, theirs, "token.revoked") == []


@pytest.mark.parametrize(
    "name, code, words",
    [("ci", 2, "ID must be a token's ID"), ("00000000-0000-4000-8000-000000000000", 3, "no token")],
)
def test_revoking_an_unknown_token_is_refused(waymark, name, code, words):
    result = waymark.cli("token", "revoke", name, check=False)
    assert result.returncode == code and words in result.stderr


def test_members_are_added_changed_and_removed(waymark):
    slug = waymark.create_organization()
    owner, ada = f"owner@{slug}.example", f"ada@{slug}.example"

    def user(*arguments, check=True):
        return waymark.cli("user", *arguments, "--organization", slug, check=check)

    added = user("add", ada, "--role", "viewer")
    code = re.search(r"/sign-in#(\S+)", added.stdout)[1]
    cookies = dict(waymark.client.post("/v1/session", json={"code": code}).cookies)
    waymark.client.cookies.clear()

    def roles():
        me = httpx.get(f"{waymark.url}/v1/me", cookies=cookies).json()
        return {organization["slug"]: organization["role"] for organization in me["organizations"]}

    assert roles() == {slug: "viewer"}
    assert user("list").stdout == f"{ada}  viewer\n{owner}  owner\n"
    refused = user("add", ada.upper(), "--role", "admin", check=False)
    assert refused.returncode == 3 and "is already a member with the role viewer" in refused.stderr
    assert user("role", ada, "editor").stdout == f"{ada} has the role editor in {slug}.\n"
    eventually(lambda: roles() == {slug: "editor"}, 2, what="the changed role")

    # An organization keeps an owner.
    for arguments in (["remove", owner], ["role", owner, "admin"]):
        refused = user(*arguments, check=False)
        assert refused.returncode == 3 and "is the last owner" in refused.stderr
    assert user("role", owner, "owner").returncode == 0

    assert user("remove", ada).stdout == f"{ada} is no longer a member of {slug}.\n"
    eventually(lambda: roles() == {}, 2, what="the removal")
    for arguments in (["remove", ada], ["role", ada, "admin"]):
        refused = user(*arguments, check=False)
        assert refused.returncode == 3 and "is not a member of this organization" in refused.stderr
    assert events(waymark, slug, "member.removed") == [ada]
    assert events(waymark, slug, "member.role_set") == [owner, ada, ada]


@pytest.mark.parametrize(
    "arguments", [["a\u202eb@example.com"], ["a@example.com", "--name", "a\x1bb"]], ids=["e-mail", "name"]
)
def test_control_characters_in_members_are_refused(waymark, arguments):
    refused = waymark.cli("user", "add", *arguments, "--organization", "acme", "--role", "viewer", check=False)
    assert refused.returncode == 2 and "contains the control character U+" in refused.stderr


def test_organizations_are_listed_with_the_number_of_their_members(waymark):
    slug = waymark.create_organization()
    lines = waymark.cli("organization", "list").stdout.splitlines()
    assert f"{slug}  {slug.title()}  1 member" in lines and lines == sorted(lines)
    found = json.loads(waymark.cli("organization", "list", "--json").stdout)["organizations"]
    assert {"organization": slug, "name": slug.title(), "members": 1} in found
    result = waymark.cli("token", "list", "--organization", "nobody", check=False)
    assert result.returncode == 3 and "there is no organization nobody" in result.stderr
