"""Four eyes: files need approvals, by people who did not edit them, before they go live."""

import json
import subprocess

import httpx
import pytest

from installation import EXECUTABLE, eventually
from publications import moment
from samples import draft


class Company:
    """An organization with signed-in people, whose domains with the label `guarded` need an approval."""

    def __init__(self, waymark):
        self.waymark = waymark
        self.slug = waymark.create_organization()
        self.people = {}
        self.owner = self.join("olga", "owner")
        self.bob = self.join("bob", "editor")
        self.ada = self.join("ada", "publisher")
        self.eve = self.join("eve", "publisher")
        self.token = waymark.token(role="publisher", organization=self.slug)
        self.made(self.bob, "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"})
        self.made(self.bob, "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app"})
        self.policy = self.made(self.owner, "/v1/approval-policies", {"label": "guarded", "approvals": 1})

    def join(self, name, role):
        email = f"{name}@{self.slug}.example"
        link = self.waymark.cli("user", "add", email, "--organization", self.slug, "--role", role).stdout
        client = httpx.Client(base_url=self.waymark.url, headers={"Sec-Fetch-Site": "same-origin"}, timeout=30)
        assert client.post("/v1/session", json={"code": link.strip().rpartition("#")[2]}).status_code == 200
        return client

    def made(self, person, path, body, status=201):
        answer = person.post(path, json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def domain(self, rule="/new", by=None, labels=("guarded",)):
        """A verified domain whose draft was edited by a person, Bob by default."""
        host = self.waymark.new_domain(None, token=self.token)
        if labels:
            # A new domain can have any label. Later only an owner adds one with a policy.
            answer = self.owner.patch(f"/v1/domains/{host}", json={"labels": list(labels)})
            assert answer.status_code == 200, answer.text
        self.edit(host, rule, by)
        return host

    def edit(self, host, rule, by=None):
        answer = (by or self.bob).put(f"/v1/domains/{host}/draft", json=draft(rule), headers={"If-Match": "*"})
        assert answer.status_code == 200, answer.text

    def events(self, host):
        """The events of a host itself, newest first. Events of requests for several hosts have no host."""
        events = self.owner.get("/v1/events", params={"host": host, "limit": 100}).json()["items"]
        return [event for event in events if event["host"] == host]

    def publish(self, host, by=None, **body):
        wait = 0 if "at" in body else 30
        return (by or self.ada).post(f"/v1/domains/{host}/publications?wait={wait}", json=body)

    def request(self, *hosts, by=None, **more):
        return self.made(by or self.bob, "/v1/approval-requests", {"hosts": hosts, "message": "the sale", **more})

    def approve(self, request, by=None, **body):
        return (by or self.ada).post(f"/v1/approval-requests/{request['id']}/approvals", json=body)

    def show(self, request):
        return self.owner.get(f"/v1/approval-requests/{request['id']}").json()


@pytest.fixture(scope="module")
def company(waymark):
    return Company(waymark)


def approval_check(answer):
    [check] = [check for check in answer.json()["report"]["checks"] if check["name"] == "approval"]
    return check


def problem(answer):
    return answer.status_code, answer.json()["code"]


def live(company, host):
    return (company.owner.get(f"/v1/domains/{host}").json()["live"] or {}).get("version")


def test_a_file_goes_live_after_somebody_else_approved_it(company):
    host = company.domain()
    refused = company.publish(host)
    assert refused.status_code == 422
    assert approval_check(refused) == {
        "name": "approval", "outcome": "failed",
        "detail": "1 approval required, 0 given. Request approval of exactly this file.",
    }
    request = company.request(host)
    [file] = request["files"]
    assert (request["state"], file["required"], file["given"], file["outdated"]) == ("open", 1, 0, False)
    assert [editor["name"] for editor in file["editors"]] == [f"bob@{company.slug}.example"]
    assert problem(company.publish(host))[0] == 422

    approved = company.approve(request, text="looks right").json()
    assert (approved["state"], approved["files"][0]["given"]) == ("approved", 1)
    assert [(review["kind"], review["text"]) for review in approved["reviews"]] == [("approval", "looks right")]
    published = company.publish(host)
    assert published.json()["state"] == "live" and published.json()["bypassApproval"] is False
    ended = company.show(request)
    assert ended["state"] == "published" and ended["endedAt"] and ended["files"][0]["live"] is True
    # The trail proves that exactly the approved file went live.
    entries = {event["kind"]: event["detail"] for event in company.events(host)}
    digests = [{"host": host, "sha256": file["sha256"]}]
    assert entries["approval.requested"]["domains"] == entries["approval.given"]["domains"] == digests
    assert entries["version.created"]["sha256"] == entries["publication.live"]["sha256"] == file["sha256"]


def test_a_request_alone_makes_nothing_live(company):
    host = company.domain()
    request = company.request(host)
    company.made(company.bob, f"/v1/approval-requests/{request['id']}/comments", {"text": "please\nlook"}, 200)
    assert company.publish(host).status_code == 422 and live(company, host) is None
    assert problem(company.approve(request, by=company.bob)) == (403, "forbidden")


def test_nobody_approves_their_own_edits(company):
    host = company.domain(by=company.ada)
    request = company.request(host, by=company.ada)
    assert problem(company.approve(request)) == (409, "own_change")
    assert company.publish(host, by=company.owner).status_code == 422
    # Not an owner either.
    company.edit(host, "/owners", by=company.owner)
    second = company.request(host)
    assert problem(company.approve(second, by=company.owner)) == (409, "own_change")
    assert company.approve(second, by=company.eve).json()["state"] == "approved"


def test_nobody_approves_their_own_saved_or_restored_version(company):
    host = company.domain("/mine", by=company.ada)
    saved = company.made(company.ada, f"/v1/domains/{host}/versions", {"message": "for later"})
    company.edit(host, "/newer")
    company.approve(company.request(host), by=company.eve)
    assert company.publish(host).json()["state"] == "live"
    file = company.owner.get(f"/v1/domains/{host}/versions/{saved['version']}/file").text.replace("/mine", "/restored")
    record = {"kind": "version", "value": {"host": host, "version": 3, "file": file}}
    company.made(company.owner, "/v1/organization/restorations", {"records": [record]}, 200)
    for person, version in ((company.ada, saved["version"]), (company.owner, 3)):
        request = company.request(host, by=person, version=version)
        assert problem(company.approve(request, by=person)) == (409, "own_change")
        assert company.publish(host, by=person, version=version).status_code == 422
        assert company.approve(request, by=company.eve).json()["state"] == "approved"
        assert company.publish(host, by=person, version=version).json()["state"] == "live"


def test_an_approval_of_several_files_leaves_out_those_that_the_person_edited(company):
    theirs, own = company.domain(), company.domain(by=company.ada)
    request = company.request(theirs, own)
    approved = company.approve(request).json()
    assert {file["host"]: file["given"] for file in approved["files"]} == {theirs: 1, own: 0}
    assert approved["state"] == "open"
    assert company.publish(theirs).json()["state"] == "live" and company.publish(own).status_code == 422


def test_an_edit_voids_the_approval_and_the_same_bytes_have_it_again(company):
    host = company.domain("/first")
    request = company.request(host)
    assert company.approve(request).json()["state"] == "approved"
    company.edit(host, "/second")
    assert company.show(request)["files"][0]["outdated"] is True
    assert company.publish(host).status_code == 422
    assert problem(company.approve(request, by=company.eve)) == (409, "nothing_to_approve")
    company.edit(host, "/first")
    assert company.publish(host).json()["state"] == "live"


def test_an_approval_ends_when_its_author_edits_the_file(company):
    host = company.domain("/first")
    request = company.request(host)
    assert company.approve(request).json()["state"] == "approved"
    for rule in ("/second", "/first"):
        company.edit(host, rule, by=company.ada)
    assert company.show(request)["files"][0]["given"] == 0
    assert company.publish(host).status_code == 422
    assert company.approve(request, by=company.eve).json()["state"] == "approved"
    assert company.publish(host).json()["state"] == "live"


def test_an_edit_by_a_token_needs_one_more_approval(company):
    host = company.domain()
    answer = company.waymark.api(
        "PUT", f"/v1/domains/{host}/draft", draft("/by-a-token"), {"If-Match": "*"}, token=company.token)
    assert answer.status_code == 200
    request = company.request(host)
    assert request["files"][0]["required"] == 2
    assert company.approve(request).json()["state"] == "open"
    assert company.approve(request).json()["files"][0]["given"] == 1  # The same person counts once.
    assert company.publish(host).status_code == 422
    assert company.approve(request, by=company.eve).json()["state"] == "approved"
    assert company.publish(host).json()["state"] == "live"


def test_a_token_cannot_approve_or_reject(company):
    request = company.request(company.domain())
    for act, body in (("approvals", {}), ("rejections", {"reason": "no"})):
        answer = company.waymark.api(
            "POST", f"/v1/approval-requests/{request['id']}/{act}", body, token=company.token)
        assert problem(answer) == (403, "session_required")


def test_a_rejected_request_has_no_effect_any_more(company):
    host = company.domain()
    request = company.request(host)
    company.approve(request)
    rejected = company.made(
        company.eve, f"/v1/approval-requests/{request['id']}/rejections", {"reason": "the tests are missing"}, 200)
    assert (rejected["state"], rejected["reviews"][-1]["text"]) == ("rejected", "the tests are missing")
    assert company.publish(host).status_code == 422
    assert problem(company.approve(request)) == (409, "approval_request_ended")
    pending, ended = (
        company.owner.get("/v1/approval-requests", params={"state": state, "host": host}).json()["items"]
        for state in ("pending", "ended")
    )
    assert (pending, [item["id"] for item in ended]) == ([], [request["id"]])


def test_an_editor_cannot_take_approvals_away(company):
    request = company.request(company.domain())
    path = f"/v1/approval-requests/{request['id']}"
    company.approve(request)
    assert problem(company.bob.delete(path)) == (403, "role_needed")
    assert problem(company.bob.post(f"{path}/rejections", json={"reason": "no"})) == (403, "forbidden")
    assert company.eve.delete(path).json()["state"] == "cancelled"
    own = company.request(company.domain())
    assert company.bob.delete(f"/v1/approval-requests/{own['id']}").json()["state"] == "cancelled"
    others = company.request(company.domain(), by=company.ada)
    assert problem(company.bob.delete(f"/v1/approval-requests/{others['id']}")) == (403, "role_needed")


def test_an_approval_ends_with_the_right_to_publish(company):
    gus = company.join("gus", "publisher")
    host = company.domain()
    request = company.request(host)
    assert company.approve(request, by=gus).json()["state"] == "approved"
    company.waymark.cli(
        "user", "role", f"gus@{company.slug}.example", "viewer", "--organization", company.slug)
    assert company.show(request)["state"] == "open"
    assert company.publish(host).status_code == 422


def test_a_scheduled_publication_that_loses_its_approval_is_suspended(company):
    host = company.domain()
    request = company.request(host)
    company.approve(request)
    scheduled = company.publish(host, by=company.ada, at=moment(6))
    assert scheduled.status_code == 202, scheduled.text
    company.eve.post(f"/v1/approval-requests/{request['id']}/rejections", json={"reason": "wait"})
    path = f"/v1/domains/{host}/publications/{scheduled.json()['id']}"
    lacks = "the file has 0 of 1 required approvals"
    assert company.owner.get(path).json()["blockedReason"] == lacks
    eventually(lambda: company.owner.get(path).json()["state"] == "suspended")
    assert company.owner.get(path).json()["cause"] == lacks
    assert live(company, host) is None


def test_an_edit_after_the_approval_leaves_the_scheduled_file_approved(company):
    host = company.domain("/approved")
    company.approve(company.request(host))
    scheduled = company.publish(host, at=moment(4)).json()
    company.edit(host, "/later", by=company.ada)
    eventually(lambda: live(company, host) == scheduled["version"])


def test_going_back_needs_no_approval(company):
    host = company.domain("/one")
    company.approve(company.request(host))
    assert company.publish(host).json()["version"] == 1
    company.edit(host, "/two")
    company.approve(company.request(host))
    assert company.publish(host).json()["version"] == 2
    back = company.publish(host, version=1)
    assert (back.json()["state"], live(company, host)) == ("live", 1)


def test_a_saved_version_needs_approval_and_can_be_named_by_a_request(company):
    host = company.domain("/saved")
    saved = company.made(company.ada, f"/v1/domains/{host}/versions", {"message": "for later"})
    company.edit(host, "/newer")
    assert company.publish(host, version=saved["version"]).status_code == 422
    request = company.request(host, version=saved["version"])
    assert request["files"][0]["version"] == saved["version"] and request["files"][0]["outdated"] is False
    company.approve(request)
    assert company.publish(host, version=saved["version"]).json()["state"] == "live"
    assert company.publish(host).status_code == 422


def test_a_release_publishes_only_what_is_approved(company):
    approved, missing = company.domain("/a"), company.domain("/b")
    company.approve(company.request(approved))
    body = {"hosts": [approved, missing]}
    refused = company.waymark.release(body, token=company.token, state="refused")
    domains = company.owner.get(f"/v1/releases/{refused['id']}/domains").json()["items"]
    failures = {item["host"]: [failure["check"] for failure in item["failures"]] for item in domains}
    assert failures == {approved: [], missing: ["approval"]}
    request = company.request(missing)
    company.approve(request)
    assert company.waymark.release(body, token=company.token)["state"] == "live"
    assert company.show(request)["state"] == "published"
    # The rollback needs no approvals.
    company.edit(approved, "/c")
    company.approve(company.request(approved))
    second = company.waymark.release({"hosts": [approved]}, token=company.token)
    back = company.made(company.ada, f"/v1/releases/{second['id']}/rollbacks", {}, 202)
    eventually(lambda: company.owner.get(f"/v1/releases/{back['id']}").json()["state"] == "live")
    events = company.owner.get("/v1/events", params={"kind": "publication.live", "host": approved}).json()["items"]
    assert sorted(str(event["detail"]["back"]) for event in events) == ["None", "None", "True"]


def test_a_schedule_publishes_only_what_is_approved(company):
    approved, missing = company.domain("/d", labels=("guarded", "nightly")), company.domain(
        "/e", labels=("guarded", "nightly"))
    company.approve(company.request(approved))
    schedule = company.made(
        company.ada, "/v1/schedules",
        {"name": "nightly", "label": "nightly", "expression": "@yearly", "zone": "UTC"})
    run = company.made(company.ada, f"/v1/schedules/{schedule['id']}/runs", {}, 202)
    path = f"/v1/schedules/{schedule['id']}/runs/{run['id']}"
    eventually(lambda: company.owner.get(path).json()["state"] == "ended")
    outcomes = company.owner.get(f"{path}/outcomes").json()["items"]
    assert {item["host"]: item["outcome"] for item in outcomes} == {approved: "published", missing: "refused"}
    eventually(lambda: live(company, approved) == 1)
    assert live(company, missing) is None


def test_named_people_bypass_missing_approvals_with_a_reason(company):
    label = "urgent"
    policy = company.made(
        company.owner, "/v1/approval-policies",
        {"label": label, "approvals": 2, "bypassers": [f"EVE@{company.slug}.example"]})
    assert policy["bypassers"] == [f"eve@{company.slug}.example"]
    host = company.domain("/urgent", labels=(label,))
    assert problem(company.publish(host, by=company.eve, bypassApproval=True)) == (422, "invalid")
    # Not an owner, who is not named.
    refused = company.publish(host, by=company.owner, bypassApproval=True, reason="down")
    assert "not one of the people" in approval_check(refused)["detail"]
    done = company.publish(host, by=company.eve, bypassApproval=True, reason="the app is down")
    assert (done.json()["state"], done.json()["bypassApproval"]) == ("live", True)
    events = {event["kind"]: event for event in company.events(host)}
    bypass = events["approval.bypassed"]
    assert (bypass["reason"], bypass["actor"]["name"]) == ("the app is down", f"eve@{company.slug}.example")
    assert events["publication.created"]["reason"] == "the app is down"
    assert events["publication.live"]["detail"]["bypassApproval"] is True
    # Nothing is bypassed if nothing is missing.
    company.edit(host, "/calm")
    request = company.request(host)
    for person in (company.ada, company.owner):
        company.approve(request, by=person)
    calm = company.publish(host, by=company.eve, bypassApproval=True, reason="to be sure")
    assert (calm.json()["state"], calm.json()["bypassApproval"]) == ("live", False)
    answer = company.owner.get("/v1/events", params={"kind": "approval.bypassed", "host": host})
    assert len(answer.json()["items"]) == 1
    # A policy for all domains that does not name her stops her.
    everywhere = company.made(company.owner, "/v1/approval-policies", {"approvals": 1})
    company.edit(host, "/storm")
    assert company.publish(host, by=company.eve, bypassApproval=True, reason="again").status_code == 422
    assert company.owner.delete(f"/v1/approval-policies/{everywhere['id']}").status_code == 204


def test_a_release_marks_only_the_files_that_went_live_without_approval(company):
    label = "mixed"
    company.made(
        company.owner, "/v1/approval-policies",
        {"label": label, "approvals": 1, "bypassers": [f"eve@{company.slug}.example"]})
    guarded, free = company.domain("/guarded", labels=(label,)), company.domain("/free", labels=())
    body = {"hosts": [guarded, free], "bypassApproval": True, "reason": "the app is down"}
    release = company.made(company.eve, "/v1/releases", body, 202)
    eventually(lambda: company.owner.get(f"/v1/releases/{release['id']}").json()["state"] == "live")
    for host, bypassed in ((guarded, True), (free, False)):
        [publication] = company.owner.get(f"/v1/domains/{host}/publications").json()["items"]
        [event] = [event for event in company.events(host) if event["kind"] == "publication.live"]
        assert (publication["bypassApproval"], event["detail"]["bypassApproval"] is True) == (bypassed, bypassed)


def test_a_bypass_ends_with_the_right_to_it(company):
    label = "soon"
    policy = company.made(
        company.owner, "/v1/approval-policies",
        {"label": label, "approvals": 1, "bypassers": [f"eve@{company.slug}.example"]})
    host, other = (company.domain("/soon", labels=(label,)) for _ in range(2))
    bypass = {"bypassApproval": True, "reason": "the app is down", "at": moment(8)}
    publication = company.publish(host, by=company.eve, **bypass)
    assert (publication.status_code, publication.json()["bypassApproval"]) == (202, True)
    release = company.made(company.eve, "/v1/releases", {"hosts": [other], **bypass}, 202)
    eventually(lambda: company.owner.get(f"/v1/releases/{release['id']}").json()["state"] == "scheduled")
    path = f"/v1/approval-policies/{policy['id']}"
    assert company.owner.patch(path, json={"bypassers": []}).status_code == 200
    assert company.owner.get(f"/v1/releases/{release['id']}").json()["blockedReason"] == (
        f"the file of {other} lacks approvals")
    for path in (f"/v1/domains/{host}/publications/{publication.json()['id']}", f"/v1/releases/{release['id']}"):
        eventually(lambda: company.owner.get(path).json()["state"] == "suspended")
    assert live(company, host) is None and live(company, other) is None


@pytest.mark.parametrize("end", [("role", "viewer"), ("remove",)], ids=["demoted", "removed"])
def test_a_bypass_ends_with_the_right_to_publish(company, end):
    command, *role = end
    name, label = f"fay-{command}", f"late-{command}"
    address = f"{name}@{company.slug}.example"
    fay = company.join(name, "publisher")
    policy = company.made(
        company.owner, "/v1/approval-policies", {"label": label, "approvals": 1, "bypassers": [address]})
    host, other = (company.domain("/late", labels=(label,)) for _ in range(2))
    bypass = {"bypassApproval": True, "reason": "the app is down", "at": moment(8)}
    publication = company.publish(host, by=fay, **bypass).json()
    release = company.made(fay, "/v1/releases", {"hosts": [other], **bypass}, 202)
    eventually(lambda: company.owner.get(f"/v1/releases/{release['id']}").json()["state"] == "scheduled")
    company.waymark.cli("user", command, address, *role, "--organization", company.slug)
    for path in (f"/v1/domains/{host}/publications/{publication['id']}", f"/v1/releases/{release['id']}"):
        eventually(lambda: company.owner.get(path).json()["state"] == "suspended")
    assert live(company, host) is None and live(company, other) is None
    if command == "remove":
        shown = company.owner.get(f"/v1/approval-policies/{policy['id']}").json()
        assert shown["bypassers"] == []
        again = company.join(name, "publisher")
        del bypass["at"]
        assert company.publish(host, by=again, **bypass).status_code == 422


def test_a_release_can_bypass_too(company):
    label = "urgent-release"
    company.made(
        company.owner, "/v1/approval-policies",
        {"label": label, "approvals": 1, "bypassers": [f"eve@{company.slug}.example"]})
    host = company.domain("/urgent", labels=(label,))
    for person, state in ((company.ada, "refused"), (company.eve, "live")):
        made = company.made(
            person, "/v1/releases", {"hosts": [host], "bypassApproval": True, "reason": "the app is down"}, 202)
        eventually(lambda: company.owner.get(f"/v1/releases/{made['id']}").json()["state"] == state)
    answer = company.owner.get("/v1/events", params={"kind": "approval.bypassed", "host": host})
    assert [event["detail"]["files"] for event in answer.json()["items"]] == [1]


def test_only_an_owner_sets_policies(company):
    admin = company.join("amy", "admin")
    path = f"/v1/approval-policies/{company.policy['id']}"
    assert problem(admin.post("/v1/approval-policies", json={"approvals": 1})) == (403, "forbidden")
    assert problem(admin.patch(path, json={"approvals": 2})) == (403, "forbidden")
    assert problem(admin.delete(path)) == (403, "forbidden")
    token = company.waymark.token(role="owner", organization=company.slug)
    assert problem(company.waymark.api("DELETE", path, token=token)) == (403, "session_required")
    assert admin.get(path).json() == company.policy
    assert problem(company.owner.post("/v1/approval-policies", json={"label": "guarded", "approvals": 2})) == (
        409, "exists")
    stranger = company.owner.patch(path, json={"bypassers": ["nobody@example.com"]})
    assert stranger.json()["errors"][0]["pointer"] == "/bypassers"
    assert "nobody@example.com is not a member" in stranger.json()["errors"][0]["detail"]


def test_only_an_owner_takes_a_domain_out_of_a_policy(company):
    host = company.domain()
    for labels in ([], ["other"]):
        for person in (company.bob, company.ada, company.join(f"amy-{len(labels)}", "admin")):
            assert problem(person.patch(f"/v1/domains/{host}", json={"labels": labels})) == (403, "role_needed")
    assert company.owner.patch(f"/v1/domains/{host}", json={"labels": []}).status_code == 200
    assert company.publish(host).json()["state"] == "live"
    # Nor does anyone else put it back, which could stop a scheduled publication.
    assert problem(company.ada.patch(f"/v1/domains/{host}", json={"labels": ["guarded"]})) == (403, "role_needed")


def test_the_policy_of_an_alias_counts_for_its_domain(company):
    host = company.domain(labels=())
    alias = f"www.{host}"
    company.made(company.owner, "/v1/domains", {"host": alias, "aliasOf": host, "labels": ["guarded"]})
    assert approval_check(company.publish(host))["outcome"] == "failed"
    # So only an owner ends that it serves the domain.
    assert problem(company.ada.patch(f"/v1/domains/{alias}", json={"aliasOf": None})) == (403, "role_needed")
    assert problem(company.ada.delete(f"/v1/domains/{alias}")) == (403, "role_needed")
    assert company.owner.delete(f"/v1/domains/{alias}").status_code == 204


def test_only_an_owner_makes_a_host_with_a_policy_an_alias(company):
    free, guarded = company.domain("/free", labels=()), company.domain("/guarded")
    assert company.publish(free).json()["state"] == "live"
    # The alias would serve a file that nobody approved for it, and impose its policy on the other domain.
    joining = {"aliasOf": free}
    assert problem(company.ada.patch(f"/v1/domains/{guarded}", json=joining)) == (403, "role_needed")
    fresh = {"host": f"pay.{free}", "labels": ["guarded"], **joining}
    for person in (company.bob, company.ada):
        assert problem(person.post("/v1/domains", json=fresh)) == (403, "role_needed")
    assert live(company, guarded) is None
    # A domain with the same policy has an approved file already.
    company.made(company.ada, "/v1/domains", {"host": f"www.{guarded}", "aliasOf": guarded, "labels": ["guarded"]})
    company.made(company.owner, "/v1/domains", fresh)


def test_later_edits_do_not_void_the_approval_of_a_saved_version(company):
    host = company.domain("/approved")
    company.approve(company.request(host))
    publication = company.publish(host, at=moment(6)).json()
    edit = company.waymark.api(
        "PUT", f"/v1/domains/{host}/draft", draft("/later"), {"If-Match": "*"}, token=company.token)
    assert edit.status_code == 200
    company.edit(host, "/approved", by=company.ada)
    path = f"/v1/domains/{host}/publications/{publication['id']}"
    assert company.owner.get(path).json()["blockedReason"] is None
    eventually(lambda: company.owner.get(path).json()["state"] == "live")


def test_an_approval_does_not_count_again_for_a_person_who_comes_back(company):
    host = company.domain("/back")
    request = company.request(host)
    zoe = company.join("zoe", "publisher")
    assert company.approve(request, by=zoe).json()["state"] == "approved"
    address = f"zoe@{company.slug}.example"
    company.waymark.cli("user", "remove", address, "--organization", company.slug)
    assert company.show(request)["state"] == "open"
    company.join("zoe", "publisher")
    assert company.show(request)["state"] == "open"
    # Zoe can approve once more.
    zoe = company.join("zoe-2", "publisher")
    assert company.approve(request, by=zoe).json()["state"] == "approved"


def test_only_an_owner_deletes_a_domain_with_a_policys_label(company):
    host = f"deleted.{company.domain()}"
    company.made(company.bob, "/v1/domains", {"host": host, "labels": ["guarded"]})
    for person in (company.bob, company.ada):
        assert problem(person.delete(f"/v1/domains/{host}")) == (403, "role_needed")
    assert company.owner.delete(f"/v1/domains/{host}").status_code == 204


def test_a_request_leaves_out_what_needs_no_approval(company):
    free, guarded = company.domain(labels=()), company.domain()
    assert company.request(free, guarded)["hosts"] == [guarded]
    answer = company.bob.post("/v1/approval-requests", json={"hosts": [free], "message": "x"})
    assert problem(answer) == (409, "nothing_to_approve")
    for body in ({}, {"hosts": [], "message": "x"}, {"hosts": [free], "label": "guarded", "message": "x"},
                 {"hosts": [free, guarded], "version": 1, "message": "x"}, {"hosts": [guarded], "message": " "}):
        assert company.bob.post("/v1/approval-requests", json=body).status_code == 422, body


def test_the_command_requests_shows_comments_and_cancels(company):
    def command(*arguments):
        return subprocess.run(
            [EXECUTABLE, "approval", *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            env={"LANG": "C.UTF-8", "WAYMARK_URL": company.waymark.url, "WAYMARK_TOKEN": company.token},
        )

    host = company.domain()
    made = command("request", host, "--message", "the sale")
    assert made.returncode == 0, made.stderr
    id = made.stdout.split()[0]
    assert made.stdout == f"{id}  open  {host}  the sale\n  {host}: 0 of 1 approvals\n"
    assert command("show", id).returncode == 1
    listed = command("list", "--pending", "--host", host, "--json")
    assert [item["id"] for item in json.loads(listed.stdout)] == [id]
    assert "  comment by test-publisher: is it tested?\n" in command("comment", id, "is it tested?").stdout
    assert company.approve({"id": id}, text="yes").json()["state"] == "approved"
    shown = command("show", id)
    assert shown.returncode == 0 and f"  {host}: 1 of 1 approvals\n" in shown.stdout
    assert f"  approval by ada@{company.slug}.example: yes\n" in shown.stdout
    assert command("cancel", id).stdout.startswith(f"{id}  cancelled  ")
    again = command("cancel", id)
    assert again.returncode == 1 and "already cancelled" in again.stderr
    nothing = command("request", company.domain(labels=()), "--message", "why")
    assert nothing.returncode == 1 and "No file needs approval" in nothing.stderr
    assert command("request", "--message", "why").returncode == 2
