"""Roles that are limited to the domains with given labels: a change of anything else is refused."""

import httpx
import pytest

from installation import eventually
from publications import moment
from samples import draft

LABELS = {"labels": ["shop"]}


class Company:
    """An organization with a domain of the shop, another one, and a publisher for the shop alone."""

    def __init__(self, waymark):
        self.waymark = waymark
        self.slug = waymark.create_organization()
        self.owner = self.join("olga", "owner")
        self.eve = self.join("eve", "publisher", "--label", "shop")
        self.all = waymark.token("publisher", self.slug)
        self.made(self.owner, "POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"})
        self.made(self.owner, "POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app"})
        self.shop = self.domain(labels=["shop", "eu"])
        self.other = self.domain(labels=["blog"])

    def join(self, name, role, *more):
        email = f"{name}@{self.slug}.example"
        made = self.waymark.cli("user", "add", email, "--organization", self.slug, "--role", role, *more).stdout
        client = httpx.Client(base_url=self.waymark.url, headers={"Sec-Fetch-Site": "same-origin"}, timeout=30)
        answer = client.post("/v1/session", json={"code": made.strip().rpartition("#")[2]})
        assert answer.status_code == 200, answer.text
        return client

    def made(self, person, method, path, body=None, **more):
        answer = person.request(method, path, json=body, **more)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    def domain(self, **fields):
        host = self.waymark.new_host()
        self.made(self.owner, "POST", "/v1/domains", {"host": host, **fields})
        self.made(self.owner, "PUT", f"/v1/domains/{host}/draft", draft("/1"), headers={"If-Match": "*"})
        return host

    def member(self, name):
        members = self.made(self.owner, "GET", "/v1/members")["items"]
        return next(member for member in members if member["name"] == name)


@pytest.fixture(scope="module")
def company(waymark):
    return Company(waymark)


def problem(answer):
    return answer.status_code, answer.json().get("code")


REFUSED = (403, "role_is_limited")


def test_the_holder_of_a_limited_role_sees_its_limit(company):
    [membership] = company.eve.get("/v1/me").json()["organizations"]
    assert (membership["role"], membership["labels"]) == ("publisher", ["shop"])
    refused = company.eve.put(f"/v1/domains/{company.other}/draft", json=draft("/2"), headers={"If-Match": "*"})
    assert refused.json()["detail"] == (
        "Your role counts only for domains with the label shop. "
        f"This change concerns {company.other}. Ask an administrator.")


def test_changes_of_a_domain_count_only_within_the_limit(company):
    def edit(host):
        return company.eve.put(f"/v1/domains/{host}/draft", json=draft("/2"), headers={"If-Match": "*"})

    assert edit(company.shop).status_code == 200
    assert company.eve.post(f"/v1/domains/{company.shop}/publications?wait=30", json={}).json()["state"] == "live"
    assert problem(edit(company.other)) == REFUSED
    assert problem(company.eve.post(f"/v1/domains/{company.other}/publications", json={})) == REFUSED
    assert problem(edit("absent.example")) == (404, "not_found")
    # Everything can be read and tried.
    assert company.eve.get(f"/v1/domains/{company.other}/draft").status_code == 200
    assert company.eve.post(f"/v1/domains/{company.other}/publication-previews", json={}).status_code == 200


@pytest.mark.parametrize(
    "method, path, body",
    [
        ("POST", "/v1/teams", {"teamID": "ZZZZZ12345", "name": "Z"}),
        ("PATCH", "/v1/apps/ABCDE12345.com.example.app", {"name": "Z"}),
        ("POST", "/v1/apps/ABCDE12345.com.example.app/replacements", {"with": "ABCDE12345.com.example.app"}),
        ("POST", "/v1/domains", {"host": "new.example", "labels": ["shop"]}),
        ("PATCH", "/v1/domains/SHOP", {"labels": ["shop", "blog"]}),
        ("DELETE", "/v1/domains/SHOP", None),
        ("POST", "/v1/domains/SHOP/import?register=true", {"applinks": {}}),
    ],
)
def test_a_limited_role_changes_nothing_of_the_organization(company, method, path, body):
    path = path.replace("SHOP", company.shop)
    assert problem(company.eve.request(method, path, json=body, headers={"If-Match": "*"})) == REFUSED


def test_a_file_without_new_apps_can_be_imported(company):
    path = f"/v1/domains/{company.shop}/import"
    assert company.eve.post(path, json={"applinks": {}}, headers={"If-Match": "*"}).status_code == 200
    company.made(company.eve, "PUT", f"/v1/domains/{company.shop}/draft", draft("/2"), headers={"If-Match": "*"})
    refused = company.eve.post(
        f"/v1/domains/{company.other}/import", json={"applinks": {}}, headers={"If-Match": "*"})
    assert problem(refused) == REFUSED


def test_releases_contain_only_domains_within_the_limit(company):
    def release(person, **body):
        return person.post("/v1/releases", json={**body, "override": True, "reason": "again"})

    both = [company.shop, company.other]
    assert problem(release(company.eve, hosts=both)) == REFUSED
    assert problem(release(company.eve, label="blog")) == REFUSED
    assert problem(release(company.eve, label="eu")) == REFUSED
    assert problem(release(company.eve, hosts=["absent.example"])) == (404, "not_found")
    of_both = company.made(
        company.owner, "POST", "/v1/releases", {"hosts": both, "at": moment(3_600), "zone": "UTC"})
    assert problem(company.eve.delete(f"/v1/releases/{of_both['id']}")) == REFUSED
    company.made(company.owner, "DELETE", f"/v1/releases/{of_both['id']}")
    for host in both:
        company.made(company.owner, "PUT", f"/v1/domains/{host}/draft", draft("/released"), headers={"If-Match": "*"})
    both_live = company.waymark.release({"hosts": both}, company.all)
    assert problem(company.eve.post(f"/v1/releases/{both_live['id']}/rollbacks", json={})) == REFUSED
    company.made(company.eve, "PUT", f"/v1/domains/{company.shop}/draft", draft("/own"), headers={"If-Match": "*"})
    made = release(company.eve, label="shop")
    assert made.status_code == 202, made.text
    company.waymark.ended_release(made.json()["id"], company.all)
    assert company.eve.post(f"/v1/releases/{made.json()['id']}/rollbacks", json={}).status_code == 202


def test_schedules_publish_only_domains_within_the_limit(company):
    def schedule(person, name, **target):
        body = {"name": name, "expression": "0 0 29 2 *", "zone": "UTC", **target}
        return person.post("/v1/schedules", json=body)

    for target in ({"host": company.other}, {"label": "blog"}, {"label": "eu"}):
        assert problem(schedule(company.eve, "refused", **target)) == REFUSED
    own = schedule(company.eve, "own", label="shop")
    assert own.status_code == 201, own.text
    path = f"/v1/schedules/{own.json()['id']}"
    moved = company.eve.patch(path, json={"host": company.other}, headers={"If-Match": "*"})
    assert problem(moved) == REFUSED
    assert company.eve.patch(path, json={"state": "paused"}, headers={"If-Match": "*"}).status_code == 200
    assert company.eve.post(f"{path}/runs").status_code == 202
    others = schedule(company.owner, "others", host=company.other).json()
    path = f"/v1/schedules/{others['id']}"
    assert problem(company.eve.patch(path, json={"host": company.shop}, headers={"If-Match": "*"})) == REFUSED
    assert problem(company.eve.post(f"{path}/runs")) == REFUSED
    assert problem(company.eve.delete(path, headers={"If-Match": "*"})) == REFUSED
    assert company.eve.delete(f"/v1/schedules/{own.json()['id']}", headers={"If-Match": "*"}).status_code == 204


def test_freezes_stop_only_domains_within_the_limit(company):
    def freeze(person, **target):
        return person.post("/v1/freezes", json={"reason": "the sale", "endsAt": moment(3_600), **target})

    assert problem(freeze(company.eve)) == REFUSED
    assert problem(freeze(company.eve, label="blog")) == REFUSED
    own = freeze(company.eve, label="shop")
    assert own.status_code == 201, own.text
    assert company.eve.delete(f"/v1/freezes/{own.json()['id']}").status_code == 200
    others = freeze(company.owner).json()
    assert problem(company.eve.delete(f"/v1/freezes/{others['id']}")) == REFUSED
    company.made(company.owner, "DELETE", f"/v1/freezes/{others['id']}")


def test_an_approval_counts_only_within_the_limit_and_ends_with_it(company):
    company.made(company.owner, "POST", "/v1/approval-policies", {"label": "guarded", "approvals": 1})
    bob = company.join("bob", "editor", "--label", "guarded")
    hosts = {}
    for name, labels in (("own", ["guarded", "shop"]), ("others", ["guarded", "blog"])):
        hosts[name] = company.domain()
        company.made(company.owner, "PATCH", f"/v1/domains/{hosts[name]}", {"labels": labels})
        company.made(bob, "PUT", f"/v1/domains/{hosts[name]}/draft", draft("/3"), headers={"If-Match": "*"})

    def request(*names):
        body = {"hosts": [hosts[name] for name in names], "message": "the sale"}
        return company.made(bob, "POST", "/v1/approval-requests", body)["id"]

    refused = bob.post("/v1/approval-requests", json={"hosts": [company.shop], "message": "not mine"})
    assert problem(refused) == REFUSED
    both, own = request("own", "others"), request("own")
    for act, body in (("approvals", {}), ("rejections", {"reason": "no"}), ("comments", {"text": "hm"})):
        assert problem(company.eve.post(f"/v1/approval-requests/{both}/{act}", json=body)) == REFUSED, act
    assert problem(company.eve.delete(f"/v1/approval-requests/{both}")) == REFUSED
    # The owner edited the draft first, so the approval of Eve alone is one that counts.
    approved = company.eve.post(f"/v1/approval-requests/{own}/approvals", json={}).json()
    assert approved["files"][0]["given"] == 1
    company.made(company.owner, "PATCH", f"/v1/domains/{hosts['own']}", {"labels": ["guarded"]})
    shown = company.made(company.owner, "GET", f"/v1/approval-requests/{own}")
    assert shown["files"][0]["given"] == 0
    bob.close()


@pytest.mark.parametrize("act", ["add", "remove", "create"])
def test_only_an_administrator_changes_for_which_domains_a_role_counts(company, act):
    host = company.shop if act == "remove" else company.other
    if act == "create":
        answer = company.waymark.api("POST", "/v1/domains", {"host": "z.example", **LABELS}, token=company.all)
    else:
        labels = ["eu"] if act == "remove" else ["blog", "shop"]
        answer = company.waymark.api("PATCH", f"/v1/domains/{host}", {"labels": labels}, token=company.all)
    assert problem(answer) == (403, "role_needed")
    assert "Reason: the role of a member or a token is limited to the label shop." in answer.json()["detail"]
    assert answer.json()["role"] == "admin"


def test_tokens_trusts_and_invitations_have_limits(company):
    made = company.made(
        company.owner, "POST", "/v1/tokens", {"name": "shop", "role": "editor", "labels": ["shop"], "days": 1})
    assert made["token"]["labels"] == ["shop"]
    rotated = company.made(company.owner, "POST", f"/v1/tokens/{made['token']['id']}/rotations", {})
    assert rotated["token"]["labels"] == ["shop"]

    def edit(secret, host):
        return company.waymark.api("PUT", f"/v1/domains/{host}/draft", draft("/2"), {"If-Match": "*"}, token=secret)

    for secret in (made["secret"], rotated["secret"]):
        assert company.waymark.api("GET", "/v1/me", token=secret).json()["token"]["labels"] == ["shop"]
        assert edit(secret, company.shop).status_code == 200
        assert problem(edit(secret, company.other)) == REFUSED
    trust = {
        "name": "Deploy", "provider": "github", "role": "publisher", "labels": ["shop"],
        "claims": {"repository_id": "1", "repository_owner_id": "2", "ref": "refs/heads/main"},
    }
    made = company.made(company.owner, "POST", "/v1/trusts", trust)
    assert made["labels"] == ["shop"]
    changed = company.made(company.owner, "PATCH", f"/v1/trusts/{made['id']}", {"labels": ["eu", "blog"]})
    assert (changed["role"], changed["labels"]) == ("publisher", ["blog", "eu"])
    company.made(company.owner, "DELETE", f"/v1/trusts/{made['id']}")
    email = f"grace@{company.slug}.example"
    invited = company.made(company.owner, "POST", "/v1/invitations", {"email": email, "role": "editor", **LABELS})
    code = invited["link"].partition("#")[2]
    view = company.waymark.api("POST", "/v1/invitation-views", {"code": code}, token=False).json()
    assert view["labels"] == ["shop"]
    body = {"code": code, "name": "Grace", "password": "correct horse battery"}
    assert company.waymark.api("POST", "/v1/invitation-acceptances", body, token=False).status_code == 201
    assert company.member("Grace")["labels"] == ["shop"]


def test_a_limit_can_be_set_changed_and_lifted_and_counts_within_a_second(company):
    gus = company.join("gus", "editor")
    path = f"/v1/members/{company.member('gus')['id']}"

    def edit():
        return gus.put(f"/v1/domains/{company.other}/draft", json=draft("/2"), headers={"If-Match": "*"})

    assert edit().status_code == 200
    changed = company.made(company.owner, "PATCH", path, LABELS)
    assert (changed["role"], changed["labels"]) == ("editor", ["shop"])
    eventually(lambda: problem(edit()) == REFUSED, 1, what="the limit")
    trail = {"kind": "member.role_set", "limit": 1}
    [entry] = company.made(company.owner, "GET", "/v1/audit", params=trail)["items"]
    assert entry["detail"] == {"role": "editor", "labels": ["shop"], "before": {"labels": None}}
    # Labels are compared by their bytes: é as one character, and as e with an accent.
    for labels in (["caf\u00e9"], ["cafe\u0301"], ["shop", "shop"]):
        changed = company.made(company.owner, "PATCH", path, {"labels": labels})
        assert changed["labels"] == labels[:1]
    for role in ("admin", "viewer", "owner"):
        refused = company.owner.patch(path, json={"role": role})
        assert problem(refused) == (422, "invalid")
        [fault] = refused.json()["errors"]
        assert (fault["code"], fault["pointer"]) == ("role_cannot_be_limited", "/labels")
    assert problem(company.owner.post("/v1/tokens", json={"name": "x", "role": "viewer", **LABELS}))[0] == 422
    assert problem(company.owner.patch(path, json={"labels": [""]}))[0] == 422
    entries = company.made(company.owner, "GET", "/v1/audit", params={"kind": "member.role_set"})["items"]
    assert entries[0]["detail"] == {"role": "editor", "labels": ["shop"], "before": {"labels": ["cafe\u0301"]}}
    company.made(company.owner, "PATCH", path, {"role": "publisher", "labels": []})
    eventually(lambda: edit().status_code == 200, 1, what="the role without a limit")
    gus.close()


def test_a_limited_member_can_leave_but_removes_nobody(company):
    hal = company.join("hal", "editor", "--label", "shop")
    assert problem(hal.delete(f"/v1/members/{company.member('eve')['id']}")) == (403, "role_needed")
    assert hal.delete(f"/v1/members/{company.member('hal')['id']}").status_code == 204


def test_commands_limit_roles(company):
    waymark, slug = company.waymark, company.slug
    email = f"ida@{slug}.example"
    waymark.cli("user", "add", email, "--organization", slug, "--role", "viewer")
    told = waymark.cli("user", "role", email, "publisher", "--label", "shop", "--label", "eu", "--organization", slug)
    assert told.stdout.strip() == (
        f"{email} has the role publisher for domains labelled shop, eu in {slug}.")
    assert company.member("ida")["labels"] == ["eu", "shop"]
    refused = waymark.cli("user", "role", email, "admin", "--label", "shop", "--organization", slug, check=False)
    assert refused.returncode != 0 and "--label is only for the roles editor and publisher" in refused.stderr
    made = waymark.cli(
        "token", "create", "--organization", slug, "--role", "editor", "--label", "shop", "--name", "x").stdout.strip()
    assert waymark.api("GET", "/v1/me", token=made).json()["token"]["labels"] == ["shop"]
