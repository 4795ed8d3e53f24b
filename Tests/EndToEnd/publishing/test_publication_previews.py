"""Previews of publications, and the pending publications of domains."""

from datetime import UTC, datetime, timedelta

from installation import eventually
from publications import moment, schedule, show
from samples import draft


def preview(waymark, host, **fields):
    answer = waymark.api("POST", f"/v1/domains/{host}/publication-previews", fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


def names(waiting):
    return [each["name"] for each in waiting]


def published(waymark, **fields):
    host = waymark.new_domain(draft("/1"), **fields)
    waymark.publish(host)
    return host


def changed(waymark, host, path):
    waymark.put_draft(host, draft(path))
    return host


def test_nothing_waits_for_a_publication_that_will_be_suspended(waymark):
    host = published(waymark)
    changed(waymark, host, "/2")
    doomed = schedule(waymark, host, at=moment(3600))
    assert preview(waymark, host)["suspends"] == [
        {"kind": "publication", "id": doomed["id"], "name": "version 2", "at": doomed["at"]}
    ]
    waymark.publish(changed(waymark, host, "/other"))
    assert show(waymark, doomed)["blockedReason"] == "another version went live after it was created"
    said = preview(waymark, host, at=moment(7200))
    assert (said["follows"], said["needsOverride"], said["blockedReason"], said["suspends"]) == (None, False, None, [])
    made = schedule(waymark, changed(waymark, host, "/3"), at=moment(7200))
    assert (made["follows"], made["blockedReason"]) == (None, None)


def test_a_later_publication_follows_an_earlier_one_unless_another_comes_between(waymark):
    host = published(waymark)
    first = schedule(waymark, changed(waymark, host, "/2"), at=moment(3600))
    last = schedule(waymark, changed(waymark, host, "/3"), at=moment(9000))
    assert last["follows"] == first["id"]
    said = preview(waymark, host, at=moment(7200), revertAt=moment(7300))
    assert (said["follows"]["id"], names(said["suspends"])) == (first["id"], ["version 3"])
    made = schedule(waymark, changed(waymark, host, "/4"), at=moment(7200))
    assert made["blockedReason"] is None
    assert show(waymark, last)["blockedReason"] == "version 4 will go live after version 2 and before it"
    assert names(preview(waymark, host, at=made["at"])["replaces"]) == ["version 4"]
    # A suspended publication is not listed again.
    assert names(preview(waymark, host)["suspends"]) == ["version 2", "version 4"]


def test_earlier_releases_and_schedules_require_an_override(waymark):
    host = published(waymark, labels=["previewed"])
    changed(waymark, host, "/2")
    body = {"hosts": [host], "at": moment(3600), "message": "the release"}
    release = waymark.api("POST", "/v1/releases", body).json()
    eventually(lambda: waymark.api("GET", f"/v1/releases/{release['id']}").json()["state"] == "scheduled")
    said = preview(waymark, host, at=moment(7200))
    assert (said["needsOverride"], [each["id"] for each in said["precededBy"]]) == (True, [release["id"]])
    assert said["blockedReason"] == "the release “the release” will go live before it"
    forced = preview(waymark, host, at=moment(7200), override=True)
    assert (forced["needsOverride"], forced["blockedReason"]) == (False, None)
    assert preview(waymark, host)["suspends"][0]["kind"] == "release"
    soon = datetime.now(UTC) + timedelta(minutes=30)
    settings = {"name": host, "host": host, "expression": f"{soon.minute} {soon.hour} * * *", "zone": "UTC"}
    made = waymark.api("POST", "/v1/schedules", settings)
    assert made.status_code == 201, made.text
    kinds = {each["kind"] for each in preview(waymark, host, at=moment(7200))["precededBy"]}
    assert kinds == {"release", "schedule"}


def test_the_rollback_is_previewed_too(waymark):
    host = published(waymark)
    changed(waymark, host, "/2")
    schedule(waymark, host, at=moment(5000), override=True, reason="whatever is live")
    said = preview(waymark, host, at=moment(3600), revertAt=moment(7200))
    assert (said["blockedReason"], said["revertBlockedReason"]) == (None, "version 2 will go live after this publication and before it")


def test_a_domain_that_cannot_be_published_cannot_be_previewed(waymark):
    host = published(waymark)
    alias = waymark.new_domain(aliasOf=host)
    path = "/v1/domains/{}/publication-previews"
    assert waymark.api("POST", path.format(alias), {}).json()["code"] == "alias"
    assert waymark.api("POST", path.format("absent.example"), {}).status_code == 404
    past = waymark.api("POST", path.format(host), {"at": "2020-01-01T00:00:00Z"})
    assert (past.status_code, past.json()["code"]) == (422, "invalid")


def test_a_domain_and_the_list_show_pending_and_stopped_publications(waymark):
    token = waymark.token(organization=waymark.create_organization())

    def domain(host):
        return waymark.api("GET", f"/v1/domains/{host}", token=token).json()

    def listed(standing):
        answer = waymark.api("GET", f"/v1/domains?publication={standing}", token=token)
        return [each["host"] for each in answer.json()["items"]]

    def publish(host, wait=20, **fields):
        answer = waymark.api("POST", f"/v1/domains/{host}/publications?wait={wait}", fields, token=token)
        assert answer.status_code in (200, 202), answer.text
        return answer.json()

    quiet, host = (waymark.new_domain(draft("/1"), token=token) for _ in range(2))
    for each in (quiet, host):
        assert publish(each)["state"] == "live"
    waymark.put_draft(host, draft("/2"), token=token)
    first = publish(host, wait=0, at=moment(3600))
    waymark.put_draft(host, draft("/3"), token=token)
    second = publish(host, wait=0, at=moment(7200))
    assert domain(host)["pending"] == {"publication": first["id"], "version": 2, "at": first["at"], "count": 2}
    assert (listed("pending"), listed("suspended"), listed("failed")) == ([host], [], [])
    # A publication that waits for another is suspended with it.
    path = f"/v1/domains/{host}/publications"
    assert waymark.api("DELETE", f"{path}/{first['id']}", token=token).status_code == 200
    ended = waymark.api("GET", f"{path}/{second['id']}", token=token).json()
    assert ended["state"] == "suspended"
    stopped = {key: ended[key] for key in ("version", "state", "endedAt", "cause")} | {"publication": second["id"]}
    assert (domain(host)["stopped"], domain(host)["pending"]) == (stopped, None)
    assert (listed("pending"), listed("suspended"), listed("failed")) == ([], [host], [])
    waymark.put_draft(host, draft("/4"), token=token)
    assert publish(host)["state"] == "live"
    assert (domain(host)["stopped"], listed("suspended")) == (None, [])
    assert (domain(quiet)["pending"], domain(quiet)["stopped"]) == (None, None)
    refused = waymark.api("GET", "/v1/domains?publication=live", token=token)
    assert refused.status_code == 422
