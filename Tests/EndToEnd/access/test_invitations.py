"""Invitations by a link that is handed over."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from test_passwords import GOOD, client, problem

people = itertools.count()


@pytest.fixture(scope="module")
def company(waymark):
    return Company(waymark)


class Company:
    """An organization with a signed-in member for each role."""

    def __init__(self, waymark):
        self.waymark = waymark
        self.slug = waymark.create_organization()
        self.members = {role: self.join(role, role) for role in ("viewer", "admin")}
        self.members["owner"] = client(waymark)
        link = waymark.sign_in_link(self.slug)
        assert self.members["owner"].post("/v1/session", json={"code": link.rpartition("#")[2]}).status_code == 200

    def join(self, name, role):
        email = f"{name}@{self.slug}.example"
        link = self.waymark.cli("user", "add", email, "--organization", self.slug, "--role", role).stdout.strip()
        browser = client(self.waymark)
        assert browser.post("/v1/session", json={"code": link.rpartition("#")[2]}).status_code == 200
        return browser

    def invite(self, role="editor", by="admin", email=None, **more):
        email = email or f"guest{next(people)}@{self.slug}.example"
        return self.members[by].post("/v1/invitations", json={"email": email, "role": role, **more})

    def roles(self):
        items = self.members["owner"].get("/v1/members?limit=200").json()["items"]
        return {item["email"]: item["role"] for item in items}


def code(answer):
    return answer.json()["link"].rpartition("#")[2]


def accept(waymark, code, browser=None, **more):
    browser = browser or client(waymark)
    body = {"code": code, "name": "Grace Hopper", "password": GOOD} | more
    return browser, browser.post("/v1/invitation-acceptances", json=body)


def test_an_invited_person_joins_with_a_password(waymark, company):
    made = company.invite(name="Grace")
    assert made.status_code == 201
    invitation = made.json()
    assert made.headers["Location"] == f"/v1/invitations/{invitation['id']}"
    assert invitation["link"].startswith(f"{waymark.url}/invitation#") and invitation["state"] == "pending"
    shown = client(waymark).post("/v1/invitation-views", json={"code": code(made)})
    assert shown.status_code == 200
    assert {name: shown.json()[name] for name in ("email", "name", "role", "hasAccount")} == {
        "email": invitation["email"], "name": "Grace", "role": "editor", "hasAccount": False,
    }
    assert shown.json()["organization"]["slug"] == company.slug
    # Opening it changed nothing, so it can still be accepted.
    grace, accepted = accept(waymark, code(made))
    assert accepted.status_code == 201 and accepted.json()["user"]["name"] == "Grace Hopper"
    assert [o["role"] for o in accepted.json()["organizations"]] == ["editor"]
    assert grace.get("/v1/teams").status_code == 200
    assert company.roles()[invitation["email"]] == "editor"
    again = client(waymark).post("/v1/session", json={"email": invitation["email"], "password": GOOD})
    assert again.status_code == 200
    listed = company.members["admin"].get(f"/v1/invitations/{invitation['id']}").json()
    assert listed["state"] == "accepted" and "link" not in listed
    kinds = [event["kind"] for event in company.members["owner"].get("/v1/events?sort=newest").json()["items"]][:3]
    assert set(kinds) == {"invitation.created", "member.role_set", "invitation.accepted"}


def test_a_used_withdrawn_or_invented_code_gets_one_answer(waymark, company):
    used = company.invite()
    accept(waymark, code(used))
    withdrawn = company.invite()
    ended = company.members["admin"].delete(f"/v1/invitations/{withdrawn.json()['id']}")
    assert ended.json()["state"] == "withdrawn"
    renewed = company.invite()
    new = company.members["admin"].post(f"/v1/invitations/{renewed.json()['id']}/renewals")
    assert new.status_code == 200 and code(new) != code(renewed)
    for bad in (code(used), code(withdrawn), code(renewed), "x", "a" * 40):
        for path in ("/v1/invitation-views", "/v1/invitation-acceptances"):
            answer = client(waymark).post(path, json={"code": bad})
            assert problem(answer) == (404, "unknown_invitation"), bad
    assert accept(waymark, code(new))[1].status_code == 201
    again = company.members["admin"].delete(f"/v1/invitations/{withdrawn.json()['id']}")
    assert problem(again) == (409, "invitation_ended")


def test_an_invitation_is_accepted_once(waymark, company):
    made = company.invite()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: accept(waymark, code(made))[1].status_code, range(4)))
    assert sorted(answers) in ([201, 404, 404, 404], [201, 404, 404, 409], [201, 404, 409, 409], [201, 409, 409, 409])


def test_nobody_invites_above_their_own_role(company):
    assert problem(company.invite("owner")) == (403, "role_needed")
    assert problem(company.invite("viewer", by="viewer")) == (403, "forbidden")
    made = company.invite("owner", by="owner").json()
    for method, path in (("DELETE", ""), ("POST", "/renewals")):
        answer = company.members["admin"].request(method, f"/v1/invitations/{made['id']}{path}")
        assert problem(answer) == (403, "role_needed")
    secret = company.waymark.token("owner", company.slug)
    answer = httpx.post(
        f"{company.waymark.url}/v1/invitations", json={"email": "a@b.example", "role": "viewer"},
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert problem(answer) == (403, "session_required")


def test_an_invitation_ends_with_the_right_of_its_inviter(waymark, company):
    company.members["mia"] = company.join("mia", "admin")
    made = company.invite("admin", by="mia")
    company.waymark.cli("user", "role", f"mia@{company.slug}.example", "viewer", "--organization", company.slug)
    assert problem(accept(waymark, code(made))[1]) == (404, "unknown_invitation")
    company.waymark.cli("user", "remove", f"mia@{company.slug}.example", "--organization", company.slug)
    assert problem(accept(waymark, code(made))[1]) == (404, "unknown_invitation")


def test_who_sends_an_invitation_again_becomes_its_inviter(waymark, company):
    company.members["tim"] = company.join("tim", "admin")
    made = company.invite("viewer", by="tim")
    company.waymark.cli("user", "remove", f"tim@{company.slug}.example", "--organization", company.slug)
    seen = client(waymark).post("/v1/invitation-views", json={"code": code(made)})
    assert problem(seen) == (404, "unknown_invitation")
    renewed = company.members["admin"].post(f"/v1/invitations/{made.json()['id']}/renewals")
    assert renewed.status_code == 200, renewed.text
    seen = client(waymark).post("/v1/invitation-views", json={"code": code(renewed)})
    assert (seen.status_code, seen.json()["invitedBy"]) == (200, renewed.json()["invitedBy"])
    assert renewed.json()["invitedBy"] != made.json()["invitedBy"]
    assert accept(waymark, code(renewed))[1].status_code == 201


def test_a_person_with_an_account_signs_in_first(waymark, company):
    other = Company(waymark)
    email = f"viewer@{other.slug}.example"
    made = company.invite("publisher", email=email)
    assert client(waymark).post("/v1/invitation-views", json={"code": code(made)}).json()["hasAccount"] is True
    assert problem(accept(waymark, code(made))[1]) == (409, "sign_in_required")
    assert problem(accept(waymark, code(made), company.members["viewer"])[1]) == (403, "other_user")
    before = dict(other.members["viewer"].cookies)
    browser, joined = accept(waymark, code(made), other.members["viewer"])
    assert joined.status_code == 201 and dict(browser.cookies) != before
    assert browser.get("/v1/me").status_code == 200
    assert httpx.get(f"{waymark.url}/v1/me", cookies=before).status_code == 401
    assert {o["slug"]: o["role"] for o in joined.json()["organizations"]} == {
        company.slug: "publisher", other.slug: "viewer",
    }


def test_an_account_that_an_invitation_created_is_not_added_elsewhere(waymark, company):
    made = company.invite()
    guest, _ = accept(waymark, code(made))
    elsewhere = client(waymark)
    signed_in = elsewhere.post("/v1/session", json={"email": made.json()["email"], "password": GOOD})
    assert signed_in.status_code == 200
    other = waymark.create_organization()
    added = waymark.cli(
        "user", "add", made.json()["email"], "--organization", other, "--role", "owner", check=False
    )
    assert added.returncode != 0 and "is not verified" in added.stderr
    link = waymark.cli("user", "sign-in-link", made.json()["email"]).stdout.strip()
    # The link verifies the address. It ends the password and other sessions, but not the session that it confirms.
    confirmed = guest.post("/v1/session/confirmations", json={"code": link.rpartition("#")[2]})
    assert confirmed.status_code == 200 and confirmed.json()["user"]["hasPassword"] is False
    assert elsewhere.get("/v1/me").status_code == 401
    waymark.cli("user", "add", made.json()["email"], "--organization", other, "--role", "viewer")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"email": "no address"}, "/email"),
        ({"email": "a@b@c"}, "/email"),
        ({"email": "a\r\nBcc: b@c"}, "/email"),
        ({"role": "king"}, "/role"),
        ({"lifetimeSeconds": 60}, "/lifetimeSeconds"),
        ({"name": ""}, "/name"),
    ],
)
def test_a_bad_invitation_is_refused(company, body, pointer):
    answer = company.members["admin"].post("/v1/invitations", json={"email": "a@b.example", "role": "viewer"} | body)
    assert problem(answer) == (422, "invalid") and answer.json()["errors"][0]["pointer"] == pointer


def test_members_and_invited_people_are_not_invited_again(company):
    assert problem(company.invite(email=f"VIEWER@{company.slug}.example")) == (409, "exists")
    made = company.invite()
    assert problem(company.invite(email=made.json()["email"].upper())) == (409, "exists")


def test_a_new_person_sends_a_name_and_a_good_password(waymark, company):
    made = company.invite()
    for more, pointer in (({"password": "password1234"}, "/password"), ({"password": None}, "/password"), ({"name": None}, "/name")):
        _, answer = accept(waymark, code(made), **more)
        assert problem(answer) == (422, "invalid") and answer.json()["errors"][0]["pointer"] == pointer
    assert accept(waymark, code(made))[1].status_code == 201


def test_the_operator_invites_a_person_on_the_command_line(waymark):
    slug = waymark.create_organization()
    arguments = ("user", "invite", "line@command.example", "--organization", slug, "--role", "editor", "--name", "Line")
    printed = waymark.cli(*arguments).stdout
    code = printed.strip().rpartition("#")[2]
    answer = httpx.post(f"{waymark.url}/v1/invitation-acceptances", json={"code": code, "password": GOOD})
    assert answer.status_code == 201, answer.text
    me = answer.json()
    assert (me["user"]["email"], me["user"]["name"]) == ("line@command.example", "Line")
    assert [(each["slug"], each["role"]) for each in me["organizations"]] == [(slug, "editor")]
    again = waymark.cli(*arguments, check=False)
    assert again.returncode == 3 and "already a member" in again.stderr
    for wrong in (("--days", "0"), ("--days", "31"), ("--name", "")):
        assert waymark.cli(*arguments, *wrong, check=False).returncode == 2
