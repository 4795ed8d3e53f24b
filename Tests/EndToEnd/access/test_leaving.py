"""An organization leaves: its export, its restoration elsewhere, and its deletion."""

import json

import pytest

from contract import things
from installation import eventually
from samples import draft

DELETION = "/v1/organization/deletion"
RESTORATIONS = "/v1/organization/restorations"
# What stays of a deleted organization: the sealed trail, and what still has to be sealed.
KEPT = {"audit_entries", "audit_checkpoints", "events", "unplaced_events", "unsealed_trails"}
# What a worker changes in the trail of any organization, within a minute.
SEALING = {"audit_checkpoints", "unsealed_trails", "unplaced_events"}


def exported(waymark, token):
    """The records of an organization, as pairs of kind and value."""
    printed = waymark.cli("export", "--url", waymark.url, environment={"WAYMARK_TOKEN": token}).stdout
    return [(record["kind"], record["value"]) for record in map(json.loads, printed.splitlines())]


def restored(waymark, records, token, **more):
    body = {"records": [{"kind": kind, "value": value} for kind, value in records]}
    return waymark.api("POST", RESTORATIONS, body, token=token, **more)


# The deletion


@pytest.mark.parametrize("role", ["viewer", "editor", "publisher", "admin", "owner"])
def test_only_an_owner_in_person_requests_the_deletion(waymark, role):
    slug = waymark.create_organization()
    refused = waymark.api("POST", DELETION, {"slug": slug}, token=waymark.token(role, slug))
    assert (refused.status_code, refused.json()["code"]) == (403, "session_required")
    person = waymark.session(role, slug)
    for method, body in [("POST", {"slug": slug}), ("DELETE", None)]:
        answer = waymark.api(method, DELETION, body, person, token=False)
        assert answer.status_code == (200 if role == "owner" else 403), answer.text


def test_the_request_repeats_the_slug_and_can_be_cancelled(waymark):
    slug = waymark.create_organization()
    owner = waymark.session(organization=slug)
    wrong = waymark.api("POST", DELETION, {"slug": "other"}, owner, token=False)
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0] | {"detail": ""} == {"pointer": "/slug", "code": "wrong_slug", "detail": ""}
    assert slug in wrong.json()["errors"][0]["detail"]
    assert waymark.api("GET", "/v1/organization", None, owner, token=False).json()["deletion"] is None
    first = waymark.api("POST", DELETION, {"slug": slug}, owner, token=False).json()["deletion"]
    # A second request does not move the time.
    assert waymark.api("POST", DELETION, {"slug": slug}, owner, token=False).json()["deletion"] == first
    assert first["requestedBy"] == f"session-owner@{slug}.example"
    me = waymark.api("GET", "/v1/me", None, owner, token=False).json()
    assert me["organizations"][0]["deletionDueAt"] == first["dueAt"]
    assert waymark.api("DELETE", DELETION, None, owner, token=False).json()["deletion"] is None
    events = waymark.api("GET", "/v1/events?kind=organization&sort=newest", None, owner, token=False).json()["items"]
    kinds = [event["kind"] for event in events]
    assert kinds[:2] == ["organization.deletion_cancelled", "organization.deletion_requested"]


def rows(cluster, organization):
    """The tables that have rows of an organization."""
    tables = cluster.sql(
        "select relname from pg_class join pg_attribute on attrelid = pg_class.oid"
        " where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'organization_id'"
    ).splitlines()
    assert len(tables) > 40
    count = "select count(*) from {} where organization_id = '" + organization + "'"
    return {table for table in tables if cluster.sql(count.format(table)) != "0"}


def test_a_deleted_organization_leaves_only_its_trail(external):
    waymark, cluster = external
    slug, other = waymark.create_organization(), waymark.create_organization()
    token = waymark.token(organization=slug)
    create = waymark.new_domain

    def new_domain(*arguments, organization=slug, **more):
        host = create(*arguments, **more)
        waymark.cli("domain", "verify", host, "--organization", organization)
        return host

    waymark.new_domain = new_domain
    things(waymark, token)
    host = waymark.new_domain(draft("/bye"), token=token)
    waymark.publish(host, token=token)
    alias = waymark.new_domain(token=token, aliasOf=host)
    eventually(lambda: waymark.edge(alias).status_code == 200, 30)
    # One of its members belongs to another organization too.
    waymark.cli("user", "add", f"owner@{other}.example", "--organization", slug, "--role", "viewer")
    organization = cluster.sql(f"select id from organizations where slug = '{slug}'")
    others = cluster.sql(f"select id from organizations where slug = '{other}'")
    untouched = rows(cluster, others) - SEALING
    before = rows(cluster, organization)
    assert {"versions", "claims", "releases", "schedules", "approval_requests", "memberships", "jobs"} <= before

    waymark.cli("organization", "delete", slug, "--now")
    eventually(lambda: waymark.api("GET", "/v1/me", token=token).status_code == 401, 30, what="a refused token")
    for gone in (host, alias):
        eventually(lambda: waymark.edge(gone).status_code == 404, 30, what="a host out of service")
    done = "select count(*) from jobs where organization_id = '" + organization + "'"
    eventually(lambda: cluster.sql(done) == "0", 180, what="the end of the deletion")
    assert rows(cluster, organization) <= KEPT
    assert rows(cluster, others) - SEALING == untouched
    people = cluster.sql("select email from users").splitlines()
    assert f"owner@{slug}.example" not in people and f"owner@{other}.example" in people
    name = cluster.sql(f"select name from organizations where id = '{organization}'")
    assert name == "Deleted organization"
    trail = cluster.sql(f"select action from audit_entries where organization_id = '{organization}'").splitlines()
    assert "organization.deleted" in trail and trail.count("domain.deleted") >= 2

    # The operator can still export the trail, and it is intact.
    left = waymark.token("admin", "deleted-" + organization.replace("-", ""))
    trail = waymark.cli("audit", "export", "--url", waymark.url, environment={"WAYMARK_TOKEN": left}).stdout
    key = waymark.cli("key").stdout.strip()
    verified = waymark.cli("audit", "verify", "--key", key, "-", input=trail).stdout
    assert "domain.deleted" in trail and "intact" in verified

    # The slug and the hosts are free again.
    waymark.create_organization(slug, owner=f"new@{slug}.example")
    theirs = waymark.token(organization=other)
    waymark.new_domain(draft("/new"), token=theirs, host=host, organization=other)
    assert waymark.api("GET", f"/v1/domains/{host}", token=theirs).json()["state"] == "unpublished"
    waymark.publish(host, token=theirs)
    eventually(lambda: waymark.edge(host).status_code == 200, 30, what="the new owner's file")


def test_the_operator_keeps_an_organization(waymark):
    slug = waymark.create_organization()
    told = waymark.cli("organization", "delete", slug).stdout
    assert told.startswith(f"{slug} will be deleted on ")
    token = waymark.token(organization=slug)
    assert waymark.api("GET", "/v1/organization", token=token).json()["deletion"]["requestedBy"]
    assert waymark.cli("organization", "keep", slug).stdout == f"{slug} stays.\n"
    assert waymark.api("GET", "/v1/organization", token=token).json()["deletion"] is None


# The export and its restoration


@pytest.fixture(scope="module")
def source(waymark):
    """A token of an organization with one thing of every kind, and two versions of a file."""
    token = waymark.token(organization=waymark.create_organization())
    things(waymark, token)
    host = waymark.new_domain(draft("/first"), token=token, labels=["shop"])
    waymark.publish(host, token=token)
    waymark.put_draft(host, draft("/second"), token=token)
    waymark.publish(host, token=token)
    waymark.new_domain(token=token, host="a-" + host, aliasOf=host)
    daily = {"name": "daily", "host": host, "expression": "@daily", "zone": "UTC"}
    schedule = waymark.api("POST", "/v1/schedules", daily, token=token).json()["id"]
    waymark.put_draft(host, draft("/third"), token=token)
    run = waymark.api("POST", f"/v1/schedules/{schedule}/runs", token=token).headers["Location"]
    eventually(lambda: waymark.api("GET", run, token=token).json()["outcomes"]["published"] == 1, 30)
    return token


def comparable(records):
    """What a restoration brings back, without times and states."""
    members = {
        "team": ["teamID", "name"],
        "app": ["appID", "teamID", "name", "kind", "appStoreID"],
        "domain": ["host", "labels", "document", "tests"],
        "alias": ["host", "aliasOf", "labels"],
        "version": ["host", "version", "sha256", "message", "file"],
        "schedule": ["name", "host", "label", "expression", "zone", "message", "catchUpSeconds"],
        "approvalPolicy": ["label", "approvals"],
    }
    return [
        (kind, {name: value[name] for name in members[kind] if name in value})
        for kind, value in records
        if kind in members
    ]


def test_an_export_has_every_kind_and_no_secret(waymark, source):
    records = exported(waymark, source)
    kinds = {kind for kind, _ in records}
    assert kinds == {
        "organization", "team", "app", "domain", "alias", "version", "schedule", "freeze", "approvalPolicy",
        "publication", "withdrawal", "run", "outcome", "release", "releaseDomain", "approvalRequest",
        "member", "invitation", "token", "trust",
    }  # fmt: skip
    runs = {value["id"] for kind, value in records if kind == "run"}
    assert [value["run"] in runs for kind, value in records if kind == "outcome"] == [True]
    releases = {value["id"] for kind, value in records if kind == "release"}
    assert {value["release"] for kind, value in records if kind == "releaseDomain"} == releases
    assert records[0][0] == "organization" and records[0][1]["format"] == 1
    assert source not in json.dumps(records)


def test_an_export_comes_in_parts(waymark, source):
    parts, path = 0, "/v1/organization/export"
    for _ in range(50):
        answer = waymark.api("GET", path, token=source)
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        parts += 1
        if "next" not in answer.links:
            break
        path = answer.links["next"]["url"]
    assert parts >= 1
    foreign = waymark.api("GET", "/v1/organization/export?cursor=abc", token=source)
    assert (foreign.status_code, foreign.json()["code"]) == (422, "invalid_parameter")


def test_an_export_is_restored_into_another_organization(waymark, source, tmp_path):
    records = exported(waymark, source)
    file = tmp_path / "export.ndjson"
    file.write_text("".join(json.dumps({"kind": kind, "value": value}) + "\n" for kind, value in records))
    target = waymark.token(organization=waymark.create_organization())
    settings = {"WAYMARK_TOKEN": target}
    told = waymark.cli("restore", file, "--url", waymark.url, "--json", environment=settings).stdout
    # A token cannot require approvals.
    wanted = [item for item in comparable(records) if item[0] != "approvalPolicy"]
    assert json.loads(told) == {"restored": len(wanted), "existing": 0, "ignored": len(records) - len(wanted)}
    found = exported(waymark, target)
    assert comparable(found) == wanted
    # Nothing is live, and no schedule runs.
    assert {value["verified"] for kind, value in found if kind == "domain"} == {False}
    assert {value["state"] for kind, value in found if kind == "schedule"} == {"paused"}
    # A second time, everything exists.
    told = waymark.cli("restore", file, "--url", waymark.url, environment=settings).stdout
    assert told.startswith(f"0 restored, {len(wanted)} existed already, ")


def test_a_person_who_has_confirmed_restores_approval_policies(external):
    waymark, cluster = external
    body = {"records": [{"kind": "approvalPolicy", "value": {"label": None, "approvals": 2}}]}
    slug = waymark.create_organization()
    answer = waymark.api("POST", RESTORATIONS, body, waymark.session("owner", slug), token=False)
    assert answer.json() == {"restored": 1, "existing": 0, "ignored": 0}
    [policy] = waymark.api("GET", "/v1/approval-policies", token=waymark.token("viewer", slug)).json()["items"]
    assert (policy["approvals"], policy["bypassers"]) == (2, [])
    other = waymark.create_organization()
    owner = waymark.session("owner", other)
    cluster.sql(
        "update sessions set confirmed_at = confirmed_at - interval '11 minutes' where user_id ="
        f" (select id from users where email = 'session-owner@{other}.example')"
    )
    answer = waymark.api("POST", RESTORATIONS, body, owner, token=False)
    assert (answer.status_code, answer.json()["code"]) == (403, "confirmation_required")


def test_the_files_of_versions_are_written(waymark, source, tmp_path):
    folder = tmp_path / "files"
    waymark.cli("export", "--files", folder, "--url", waymark.url, environment={"WAYMARK_TOKEN": source})
    files = [value for kind, value in exported(waymark, source) if kind == "version"]
    assert files
    for version in files:
        assert (folder / version["host"] / f"{version['version']}.json").read_text() == version["file"]


def test_a_refused_record_is_named_and_nothing_is_restored(waymark, tmp_path):
    token = waymark.token(organization=waymark.create_organization())
    team = ("team", {"teamID": "ABCDE12345", "name": "Team"})
    for bad, code in [
        (("app", {"teamID": "ABCDE12345", "bundleID": "not an id"}), "invalid_bundle_id"),
        (("version", {"host": "missing.example", "version": 1, "file": "{}"}), "unknown_domain"),
        (("domain", {"host": "drafts.example", "document": {"entries": 5}}), "wrong_type"),
    ]:
        answer = restored(waymark, [team, bad], token)
        assert answer.status_code == 422, answer.text
        problem = answer.json()
        assert (problem["record"], problem["errors"][0]["code"]) == (1, code)
    assert waymark.api("GET", "/v1/teams", token=token).json()["items"] == []
    file = tmp_path / "bad.ndjson"
    file.write_text('{"kind":"team","value":{"teamID":"ABCDE12345","name":"Team"}}\n{"kind":"team","value":{}}\n')
    refused = waymark.cli(
        "restore", file, "--url", waymark.url, check=False, environment={"WAYMARK_TOKEN": token})
    assert refused.returncode == 1 and f"{file}:2:" in refused.stderr


def test_versions_are_restored_in_their_order(waymark):
    token = waymark.token(organization=waymark.create_organization())
    host = waymark.new_domain(token=token)
    version = {"host": host, "version": 2, "file": '{"applinks":{"details":[]}}'}
    answer = restored(waymark, [("version", version)], token)
    assert answer.json()["errors"][0]["code"] == "out_of_order"
    answer = restored(waymark, [("version", version | {"version": 1}), ("version", version)], token)
    assert answer.json() == {"restored": 2, "existing": 0, "ignored": 0}


def test_a_restored_version_must_pass_the_gate_before_it_goes_live(waymark):
    token = waymark.token(organization=waymark.create_organization())
    host = waymark.new_domain(token=token)
    for number, file in enumerate(["not a file", '{"applinks":5}'], start=1):
        answer = restored(waymark, [("version", {"host": host, "version": number, "file": file})], token)
        assert answer.status_code == 200, answer.text
        refused = waymark.api("POST", f"/v1/domains/{host}/publications", {"version": number}, token=token)
        assert (refused.status_code, refused.json()["code"]) == (422, "gate_refused")


def test_only_owners_export_and_restore(waymark):
    slug = waymark.create_organization()
    for role in ["viewer", "editor", "publisher", "admin"]:
        token = waymark.token(role, slug)
        assert waymark.api("GET", "/v1/organization/export", token=token).status_code == 403
        assert restored(waymark, [], token).status_code == 403
