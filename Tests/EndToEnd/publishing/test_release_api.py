"""Releases: many domains in one commit, from the request to the edge."""

from datetime import UTC, datetime, timedelta

from installation import eventually
from samples import draft


def new_hosts(waymark, count, path, **fields):
    return [waymark.new_domain(draft(f"{path}/{number}"), **fields) for number in range(count)]


def domains(waymark, release, **query):
    return waymark.api("GET", f"/v1/releases/{release['id']}/domains", params=query).json()["items"]


def test_a_release_goes_live_and_back_and_shows_the_consumers_progress(waymark):
    hosts = new_hosts(waymark, 3, "/one")
    first = waymark.release({"hosts": hosts, "message": "the new app"})
    assert first["domains"]["live"] == first["domains"]["total"] == 3
    for host in hosts:
        shown = waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"]
        assert [(one["state"], one["release"]) for one in shown] == [("live", first["id"])]
        waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])

    def shown():
        return waymark.api("GET", f"/v1/releases/{first['id']}").json()["consumers"]

    eventually(lambda: any(consumer["domains"] == 3 for consumer in shown()), 60, what="the edge's report")
    for number, host in enumerate(hosts):
        waymark.put_draft(host, draft(f"/two/{number}"))
    second = waymark.release({"hosts": hosts})
    made = waymark.api("POST", f"/v1/releases/{second['id']}/rollbacks", {"message": "not ready"})
    assert made.status_code == 202, made.text
    back = waymark.ended_release(made.json()["id"])
    assert back["rollsBack"] == second["id"]
    assert [one["version"] for one in domains(waymark, back)] == [1, 1, 1]


def test_a_release_shows_what_a_rollback_would_do(waymark):
    hosts = new_hosts(waymark, 3, "/back")

    def rollback(release):
        return waymark.api("GET", f"/v1/releases/{release['id']}").json()["rollback"]

    waymark.publish(hosts[0])
    waymark.publish(hosts[1])
    for number, host in enumerate(hosts):
        waymark.put_draft(host, draft(f"/forth/{number}"))
    released = waymark.release({"hosts": hosts})
    assert rollback(released) == {"back": 2, "staying": 1, "moved": 0, "movedHosts": []}
    # Domains that stay are not counted as moved.
    for host in hosts[1:]:
        waymark.put_draft(host, draft("/moved"))
        waymark.publish(host)
    assert rollback(released) == {"back": 2, "staying": 1, "moved": 1, "movedHosts": [hosts[1]]}
    back = waymark.api("POST", f"/v1/releases/{released['id']}/rollbacks", {}).json()
    suspended = waymark.ended_release(back["id"], state="suspended")
    assert suspended["rollback"] is None
    assert [one["host"] for one in domains(waymark, suspended, state="moved")] == [hosts[1]]


def test_releases_are_listed_by_state(waymark):
    host = waymark.new_domain(draft("/listed"))
    at = f"{datetime.now(UTC) + timedelta(seconds=3600):%Y-%m-%dT%H:%M:%SZ}"
    waiting = waymark.api("POST", "/v1/releases", {"hosts": [host], "at": at}).json()["id"]
    eventually(lambda: waymark.api("GET", f"/v1/releases/{waiting}").json()["state"] == "scheduled", 60)
    judged = waymark.api("POST", "/v1/releases?dryRun=true", {"hosts": [host]}).json()["id"]
    waymark.ended_release(judged, state="judged")

    def listed(state):
        items = waymark.api("GET", f"/v1/releases?limit=200&state={state}").json()["items"]
        return [one["id"] for one in items if one["id"] in (waiting, judged)]

    assert (listed("pending"), listed("scheduled"), listed("judged")) == ([waiting], [waiting], [judged])
    assert waymark.api("GET", "/v1/releases?state=someday").json()["code"] == "invalid_parameter"
    waymark.api("DELETE", f"/v1/releases/{waiting}")


def test_a_refused_release_reports_every_domain_and_uses_no_number(waymark):
    hosts = new_hosts(waymark, 2, "/good")
    bad = waymark.new_domain({"entries": [{"apps": ["not an app"], "rules": [{"path": "/*"}]}]})
    refused = waymark.release({"hosts": hosts + [bad]}, state="refused")
    (reported,) = domains(waymark, refused, state="refused")
    assert reported["host"] == bad and [one["check"] for one in reported["failures"]] == ["lint"]
    for host in hosts:
        assert waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"] == []


def test_an_invalid_choice_of_domains_is_refused(waymark):
    def codes(body):
        answer = waymark.api("POST", "/v1/releases", body)
        assert answer.status_code == 422, answer.text
        return [(one["pointer"], one["code"]) for one in answer.json()["errors"]]

    host = waymark.new_domain(draft("/x"))
    alias = waymark.new_domain(aliasOf=host)
    assert codes({"hosts": ["absent.example", alias]}) == [("/hosts", "not_found"), ("/hosts", "alias")]
    assert codes({"label": "absent"}) == [("/label", "not_found")]
    assert codes({}) == codes({"hosts": []}) == codes({"hosts": [host], "label": "x"}) == [("/hosts", "required")]
    assert [pointer for pointer, _ in codes({"hosts": [host, "not a host"]})] == ["/hosts/1"]
    assert codes({"hosts": [host], "override": True}) == [("/reason", "required")]
    assert codes({"hosts": [host], "at": "2020-01-01T00:00:00Z"}) == [("/at", "in_the_past")]


def test_a_scheduled_release_waits_and_can_be_cancelled(waymark):
    hosts = new_hosts(waymark, 2, "/later", labels=["later"])
    at = f"{datetime.now(UTC) + timedelta(seconds=3600):%Y-%m-%dT%H:%M:%SZ}"
    made = waymark.api("POST", "/v1/releases", {"label": "later", "at": at, "zone": "Europe/Berlin"}).json()
    path = f"/v1/releases/{made['id']}"
    eventually(lambda: waymark.api("GET", path).json()["state"] == "scheduled", 60)
    assert waymark.api("GET", path).json()["domains"]["frozen"] == 2
    assert waymark.api("DELETE", path).json()["state"] == "cancelled"
    again = waymark.api("DELETE", path)
    assert (again.status_code, again.json()["code"]) == (409, "release_ended")
    back = waymark.api("POST", f"{path}/rollbacks", {})
    assert (back.status_code, back.json()["code"]) == (409, "release_not_live")
    dry = waymark.api("POST", "/v1/releases?dryRun=true", {"hosts": hosts}).json()
    assert waymark.ended_release(dry["id"], state="judged")["domains"]["passed"] == 2


def test_a_release_shows_its_predecessors_and_later_publications_wait_for_it(waymark):
    hosts = new_hosts(waymark, 2, "/before")
    soon, later = (f"{datetime.now(UTC) + timedelta(seconds=wait):%Y-%m-%dT%H:%M:%SZ}" for wait in (1800, 3600))
    sooner = waymark.api("POST", f"/v1/domains/{hosts[0]}/publications", {"at": soon, "message": "alone"}).json()
    expected = [{"kind": "publication", "id": sooner["id"], "host": hosts[0], "name": "alone", "at": soon}]
    body = {"hosts": hosts, "at": later}
    count = len(waymark.api("GET", "/v1/releases?limit=200").json()["items"])
    preview = waymark.api("POST", "/v1/release-previews", body)
    assert (preview.status_code, preview.json()) == (200, {"at": later, "precededBy": expected})
    assert waymark.api("POST", "/v1/release-previews", {"hosts": hosts}).json() == {"at": None, "precededBy": []}
    past = {"hosts": hosts, "at": "2020-01-01T00:00:00Z"}
    for wrong in ({"hosts": ["nobody.example"], "at": later}, {"at": later}, past):
        assert waymark.api("POST", "/v1/release-previews", wrong).json()["code"] == "invalid"
    assert len(waymark.api("GET", "/v1/releases?limit=200").json()["items"]) == count
    checked = waymark.api("POST", "/v1/releases?dryRun=true", body).json()
    assert checked["precededBy"] == expected
    assert waymark.ended_release(checked["id"], state="judged")["precededBy"] == expected
    made = waymark.api("POST", "/v1/releases", body).json()
    assert made["precededBy"] == expected
    assert waymark.api("POST", "/v1/releases", {"hosts": hosts[1:], "at": soon}).json()["precededBy"] == []

    def waiting(host):
        items = waymark.api("GET", "/v1/releases", params={"state": "pending", "host": host}).json()["items"]
        return [one["id"] for one in items if one["freeze"] is None and not one["dryRun"]]

    assert waiting(hosts[0]) == [made["id"]]
    assert len(waiting(hosts[1])) == 2
    assert waymark.api("GET", "/v1/releases?host=no+host").json()["code"] == "invalid_parameter"
    waymark.api("DELETE", f"/v1/domains/{hosts[0]}/publications/{sooner['id']}")
    shown = waymark.api("GET", f"/v1/releases/{made['id']}").json()["precededBy"]
    assert [one["kind"] for one in shown] == ["release"]
    for host in hosts:
        for release in waiting(host):
            waymark.api("DELETE", f"/v1/releases/{release}")


def test_labels_have_one_limit_and_a_list_of_hosts_must_not_be_empty(waymark):
    for path, body in (
        ("/v1/releases", {}),
        ("/v1/apps/ABCDE12345.com.example.app/replacements", {"with": "ABCDE12345.com.example.other"}),
    ):
        for wrong, pointer in (({"label": "x" * 64}, "/label"), ({"hosts": []}, "/hosts")):
            answer = waymark.api("POST", path, body | wrong)
            assert answer.status_code == 422
            assert [fault["pointer"] for fault in answer.json()["errors"]] == [pointer]


def test_events_can_be_read_after_any_position(waymark):
    answer = waymark.api("GET", f"/v1/events?after={2**63 - 1}").json()
    assert "is after the newest event" in answer["detail"] + str(answer.get("errors"))
