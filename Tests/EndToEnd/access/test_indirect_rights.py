"""A lower role cannot cause, now or later, an effect that only a higher role may decide. The tests cover the rows of
the table "Indirect rights" in docs/threat-model.md."""

import re
import time
from datetime import UTC, datetime, timedelta

import pytest

from contract import OPERATIONS
from installation import REPOSITORY, eventually
from samples import APP, OTHER_APP, draft
from withdrawals import served

MODEL = (REPOSITORY / "docs/threat-model.md").read_text()


def moment(**ahead):
    return f"{datetime.now(UTC) + timedelta(**ahead):%Y-%m-%dT%H:%M:%SZ}"


class Organization:
    """An organization, and requests with each of its roles."""

    def __init__(self, waymark):
        self.waymark = waymark
        self.slug = waymark.create_organization()
        self.count = 0

    def token(self, role):
        return self.waymark.token(role, self.slug)

    def ask(self, role, method, path, body=None, **more):
        return self.waymark.api(method, path, body, token=self.token(role), **more)

    def done(self, role, method, path, body=None, **more):
        """The answer to a request that is allowed."""
        answer = self.ask(role, method, path, body, **more)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    def refused(self, role, needed, because, method, path, body=None):
        """The role may use the route, but not make this change."""
        answer = self.ask(role, method, path, body)
        assert (answer.status_code, answer.json()["code"]) == (403, "role_needed"), answer.text
        assert answer.json()["role"] == needed
        assert f"requires the role {needed} in the organization; yours is {role}. Reason: " in answer.json()["detail"]
        assert because in answer.json()["detail"], answer.text

    def domain(self, path=None, **fields):
        return self.waymark.new_domain(draft(path) if path else None, self.token("owner"), **fields)

    def name(self, stem):
        self.count += 1
        return f"{stem}-{self.count}"

    def live(self, path="/1", **fields):
        host = self.domain(path, **fields)
        self.waymark.publish(host, self.token("owner"))
        return host

    def state(self, host):
        return self.done("viewer", "GET", f"/v1/domains/{host}")

    def schedule(self, role="publisher", **target):
        body = {"name": self.name("yearly"), "expression": "0 0 29 2 *", "zone": "UTC", **target}
        return self.done(role, "POST", "/v1/schedules", body)

    def freeze(self, **fields):
        body = {"reason": "the sale", "endsAt": moment(hours=1), **fields}
        return self.done("publisher", "POST", "/v1/freezes", body)


@pytest.fixture(scope="module")
def acme(waymark):
    acme = Organization(waymark)
    acme.done("owner", "POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"})
    for app in (APP, OTHER_APP):
        acme.done("owner", "POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": app.partition(".")[2]})
    return acme


# A publisher's decisions about a domain. Each function makes a decision, and returns a function that undoes it and the
# expected text.


def is_live(acme, host):
    acme.waymark.publish(host, acme.token("owner"))
    return None, f"{host} is live"


def has_a_publication(acme, host):
    path = f"/v1/domains/{host}/publications"
    id = acme.done("publisher", "POST", path, {"at": moment(hours=1)})["id"]
    return (lambda: acme.done("publisher", "DELETE", f"{path}/{id}")), f"the publication {id} of version 1"


def is_in_a_release(acme, host):
    id = acme.done("publisher", "POST", "/v1/releases", {"hosts": [host], "at": moment(hours=1)})["id"]
    eventually(lambda: acme.done("viewer", "GET", f"/v1/releases/{id}")["state"] == "scheduled")
    return (lambda: acme.done("publisher", "DELETE", f"/v1/releases/{id}")), f"the release {id}"


def has_a_schedule(acme, host):
    made = acme.schedule(host=host)
    path = f"/v1/schedules/{made['id']}"
    return (lambda: acme.done("publisher", "DELETE", path, headers={"If-Match": "*"})), f"the schedule {made['name']}"


def has_a_label_of_a_schedule(acme, host):
    label = acme.name("label")
    acme.done("editor", "PATCH", f"/v1/domains/{host}", {"labels": [label]})
    acme.schedule(label=label)
    return None, f"the label {label} of {host}"


def is_frozen(acme, host):
    label = acme.name("label")
    acme.done("editor", "PATCH", f"/v1/domains/{host}", {"labels": [label]})
    acme.freeze(label=label)
    return None, f"{host} is frozen"


PENDING = [has_a_publication, is_in_a_release, has_a_schedule]
DECIDED = [is_live, *PENDING, has_a_label_of_a_schedule, is_frozen]


@pytest.mark.parametrize("decide", DECIDED)
def test_an_alias_of_a_domain_with_decisions_requires_a_publisher(acme, decide):
    target, host = acme.domain("/1"), acme.domain()
    _, words = decide(acme, target)
    new = {"host": acme.waymark.new_host(), "aliasOf": target}
    acme.refused("editor", "publisher", words, "POST", "/v1/domains", new)
    acme.refused("editor", "publisher", words, "PATCH", f"/v1/domains/{host}", {"aliasOf": target})
    assert acme.state(target)["aliases"] == []
    # Not verified yet: it would be served as soon as the operator verifies it.
    new["host"] = f"{host}.com"
    acme.refused("editor", "publisher", words, "POST", "/v1/domains", new)
    acme.done("publisher", "POST", "/v1/domains", new)
    acme.refused("editor", "publisher", words, "PATCH", f"/v1/domains/{host}.com", {"aliasOf": None})
    acme.refused("editor", "publisher", words, "DELETE", f"/v1/domains/{host}.com")
    acme.done("publisher", "PATCH", f"/v1/domains/{host}.com", {"aliasOf": None})
    acme.done("publisher", "PATCH", f"/v1/domains/{host}", {"aliasOf": target})


def test_an_editor_can_add_aliases_of_domains_without_decisions(acme):
    target = acme.domain("/1")
    host = acme.waymark.new_host()
    # Nobody can register a name under .example. Other names are verified by a publisher or by the operator.
    assert acme.done("editor", "POST", "/v1/domains", {"host": host})["state"] == "unpublished"
    named = acme.done("editor", "POST", "/v1/domains", {"host": f"{host}.com", "aliasOf": target})
    assert (named["verified"], named["live"]) == (False, None)
    verification = {"method": "local"}
    assert acme.ask("editor", "POST", f"/v1/domains/{host}.com/verifications", verification).status_code == 403
    for aliasOf in (target, None, target):
        assert acme.done("editor", "PATCH", f"/v1/domains/{host}", {"aliasOf": aliasOf})["aliasOf"] == aliasOf
    assert acme.state(host)["live"] is None
    acme.waymark.publish(target, acme.token("publisher"))
    assert acme.state(host)["live"]["version"] == 1
    chained = acme.ask("owner", "POST", "/v1/domains", {"host": acme.waymark.new_host(), "aliasOf": host})
    assert chained.status_code == 422 and "is itself an alias" in chained.text


@pytest.mark.parametrize("role", ["editor", "publisher"])
@pytest.mark.parametrize("decide", PENDING)
def test_a_domain_cannot_become_an_alias_while_something_is_pending(acme, decide, role):
    target, host = acme.live(), acme.domain("/1")
    undo, words = decide(acme, host)
    refused = acme.ask(role, "PATCH", f"/v1/domains/{host}", {"aliasOf": target})
    assert (refused.status_code, refused.json()["code"]) == (409, "in_use"), refused.text
    assert refused.json()["where"] == [words]
    assert words in refused.json()["detail"] and "Cancel or delete" in refused.json()["detail"]
    undo()
    acme.refused("editor", "publisher", f"{target} is live", "PATCH", f"/v1/domains/{host}", {"aliasOf": target})
    acme.done("publisher", "PATCH", f"/v1/domains/{host}", {"aliasOf": target})
    assert acme.state(host)["live"]["version"] == 1


@pytest.mark.parametrize("decide", [has_a_label_of_a_schedule, is_frozen])
def test_frozen_or_labelled_domains_join_and_leave_only_by_a_publisher(acme, decide):
    target, host = acme.domain(), acme.domain("/1")
    _, words = decide(acme, host)
    path = f"/v1/domains/{host}"
    acme.refused("editor", "publisher", words, "PATCH", path, {"aliasOf": target})
    acme.done("publisher", "PATCH", path, {"aliasOf": target})
    acme.refused("editor", "publisher", words, "PATCH", path, {"aliasOf": None})
    acme.done("publisher", "PATCH", path, {"aliasOf": None})


def test_a_label_that_only_looks_the_same_is_another_label(acme):
    """A composed and a decomposed letter are equal in Swift and different in the database."""
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    host = acme.domain("/1", labels=[composed])
    acme.freeze(label=composed)
    path = f"/v1/domains/{host}"
    acme.refused("editor", "publisher", f"the label {composed}", "PATCH", path, {"labels": [decomposed]})
    assert acme.state(host)["freeze"]["label"] == composed


def test_a_served_file_changes_only_by_a_publication_and_not_by_an_alias(acme):
    target, host = acme.live(), acme.live("/2")
    alias = acme.domain(aliasOf=target)
    for host, aliasOf in [(host, target), (alias, host), (alias, None)]:
        refused = acme.ask("owner", "PATCH", f"/v1/domains/{host}", {"aliasOf": aliasOf})
        assert (refused.status_code, refused.json()["code"]) == (409, "domain_is_served")


def test_deleting_and_adding_a_domain_does_not_remove_a_publishers_decision(acme):
    verified = acme.domain()
    words = f"{verified} is verified, and deleting it ends the verification"
    acme.refused("editor", "publisher", words, "DELETE", f"/v1/domains/{verified}")
    acme.done("publisher", "DELETE", f"/v1/domains/{verified}")
    for decide in [has_a_label_of_a_schedule, is_frozen]:
        host = f"{acme.waymark.new_host()}.com"
        acme.done("editor", "POST", "/v1/domains", {"host": host})
        decide(acme, host)
        [label] = acme.state(host)["labels"]
        words = f"a schedule or a freeze uses the label {label}"
        acme.refused("editor", "publisher", words, "DELETE", f"/v1/domains/{host}")
        acme.refused("editor", "publisher", words, "PATCH", f"/v1/domains/{host}", {"labels": []})
        again = {"host": f"{host}.net", "labels": [label]}
        acme.refused("editor", "publisher", words, "POST", "/v1/domains", again)
        acme.done("publisher", "DELETE", f"/v1/domains/{host}")
    plain = {"host": f"{acme.waymark.new_host()}.com", "labels": ["plain"]}
    acme.done("editor", "POST", "/v1/domains", plain)
    acme.done("editor", "DELETE", f"/v1/domains/{plain['host']}")


def test_a_release_keeps_the_domains_that_had_its_label_at_creation(acme):
    label = acme.name("label")
    host, later = acme.domain("/1", labels=[label]), acme.domain("/later")
    made = acme.done("publisher", "POST", "/v1/releases", {"label": label, "at": moment(hours=1)})
    path = f"/v1/releases/{made['id']}"
    eventually(lambda: acme.done("viewer", "GET", path)["state"] == "scheduled")
    acme.done("editor", "PATCH", f"/v1/domains/{later}", {"labels": [label]})
    acme.done("editor", "PATCH", f"/v1/domains/{host}", {"labels": []})
    assert [one["host"] for one in acme.done("viewer", "GET", f"{path}/domains")["items"]] == [host]
    acme.done("publisher", "DELETE", path)


def test_edits_do_not_change_or_stop_a_scheduled_publication(acme):
    """Drafts, resets of them, tests, replacements, imports and registered apps."""
    host = acme.live()
    acme.waymark.put_draft(host, draft("/2"), acme.token("editor"))
    path = f"/v1/domains/{host}"
    made = acme.done("publisher", "POST", f"{path}/publications", {"at": moment(seconds=15)})
    saved = acme.ask("viewer", "GET", f"{path}/versions/2/file").content
    failing = {"url": "/2", "expected": {"outcome": "none"}}
    test = acme.done("editor", "POST", f"{path}/tests", failing)
    acme.done("editor", "DELETE", f"{path}/tests/{test['id']}", headers={"If-Match": "*"})
    acme.done("editor", "POST", f"{path}/test-imports", {"tests": [failing]}, params={"replace": "true"})
    acme.done("editor", "POST", f"/v1/apps/{APP}/replacements", {"with": OTHER_APP, "hosts": [host]})
    eventually(lambda: OTHER_APP in acme.ask("viewer", "GET", f"{path}/draft").text)
    acme.done("editor", "POST", f"{path}/import", {"applinks": {}}, params={"register": "true"}, headers={"If-Match": "*"})
    acme.done("editor", "POST", f"{path}/draft/resets", {"version": 1}, headers={"If-Match": "*"})
    for named in (f"/v1/apps/{APP}", "/v1/teams/ABCDE12345"):
        refused = acme.ask("owner", "DELETE", named)
        assert (refused.status_code, refused.json()["code"]) == (409, "in_use"), refused.text
    ended = acme.done("viewer", "GET", f"{path}/publications/{made['id']}", params={"wait": 30})
    assert (ended["state"], ended["version"]) == ("live", 2), ended
    assert acme.ask("viewer", "GET", f"{path}/versions/2/file").content == saved
    assert acme.waymark.served(host, acme.state(host)["live"]["sha256"]).content == saved


def test_a_schedule_publishes_drafts_of_editors_only_through_the_gate(acme):
    """By design: the publisher who creates a schedule lets editors publish at its times."""
    host, held = acme.live(), acme.live("/held")
    schedules = [acme.schedule(host=each) for each in (host, held)]
    test = {"url": "/old", "expected": {"outcome": "opens", "app": APP}}
    saved = acme.done("editor", "POST", f"/v1/domains/{host}/tests", test)

    def run(schedule):
        path = f"/v1/schedules/{schedule['id']}/runs"
        run = acme.done("publisher", "POST", path)["id"]
        eventually(lambda: acme.done("viewer", "GET", f"{path}/{run}")["state"] == "ended")
        return [one["outcome"] for one in acme.done("viewer", "GET", f"{path}/{run}/outcomes")["items"]]

    assert acme.ask("editor", "POST", f"/v1/schedules/{schedules[0]['id']}/runs").status_code == 403
    acme.waymark.put_draft(host, draft("/new"), acme.token("editor"))
    assert run(schedules[0]) == ["refused"], "a test fails"
    acme.done("editor", "DELETE", f"/v1/domains/{host}/tests/{saved['id']}", headers={"If-Match": "*"})
    assert run(schedules[0]) == ["published"]
    # A removed app requires a publisher's reason, unless its replacement is recorded.
    acme.waymark.put_draft(held, draft("/held", apps=[OTHER_APP]), acme.token("editor"))
    assert run(schedules[1]) == ["refused"]
    acme.waymark.put_draft(held, draft("/held"), acme.token("editor"))
    acme.done("editor", "POST", f"/v1/apps/{APP}/replacements", {"with": OTHER_APP, "hosts": [held]})
    eventually(lambda: OTHER_APP in acme.ask("viewer", "GET", f"/v1/domains/{held}/draft").text)
    assert run(schedules[1]) == ["published"]


def test_removing_an_app_does_not_block_a_rollback(acme):
    app = "ABCDE12345.com.example.gone"
    acme.done("editor", "POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.gone"})
    host = acme.domain("/1")
    acme.waymark.put_draft(host, draft("/1", apps=[app, APP]), acme.token("editor"))
    acme.waymark.publish(host, acme.token("publisher"))
    acme.waymark.put_draft(host, draft("/1"), acme.token("editor"))
    acme.waymark.publish(host, acme.token("publisher"), override=True, reason="the app is gone")
    acme.done("editor", "DELETE", f"/v1/apps/{app}")
    acme.waymark.publish(host, acme.token("publisher"), version=1)


def test_imports_and_registrations_change_no_live_file(acme):
    host = acme.live()
    before = acme.state(host)["live"]
    file = {"applinks": {"details": [{"appIDs": ["NEWTEAM001.com.new"], "components": [{"/": "/x"}]}]}}
    path = f"/v1/domains/{host}/import"
    acme.done("editor", "POST", path, file, params={"register": "true"}, headers={"If-Match": "*"})
    assert acme.done("viewer", "GET", "/v1/apps/NEWTEAM001.com.new")["teamID"] == "NEWTEAM001"
    acme.done("editor", "PATCH", "/v1/apps/NEWTEAM001.com.new", {"kind": "appClip"})
    acme.done("editor", "PATCH", "/v1/teams/NEWTEAM001", {"name": "New"})
    assert acme.state(host)["live"] == before


def test_posts_of_a_viewer_change_nothing(acme):
    host = acme.live()

    def newest():
        return acme.done("viewer", "GET", "/v1/events", params={"limit": 1, "sort": "newest"})["items"]

    before = newest()
    for path, body in [
        (f"/v1/domains/{host}/evaluations", {"urls": ["/1"]}),
        (f"/v1/domains/{host}/test-runs", {}),
        (f"/v1/domains/{host}/publication-previews", {}),
        (f"/v1/domains/{host}/publication-checks", {}),
        ("/v1/release-previews", {"hosts": [host]}),
        ("/v1/schedule-previews", {"expression": "@daily", "zone": "UTC"}),
    ]:
        acme.done("viewer", "POST", path, body)
    assert newest() == before
    assert {o.path for o in OPERATIONS if o.right == "viewer" and o.method != "GET"} == {
        "/v1/members/{id}",  # Members can leave.
        "/v1/domains/{host}/evaluations",
        "/v1/domains/{host}/test-runs",
        "/v1/domains/{host}/publication-previews",
        "/v1/domains/{host}/publication-checks",
        "/v1/release-previews",
        "/v1/schedule-previews",
    }


# Withdrawals, and cases that need changes in the database.


@pytest.fixture(scope="module")
def hosts():
    with served() as hosts:
        yield hosts


def change(hosts, role, host, **fields):
    return hosts.waymark.api("PATCH", f"/v1/domains/{host}", fields, token=hosts.waymark.token(role))


def refused(answer, needed):
    assert (answer.status_code, answer.json()["code"]) == (403, "role_needed"), answer.text
    assert answer.json()["role"] == needed


def test_only_an_administrator_turns_a_withdrawn_host_into_an_alias(hosts):
    target, host = hosts.new("/1"), hosts.new("/2")
    alias = hosts.new(aliasOf=target)
    hosts.take_down(host)
    hosts.take_down(alias)
    hosts.until(alias, 404)
    # It stays withdrawn when it leaves its target, so leaving does not bring it back.
    refused(change(hosts, "editor", alias, aliasOf=None), "publisher")
    assert change(hosts, "publisher", alias, aliasOf=None).json()["state"] == "withdrawn"
    for name in (host, alias):
        for role in ("editor", "publisher"):
            refused(change(hosts, role, name, aliasOf=target), "admin")
        assert hosts.waymark.edge(name).status_code == 404
        assert change(hosts, "admin", name, aliasOf=target).json()["live"]["version"] == 1
        hosts.until(name, 200)
    events = hosts.waymark.api("GET", "/v1/events", params={"host": alias, "kind": "alias"}).json()["items"]
    assert [event["kind"] for event in events] == ["alias.live", "alias.ended", "alias.live"]
    assert {event["detail"]["aliasOf"] for event in events} == {target}


def test_an_alias_withdrawn_with_its_domain_does_not_come_back_under_another(hosts):
    target, other = hosts.new("/1"), hosts.new("/2")
    alias = hosts.new(aliasOf=target)
    hosts.take_down(target)
    hosts.until(alias, 404)
    refused(change(hosts, "publisher", alias, aliasOf=other), "admin")
    refused(change(hosts, "editor", alias, aliasOf=None), "publisher")
    new = {"host": hosts.waymark.new_host(), "aliasOf": target}
    refused(hosts.waymark.api("POST", "/v1/domains", new, token=hosts.waymark.token("editor")), "publisher")
    # Publishing brings the host back, which is a publisher's decision.
    hosts.waymark.publish(target, hosts.waymark.token("publisher"))
    hosts.until(alias, 200)


def test_adding_deleting_or_moving_does_not_avoid_a_pending_withdrawal(hosts):
    host, other = hosts.new("/1"), hosts.new("/2")
    withdrawal = hosts.withdraw(host)
    editor, publisher = hosts.waymark.token("editor"), hosts.waymark.token("publisher")
    added = hosts.waymark.api("POST", "/v1/domains", {"host": host}, token=editor)
    assert (added.status_code, added.json()["code"]) == (409, "exists")
    deleted = hosts.waymark.api("DELETE", f"/v1/domains/{host}", token=publisher)
    assert (deleted.status_code, deleted.json()["code"]) == (409, "domain_is_served")
    assert change(hosts, "owner", host, aliasOf=other).json()["code"] == "domain_is_served"
    path = f"/v1/domains/{host}/withdrawals/{withdrawal['id']}"
    assert hosts.waymark.api("DELETE", path, token=publisher).status_code == 403
    published = hosts.waymark.api("POST", f"/v1/domains/{host}/publications", {}, token=publisher)
    assert (published.status_code, published.json()["code"]) == (409, "being_withdrawn")
    new = {"host": hosts.waymark.new_host(), "aliasOf": host}
    refused(hosts.waymark.api("POST", "/v1/domains", new, token=editor), "publisher")


def test_a_lost_role_ends_within_a_second_but_keeps_earlier_decisions(hosts):
    """By design: a scheduled publication stays even if its publisher loses the role. Others can cancel it."""
    waymark = hosts.waymark
    host = hosts.new("/1")
    waymark.put_draft(host, draft("/2"))
    [(cookie, secret)] = waymark.sign_in().items()
    headers = {"Cookie": f"{cookie}={secret}", "Origin": waymark.url}
    path = f"/v1/domains/{host}/publications"

    def publish(body):
        return waymark.api("POST", path, body, headers, token=False)

    made = publish({"at": moment(seconds=20)})
    assert made.status_code == 202, made.text
    hosts.cluster.sql("update memberships set role = 'editor'")
    try:
        time.sleep(1)  # Without a notification, the longest that a process remembers a session.
        refused_now = publish({})
        assert (refused_now.status_code, refused_now.json()["code"]) == (403, "forbidden")
        ended = waymark.api("GET", f"{path}/{made.json()['id']}?wait=30", headers=headers, token=False).json()
        assert ended["state"] == "live", ended
    finally:
        hosts.cluster.sql("update memberships set role = 'owner'")


# The table


def rows():
    section = MODEL.partition("## Indirect rights")[2].partition("\n## ")[0]
    table = [line for line in section.splitlines() if line.startswith("| ") and not line.startswith("| act")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table]


def test_every_route_that_changes_something_is_in_the_table():
    named = {route for row in rows() for route in re.findall(r"`([A-Z]+ /\S+)`", row[0])}
    changing = {
        f"{operation.method} {operation.path}"
        for operation in OPERATIONS
        if operation.method != "GET" and operation.right not in ("anyone", "consumer", "caller")
    }
    assert named == changing


def test_every_row_of_the_table_has_a_test():
    assert rows()
    python = {path.name: path.read_text() for path in REPOSITORY.glob("Tests/**/test_*.py")}
    swift = {path.stem: path.read_text() for path in REPOSITORY.glob("Tests/**/*.swift")}
    for row in rows():
        assert len(row) == 5, row
        tests = re.findall(r"`([^`]+)`", row[4])
        assert tests, row
        for test in tests:
            if "::" in test:
                file, name = test.split("::")
                assert f"def {name}(" in python[file], test
            else:
                file, name = test.split("/")
                assert f"func {name}(" in swift[file], test
