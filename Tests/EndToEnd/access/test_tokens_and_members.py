"""Tokens and members, managed by people through the API."""

import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from installation import eventually


@pytest.fixture(scope="module")
def company(waymark):
    return Company(waymark)


class Company:
    """An organization with a signed-in member for each role."""

    def __init__(self, waymark):
        self.waymark = waymark
        self.slug = waymark.create_organization()
        self.people = {role: self.join(role) for role in ("viewer", "editor", "publisher", "admin", "owner")}

    def join(self, role, name=None):
        email = f"{name or role}@{self.slug}.example"
        if role == "owner":
            added = self.waymark.cli("user", "sign-in-link", email)
        else:
            added = self.waymark.cli("user", "add", email, "--organization", self.slug, "--role", role)
        return signed_in(self.waymark, added.stdout)

    def id(self, name):
        members = self.people["viewer"].get("/v1/members?limit=200").json()["items"]
        return next(member["id"] for member in members if member["email"] == f"{name}@{self.slug}.example")

    def status(self, secret):
        return httpx.get(f"{self.waymark.url}/v1/teams", headers={"Authorization": f"Bearer {secret}"}).status_code


def signed_in(waymark, link):
    client = httpx.Client(base_url=waymark.url, headers={"Sec-Fetch-Site": "same-origin"})
    assert client.post("/v1/session", json={"code": link.strip().rpartition("#")[2]}).status_code == 200
    return client


def problem(answer):
    return answer.status_code, answer.json()["code"]


def test_a_token_is_created_used_rotated_and_revoked(company):
    admin = company.people["admin"]
    made = admin.post("/v1/tokens", json={"name": "ci", "role": "publisher", "days": 30})
    assert made.status_code == 201
    token, secret = made.json()["token"], made.json()["secret"]
    assert made.headers["Location"] == f"/v1/tokens/{token['id']}"
    assert token["active"] and token["lastUsedAt"] is None and company.status(secret) == 200
    listed = admin.get("/v1/tokens").json()["items"]
    assert [item["id"] for item in listed][0] == token["id"] and listed[0]["lastUsedAt"] is not None
    assert secret not in admin.get("/v1/tokens").text

    rotated = admin.post(f"/v1/tokens/{token['id']}/rotations", json={"overlapSeconds": 3600})
    assert rotated.status_code == 201 and rotated.json()["token"]["role"] == "publisher"
    new = rotated.json()["secret"]
    assert [company.status(secret), company.status(new)] == [200, 200]
    revoked = admin.delete(f"/v1/tokens/{token['id']}")
    assert revoked.status_code == 200 and not revoked.json()["active"]
    eventually(lambda: company.status(secret) == 401, 2, what="the revocation")
    assert company.status(new) == 200
    assert problem(admin.post(f"/v1/tokens/{token['id']}/rotations", json={})) == (409, "token_ended")
    kinds = [event["kind"] for event in admin.get("/v1/events?kind=token&sort=newest").json()["items"]]
    assert kinds[:3] == ["token.revoked", "token.rotated", "token.created"]


def test_nobody_makes_or_ends_a_token_above_their_own_role(company):
    admin, owner = company.people["admin"], company.people["owner"]
    assert problem(admin.post("/v1/tokens", json={"name": "up", "role": "owner"})) == (403, "role_needed")
    token = owner.post("/v1/tokens", json={"name": "owner", "role": "owner"}).json()
    path = f"/v1/tokens/{token['token']['id']}"
    assert problem(admin.delete(path)) == (403, "role_needed")
    assert problem(admin.post(f"{path}/rotations", json={})) == (403, "role_needed")
    assert company.status(token["secret"]) == 200
    assert problem(company.people["publisher"].get("/v1/tokens")) == (403, "forbidden")


def test_a_token_cannot_manage_tokens_or_members(company):
    secret = company.people["owner"].post("/v1/tokens", json={"name": "thief", "role": "owner"}).json()["secret"]
    thief = httpx.Client(base_url=company.waymark.url, headers={"Authorization": f"Bearer {secret}"})
    assert thief.get("/v1/tokens").status_code == 200 and thief.get("/v1/members").status_code == 200
    viewer = company.id("viewer")
    for answer in (
        thief.post("/v1/tokens", json={"name": "more", "role": "viewer"}),
        thief.patch(f"/v1/members/{viewer}", json={"role": "owner"}),
        thief.delete(f"/v1/members/{viewer}"),
    ):
        assert problem(answer) == (403, "session_required")


def test_a_role_is_changed_within_the_changers_own(company):
    admin, someone = company.people["admin"], company.join("viewer", "someone")
    path = f"/v1/members/{company.id('someone')}"
    assert problem(someone.patch(path, json={"role": "owner"})) == (403, "forbidden")
    assert admin.patch(path, json={"role": "editor"}).json()["role"] == "editor"
    assert someone.post("/v1/teams", json={"teamID": "ABCDE12345", "name": "x"}).status_code == 201
    assert problem(admin.patch(path, json={"role": "owner"})) == (403, "role_needed")
    assert problem(admin.patch(f"/v1/members/{company.id('owner')}", json={"role": "viewer"})) == (403, "role_needed")
    assert problem(admin.delete(f"/v1/members/{company.id('owner')}")) == (403, "role_needed")


def test_a_removed_member_is_out_within_a_second_and_everyone_can_leave(company):
    gone, leaving = company.join("editor", "gone"), company.join("viewer", "leaving")
    assert problem(leaving.delete(f"/v1/members/{company.id('gone')}")) == (403, "role_needed")
    assert company.people["admin"].delete(f"/v1/members/{company.id('gone')}").status_code == 204
    eventually(lambda: gone.get("/v1/teams").status_code in (400, 404), 2, what="the removal")
    assert leaving.delete(f"/v1/members/{company.id('leaving')}").status_code == 204
    assert leaving.get("/v1/me").json()["organizations"] == []


def test_the_last_owner_stays(waymark):
    slug = waymark.create_organization()
    owner = signed_in(waymark, waymark.cli("user", "sign-in-link", f"owner@{slug}.example").stdout)
    me = owner.get("/v1/me").json()["user"]["id"]
    assert problem(owner.patch(f"/v1/members/{me}", json={"role": "admin"})) == (409, "last_owner")
    assert problem(owner.delete(f"/v1/members/{me}")) == (409, "last_owner")


LOSSES = {
    "removed": lambda browser, id: browser.delete(f"/v1/members/{id}"),
    "demoted": lambda browser, id: browser.patch(f"/v1/members/{id}", json={"role": "admin"}),
}


@pytest.mark.parametrize("first", LOSSES)
@pytest.mark.parametrize("second", LOSSES)
@pytest.mark.parametrize("target", ["the other", "themselves"])
def test_the_last_two_owners_cannot_both_go_at_the_same_moment(waymark, first, second, target):
    """Each owner removes or demotes the other, or leaves. Either change alone is allowed."""
    slug = waymark.create_organization()
    emails = [f"{name}@{slug}.example" for name in ("owner", "second")]
    waymark.cli("user", "add", emails[1], "--organization", slug, "--role", "owner")
    owners = [signed_in(waymark, waymark.cli("user", "sign-in-link", email).stdout) for email in emails]
    ids = [owner.get("/v1/me").json()["user"]["id"] for owner in owners]
    token = waymark.token(organization=slug)

    def is_owner(owner):
        return [each["role"] for each in owner.get("/v1/me").json()["organizations"]] == ["owner"]

    def act(number, loss, start, answers):
        start.wait()
        answers[number] = LOSSES[loss](owners[number], ids[1 - number if target == "the other" else number])

    for _ in range(8):
        eventually(lambda: all(map(is_owner, owners)), 5, what="two owners")
        start, answers = threading.Barrier(2), [None, None]
        threads = [
            threading.Thread(target=act, args=(number, loss, start, answers))
            for number, loss in enumerate((first, second))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        roles = {each["email"]: each["role"] for each in waymark.api("GET", "/v1/members", token=token).json()["items"]}
        left = [email for email in emails if roles.get(email) == "owner"]
        statuses = [answer.status_code for answer in answers]
        assert len(left) == 1, (statuses, roles)
        assert sum(status in (200, 204) for status in statuses) == 1, [answer.text for answer in answers]
        [lost] = set(emails) - set(left)
        command = "role" if lost in roles else "add"
        grant = (lost, "owner") if command == "role" else (lost, "--role", "owner")
        waymark.cli("user", command, *grant, "--organization", slug)


def test_of_two_owners_who_remove_each_other_one_stays(waymark):
    """A third owner exists, so both could go. But the one who is removed first no longer removes anybody."""
    slug = waymark.create_organization()
    waymark.cli("user", "add", f"third@{slug}.example", "--organization", slug, "--role", "owner")
    emails = [f"{name}@{slug}.example" for name in ("owner", "second")]
    waymark.cli("user", "add", emails[1], "--organization", slug, "--role", "owner")
    owners = [signed_in(waymark, waymark.cli("user", "sign-in-link", email).stdout) for email in emails]
    ids = [owner.get("/v1/me").json()["user"]["id"] for owner in owners]
    for _ in range(6):
        start = threading.Barrier(2)

        def remove(number, start=start):
            start.wait()
            return owners[number].delete(f"/v1/members/{ids[1 - number]}").status_code

        with ThreadPoolExecutor(2) as pool:
            statuses = sorted(pool.map(remove, range(2)))
        assert statuses[0] == 204 and statuses[1] in (400, 403, 404), statuses
        members = {each["email"] for each in waymark.api(
            "GET", "/v1/members", token=waymark.token(organization=slug)).json()["items"]}
        [gone] = set(emails) - members
        waymark.cli("user", "add", gone, "--organization", slug, "--role", "owner")
        eventually(lambda: all(owner.get("/v1/me").json()["organizations"] for owner in owners), 5, what="both owners")


def test_another_organizations_tokens_and_members_do_not_exist(company):
    other = Company(company.waymark)
    token = other.people["owner"].post("/v1/tokens", json={"name": "theirs", "role": "viewer"}).json()
    owner = company.people["owner"]
    for path in (f"/v1/tokens/{token['token']['id']}", f"/v1/members/{other.id('viewer')}"):
        assert problem(owner.delete(path)) == (404, "not_found")
    assert problem(owner.get(f"/v1/tokens/{token['token']['id']}")) == (404, "not_found")
    assert other.status(token["secret"]) == 200
