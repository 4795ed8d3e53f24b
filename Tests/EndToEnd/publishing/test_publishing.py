"""Versions, publications and the gate: nothing bad goes live, nothing good is lost."""

import threading
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from samples import APP, OTHER_APP, apple_draft, draft


def checks(report):
    return {check["name"]: check["outcome"] for check in report["checks"]}


def refusal(answer):
    assert (answer.status_code, answer.json()["code"]) == (422, "gate_refused"), answer.text
    assert answer.json()["report"]["passed"] is False
    return checks(answer.json()["report"])


def test_versions_are_numbered_without_gaps_and_keep_their_bytes(waymark):
    host = waymark.new_domain(draft("/1"))
    files = []
    for number in (1, 2, 3):
        waymark.put_draft(host, draft(f"/{number}"))
        if number == 2:
            waymark.put_draft(host, draft("/$(undefined)"))
            assert refusal(waymark.api("POST", f"/v1/domains/{host}/versions", {}))["lint"] == "failed"
            waymark.put_draft(host, draft("/2"))
        made = waymark.api("POST", f"/v1/domains/{host}/versions", {"message": f"number {number}"})
        assert (made.status_code, made.headers["Location"]) == (201, f"/v1/domains/{host}/versions/{number}")
        assert (made.json()["version"], made.json()["live"]) == (number, False)
        files.append(waymark.api("GET", f"/v1/domains/{host}/draft/file").content)
    listed = waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"]
    assert [version["version"] for version in listed] == [3, 2, 1]
    for version, file in zip(reversed(listed), files):
        got = waymark.api("GET", f"/v1/domains/{host}/versions/{version['version']}/file")
        assert (got.content, got.headers["ETag"]) == (file, f'"{version["sha256"]}"')
        known = waymark.api("GET", str(got.url), headers={"If-None-Match": got.headers["ETag"]})
        assert known.status_code == 304
        assert version["author"] == {"kind": "token", "name": "test-owner"}
    assert waymark.edge(host).status_code == 404


def test_versions_created_at_the_same_time_get_different_numbers(waymark):
    host = waymark.new_domain(draft("/x"))
    made = []

    def freeze():
        made.append(
            httpx.post(
                f"{waymark.url}/v1/domains/{host}/versions",
                json={},
                headers={"Authorization": f"Bearer {token}"},
                timeout=30,
            )
        )

    token = waymark.token()
    threads = [threading.Thread(target=freeze) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.json()["version"] for answer in made) == list(range(1, 9))


def test_a_publication_is_accepted_goes_live_and_is_kept(waymark):
    host = waymark.new_domain(apple_draft())
    accepted = waymark.api("POST", f"/v1/domains/{host}/publications", {"message": "first"})
    assert accepted.status_code == 202
    assert accepted.headers["Location"] == f"/v1/domains/{host}/publications/{accepted.json()['id']}"
    ended = waymark.api("GET", accepted.headers["Location"] + "?wait=20").json()
    assert (ended["state"], ended["version"], ended["attempts"], ended["cause"]) == ("live", 1, 1, None)
    assert ended["madeAgainst"] is None and ended["activation"] >= 1
    assert ended["createdAt"] <= ended["startedAt"] <= ended["endedAt"]
    assert set(checks(ended["report"]).values()) == {"passed"}
    domain = waymark.api("GET", f"/v1/domains/{host}").json()
    assert (domain["state"], domain["live"]["version"], domain["live"]["activation"]) == (
        "live",
        1,
        ended["activation"],
    )
    waymark.served(host, domain["live"]["sha256"])
    late = waymark.api("DELETE", accepted.headers["Location"])
    assert (late.status_code, late.json()["code"]) == (409, "publication_ended")


def test_activations_rise_with_every_publication(waymark):
    hosts = [waymark.new_domain(draft("/x")) for _ in range(3)]
    activations = [waymark.publish_again(host)["activation"] for host in hosts + hosts]
    assert activations == sorted(set(activations))


def test_a_refusal_of_the_gate_uses_no_number_and_lists_every_check(waymark):
    organization = waymark.create_organization()
    token = waymark.token(organization=organization)
    malformed = {"entries": [{"apps": ["malformed"], "rules": []}]}
    host = waymark.new_domain(malformed, token=token, host="gate.waymark-tests.com")
    outcomes = refusal(waymark.api("POST", f"/v1/domains/{host}/publications", {}, token=token))
    assert outcomes == {
        "generate": "passed",
        "parse": "passed",
        "lint": "failed",
        "tests": "passed",
        "size": "passed",
        "verified": "failed",
        "similarity": "passed",
    }
    assert waymark.api("GET", f"/v1/domains/{host}/versions", token=token).json()["items"] == []
    assert waymark.api("GET", f"/v1/domains/{host}/publications", token=token).json()["items"] == []
    waymark.put_draft(host, draft("/x"), token=token)
    waymark.cli("domain", "verify", "--organization", organization, host)
    assert waymark.publish(host, token=token)["version"] == 1


def test_an_unverified_domain_can_have_versions_but_not_publish(waymark):
    host = waymark.new_domain(draft("/x"), host="frozen.waymark-tests.com")
    made = waymark.api("POST", f"/v1/domains/{host}/versions", {})
    assert made.status_code == 201
    assert checks(made.json()["report"])["verified"] == "informative"
    assert refusal(waymark.api("POST", f"/v1/domains/{host}/publications", {"version": 1}))["verified"] == "failed"


def test_a_file_of_131_072_bytes_passes_and_one_more_does_not(waymark):
    def of_size(size):
        paths = [f"/{number:04}/" + "x" * 1_000 for number in range(120)]
        host = waymark.new_domain(draft(*paths))
        now = waymark.api("GET", f"/v1/domains/{host}").json()["draft"]["size"]
        rules = [{"path": path} for path in paths]
        rest = size - now
        for rule in rules:
            more = min(rest, 2_000)
            rule["path"] += "x" * more
            rest -= more
        assert rest == 0
        waymark.put_draft(host, {"entries": [{"apps": [APP], "rules": rules}]})
        assert waymark.api("GET", f"/v1/domains/{host}").json()["draft"]["size"] == size
        return host

    host = of_size(131_072)
    waymark.publish(host)
    sha256 = waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]
    assert len(waymark.served(host, sha256).content) == 131_072
    outcomes = refusal(waymark.api("POST", f"/v1/domains/{of_size(131_073)}/publications", {}))
    assert (outcomes["size"], outcomes["lint"]) == ("failed", "failed")


def test_a_suspicious_difference_is_refused_unless_overridden_with_a_reason(waymark):
    host = waymark.new_domain(draft("/x", apps=[APP, OTHER_APP]))
    waymark.publish(host)
    waymark.put_draft(host, draft("/x"))
    outcomes = refusal(waymark.api("POST", f"/v1/domains/{host}/publications", {}))
    assert {name for name, outcome in outcomes.items() if outcome == "failed"} == {"similarity"}
    bare = waymark.api("POST", f"/v1/domains/{host}/publications", {"override": True})
    assert (bare.status_code, bare.json()["errors"][0]["pointer"]) == (422, "/reason")
    published = waymark.publish(host, override=True, reason="the app is retired")
    assert (published["reason"], checks(published["report"])["similarity"]) == ("the app is retired", "overridden")

    waymark.put_draft(host, draft("/x", *[f"/{'y' * 100}/{number}" for number in range(60)]))
    assert refusal(waymark.api("POST", f"/v1/domains/{host}/publications", {}))["similarity"] == "failed"
    waymark.put_draft(host, draft("/x", *[f"/{'y' * 100}/{number}" for number in range(20)]))
    waymark.publish(host)


def test_an_override_overrides_only_the_similarity_check(waymark):
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    waymark.put_draft(host, {"entries": [{"apps": ["malformed"], "rules": []}]})
    outcomes = refusal(waymark.api("POST", f"/v1/domains/{host}/publications", {"override": True, "reason": "please"}))
    assert (outcomes["lint"], outcomes["similarity"]) == ("failed", "overridden")


def test_rolling_back_is_a_publication_of_an_older_version(waymark):
    host = waymark.new_domain(draft("/1", apps=[APP]))
    waymark.publish(host)
    first = waymark.api("GET", f"/v1/domains/{host}/versions/1").json()
    waymark.put_draft(host, draft("/2", apps=[APP, OTHER_APP]))
    second = waymark.publish(host)
    waymark.served(host, waymark.api("GET", f"/v1/domains/{host}/versions/2").json()["sha256"])
    back = waymark.publish(host, version=1, message="back")
    assert back["activation"] > second["activation"] and back["version"] == 1
    assert checks(back["report"])["similarity"] == "informative"
    assert waymark.served(host, first["sha256"]).headers["Waymark-Version"] == "1"
    listed = waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"]
    assert [(version["version"], version["live"]) for version in listed] == [(2, False), (1, True)]
    events = waymark.api("GET", f"/v1/events?host={host}&kind=publication.live").json()["items"]
    lived = sorted((event["detail"]["version"], str(event["detail"]["back"])) for event in events)
    assert lived == [(1, "None"), (1, "True"), (2, "None")]
    domain = waymark.api("GET", f"/v1/domains/{host}").json()
    assert (domain["state"], domain["live"]["version"], domain["draft"]["changed"]) == ("changed", 1, True)


def test_a_version_that_was_never_live_must_pass_the_gate_to_go_live(waymark):
    host = waymark.new_domain(draft("/1", apps=[APP]))
    waymark.api("POST", f"/v1/domains/{host}/versions", {})
    waymark.put_draft(host, draft("/2", apps=[APP, OTHER_APP]))
    waymark.publish(host)
    assert refusal(waymark.api("POST", f"/v1/domains/{host}/publications", {"version": 1}))["similarity"] == "failed"


def test_a_publication_can_require_a_revision_of_the_draft(waymark):
    host = waymark.new_domain(draft("/1"))
    for path in ["versions", "publications"]:
        stale = waymark.api("POST", f"/v1/domains/{host}/{path}", {}, {"If-Match": '"1"'})
        assert (stale.status_code, stale.json()["revision"]) == (412, 2)
        assert waymark.api("POST", f"/v1/domains/{host}/{path}", {}, {"If-Match": '"2"'}).status_code in (201, 202)


def test_missing_resources_are_not_found(waymark):
    host = waymark.new_domain(draft("/1"))
    for path in [
        "versions/1",
        "versions/0",
        "versions/-1",
        "versions/99999999999999999999",
        "versions/x",
        "versions/1/file",
        "publications/x",
        "publications/00000000-0000-0000-0000-000000000000",
    ]:
        answer = waymark.api("GET", f"/v1/domains/{host}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), path
    absent = waymark.api("POST", f"/v1/domains/{host}/publications", {"version": 7})
    assert absent.status_code == 404


def test_publications_are_listed_newest_first_by_cursor(waymark):
    host = waymark.new_domain(draft("/1"))
    ids = [waymark.publish_again(host, message=str(number))["id"] for number in range(5)]
    seen, query = [], {"limit": 2}
    while True:
        page = waymark.api("GET", f"/v1/domains/{host}/publications", params=query).json()
        seen += [item["id"] for item in page["items"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    assert seen == list(reversed(ids))
    # The list is the same with another spelling of its path. Cursors of other lists are refused.
    own = waymark.api("GET", f"/v1/domains/{host.upper()}/publications", params=query)
    assert [item["id"] for item in own.json()["items"]] == ids[:1]
    for path in ["/v1/domains", "/v1/publications", f"/v1/domains/{waymark.new_domain()}/publications"]:
        other = waymark.api("GET", path, params=query)
        assert (other.status_code, other.json()["code"]) == (422, "invalid_parameter"), path
        assert "`cursor` must be the `next` of an earlier answer" in other.json()["detail"]


def test_two_organizations_can_have_a_host_but_only_one_the_claim(waymark):
    first = waymark.token(organization=waymark.create_organization())
    second = waymark.token(organization=waymark.create_organization())
    host = "shared.waymark-tests.com"
    waymark.new_domain(draft("/first"), token=first, host=host)
    waymark.new_domain(draft("/second"), token=second, host=host)
    verification = f"/v1/domains/{host}/verifications"
    assert waymark.api("POST", verification, {"method": "local"}, token=first).status_code == 200
    refused = waymark.api("POST", verification, {"method": "local"}, token=second)
    assert (refused.status_code, refused.json()["code"]) == (409, "host_claimed")
    waymark.publish(host, token=first)
    sha256 = waymark.api("GET", f"/v1/domains/{host}", token=first).json()["live"]["sha256"]
    assert refusal(waymark.api("POST", f"/v1/domains/{host}/publications", {}, token=second))["verified"] == "failed"
    assert waymark.api("GET", f"/v1/domains/{host}", token=second).json()["live"] is None
    assert b"/first" in waymark.served(host, sha256).content


def test_a_reserved_name_claimed_by_another_organization_stays_unverified(waymark):
    host = waymark.new_domain()
    other = waymark.token(organization=waymark.create_organization())
    made = waymark.api("POST", "/v1/domains", {"host": host}, token=other)
    # Adding the domain must not reveal that another organization has the host.
    assert made.status_code == 201, made.text
    assert (made.json()["verified"], made.json()["state"]) == (False, "unverified")


def test_publications_of_one_domain_created_at_the_same_time_end_once_each(waymark):
    host = waymark.new_domain(draft("/x"))
    token = waymark.token()
    made = []

    def publish():
        answer = httpx.post(
            f"{waymark.url}/v1/domains/{host}/publications?wait=20",
            json={"override": True, "reason": "all at once"},
            headers={"Authorization": f"Bearer {token}"},
            timeout=40,
        )
        made.append(answer.json())

    threads = [threading.Thread(target=publish) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {publication["state"] for publication in made} <= {"live", "superseded"}
    assert "live" in {publication["state"] for publication in made}
    live = max((p for p in made if p["state"] == "live"), key=lambda p: p["activation"])
    assert waymark.api("GET", f"/v1/domains/{host}").json()["live"]["activation"] == live["activation"]
    activations = [p["activation"] for p in made if p["state"] == "live"]
    assert len(set(activations)) == len(activations)


@pytest.mark.parametrize("wait", ["31", "-1", "x", "1.5"])
def test_a_wait_outside_its_bounds_is_refused(waymark, wait):
    host = waymark.new_domain(draft("/x"))
    answer = waymark.api("POST", f"/v1/domains/{host}/publications?wait={wait}", {})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_parameter")


def published_again(waymark, host, **body):
    return waymark.api("POST", f"/v1/domains/{host}/publications?wait=30", body)


def test_a_live_file_is_not_published_again(waymark):
    host = waymark.new_domain(draft("/live"))
    first = waymark.publish(host)
    seen = waymark.api("GET", f"/v1/events?sort=newest&limit=1&host={host}").json()["items"][0]["position"]
    for body in ({}, {"message": "again"}, {"version": 1}):
        answer = published_again(waymark, host, **body)
        assert answer.status_code == 200, answer.text
        unchanged = answer.json()
        assert (unchanged["outcome"], unchanged["host"], unchanged["version"]) == ("unchanged", host, 1)
    waymark.served(host, unchanged["sha256"])
    assert waymark.api("GET", f"/v1/events?sort=newest&limit=1&host={host}").json()["items"][0]["position"] == seen
    assert len(waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"]) == 1
    moved = waymark.api("POST", f"/v1/domains/{host}/publications", {}, {"If-Match": '"1"'})
    assert moved.status_code == 412

    # An override and a change are published.
    assert waymark.publish_again(host)["version"] == 2
    waymark.put_draft(host, draft("/changed"))
    assert waymark.publish(host)["version"] == 3
    assert waymark.publish(host, version=first["version"])["version"] == 1


def test_publishing_the_same_file_again_reaches_a_new_alias(waymark):
    host = waymark.new_domain(draft("/live"))
    waymark.publish(host)
    alias = waymark.new_domain(host=waymark.new_host("alias"), aliasOf=host)
    assert waymark.api("POST", f"/v1/domains/{alias}/verifications", {"method": "local"}).status_code in (200, 201)
    live = waymark.api("GET", f"/v1/domains/{alias}").json()["live"]
    again = published_again(waymark, host)
    # If the alias already serves the file, there is nothing to publish.
    assert again.status_code == (200 if live else 202), again.text
    assert waymark.api("GET", f"/v1/domains/{alias}").json()["live"]


def test_with_something_pending_the_same_file_is_published_again(waymark):
    host = waymark.new_domain(draft("/live"))
    waymark.publish(host)
    later = (datetime.now(UTC) + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    waymark.put_draft(host, draft("/later"))
    answer = waymark.api("POST", f"/v1/domains/{host}/publications", {"at": later})
    assert answer.status_code == 202
    assert published_again(waymark, host, version=1).status_code == 202
