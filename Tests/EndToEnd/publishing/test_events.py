"""The list of events: by position, kind and host, with waiting, and on the command line."""

import json
import os
import subprocess
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest

from installation import EXECUTABLE, eventually
from samples import draft


def events(waymark, token=None, **query):
    answer = waymark.api("GET", "/v1/events", params=query, token=token)
    assert answer.status_code == 200, answer.text
    return answer.json()


def newest(waymark, token=None):
    items = events(waymark, token, sort="newest", limit=1)["items"]
    return items[0]["position"] if items else 0


def test_the_events_of_a_domain_are_in_order(waymark):
    before = newest(waymark)
    host = waymark.new_domain(draft("/a"))
    waymark.publish(host, message="summer")
    answer = events(waymark, after=before, host=host)
    assert [event["kind"] for event in answer["items"]] == [
        "domain.created",
        "domain.verified",
        "draft.changed",
        "version.created",
        "publication.created",
        "publication.running",
        "publication.live",
    ]
    live = answer["items"][-1]
    assert live["kind"] == "publication.live" and live["detail"]["version"] == 1 and live["detail"]["activation"] > 0
    assert live["actor"] == {"kind": "system", "name": "waymark"} and live["subject"] == live["host"] == host
    made = events(waymark, host=host, kind="publication.created")["items"]
    assert [event["detail"]["message"] for event in made] == ["summer"]
    about = events(waymark, host=host, kind="publication")["items"]
    assert [event["kind"].partition(".")[2] for event in about] == ["created", "running", "live"]
    several = waymark.api("GET", f"/v1/events?host={host}&kind=version.created&kind=publication.live").json()["items"]
    assert [event["kind"] for event in several] == ["version.created", "publication.live"]


def test_the_events_of_a_release_are_in_order(waymark):
    before = newest(waymark)
    hosts = [waymark.new_domain(draft(f"/{number}")) for number in range(2)]

    def told(release):
        items = events(waymark, after=before, kind="release")["items"]
        return [event for event in items if event["subject"] == release["id"]]

    released = waymark.release({"hosts": hosts, "message": "summer"})
    story = told(released)
    assert [event["kind"] for event in story] == [
        "release.created", "release.scheduled", "release.running", "release.live"
    ]  # fmt: skip
    assert (story[0]["detail"]["domains"], story[0]["detail"]["message"]) == (2, "summer")
    assert story[-1]["detail"]["activation"] == released["activation"]
    waymark.put_draft(hosts[0], draft("/other"))
    second = waymark.release({"hosts": hosts})
    made = waymark.api("POST", f"/v1/releases/{second['id']}/rollbacks", {}).json()
    back = told(waymark.ended_release(made["id"]))
    assert {event["detail"]["rollsBack"] for event in (back[0], back[-1])} == {second["id"]}


def test_events_that_concern_a_host_by_a_label_are_included(waymark):
    organization = waymark.create_organization()
    token = waymark.token("owner", organization)
    hosts = [waymark.new_domain(draft("/a"), token=token, labels=labels) for labels in (["shop"], [])]
    before = newest(waymark, token)
    schedule = {"name": "nightly", "label": "shop", "expression": "@yearly", "zone": "UTC"}
    assert waymark.api("POST", "/v1/schedules", schedule, token=token).status_code == 201
    for label in ("shop", None):
        end = f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
        freeze = {"label": label, "reason": "the sale", "endsAt": end}
        assert waymark.api("POST", "/v1/freezes", freeze, token=token).status_code == 201

    def told(host):
        return [(event["kind"], event["subject"]) for event in events(waymark, token, after=before, host=host)["items"]]

    every = [("freeze.created", "*")]
    assert told(hosts[0]) == [("schedule.created", "nightly"), ("freeze.created", "shop"), *every]
    assert told(hosts[1]) == every


def test_the_list_can_be_read_from_both_ends_in_pages(waymark):
    for _ in range(5):
        waymark.new_domain()
    end = newest(waymark)
    forward, cursor = [], None
    while not forward or forward[-1]["position"] < end:
        answer = events(waymark, limit=3, **({"cursor": cursor} if cursor else {}))
        forward, cursor = forward + answer["items"], answer["next"]
        assert cursor is not None
    assert [event["position"] for event in forward][:end] == list(range(1, end + 1))
    backward, cursor = [], None
    while cursor is not None or not backward:
        answer = events(waymark, limit=7, sort="newest", **({"cursor": cursor} if cursor else {}))
        backward, cursor = backward + answer["items"], answer["next"]
    assert backward[-end:] == forward[:end][::-1]


def test_a_waiting_request_gets_the_next_event(waymark):
    place = events(waymark, after=newest(waymark))["next"]
    made = []

    def change():
        time.sleep(0.3)
        made.append(waymark.new_domain())

    changing = threading.Thread(target=change)
    changing.start()
    answer = events(waymark, cursor=place, wait=30)
    changing.join()
    assert [event["subject"] for event in answer["items"]][:1] == made
    # The position advances even if no event matches the filter.
    after = events(waymark, cursor=place, kind="team.deleted")
    assert after["items"] == [] and after["next"] != place


def test_organizations_do_not_see_each_others_events(waymark):
    other = waymark.create_organization()
    token = waymark.token(organization=other)
    waymark.new_domain()
    host = waymark.new_domain(token=token)
    theirs = events(waymark, token)["items"]
    assert [event["position"] for event in theirs] == list(range(1, len(theirs) + 1))
    assert host in {event["subject"] for event in theirs}
    assert {event["host"] for event in theirs} <= {None, host}
    assert host not in {event["host"] for event in events(waymark, limit=200, sort="newest")["items"]}


@pytest.mark.parametrize(
    "query", ["kind=nothing", "kind=", "sort=up", "after=-1", "after=2147483647", "wait=31", "host=a..b", "cursor=YQ",
              "after=1&cursor=MQ", "sort=newest&after=1", "sort=newest&wait=1", "afterr=1"]
)  # fmt: skip
def test_an_invalid_query_is_refused(waymark, query):
    answer = waymark.api("GET", f"/v1/events?{query}")
    assert answer.status_code in (400, 422), answer.text
    assert answer.json()["code"] in ("invalid_parameter", "unknown_parameter")


def test_the_command_line_shows_and_follows_events(waymark, tmp_path):
    host = waymark.new_domain(draft("/a"))
    access = {"WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("viewer")}
    place = newest(waymark)
    shown = waymark.cli("events", "--host", host, environment=access).stdout
    assert "domain.created" in shown and host in shown and "draft.changed" in shown
    with (tmp_path / "out").open("w") as output:
        following = subprocess.Popen(
            [EXECUTABLE, "events", "--follow", "--after", str(place), "--json", "--kind", "domain"],
            env=os.environ | access,
            stdout=output,
        )
    try:
        made = [waymark.new_domain() for _ in range(2)]
        said = lambda: [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
        eventually(lambda: [event["subject"] for event in said() if event["kind"] == "domain.created"] == made, 60)
        assert all(event["position"] > place for event in said())
    finally:
        following.kill()
        following.wait()
    all_of_it = waymark.cli("events", "--after", "0", "--json", environment=access).stdout.splitlines()
    positions = [json.loads(line)["position"] for line in all_of_it]
    assert positions == list(range(1, len(positions) + 1)) and len(positions) > place
    unknown = waymark.cli("events", "--host", "absent.example", check=False, environment=access)
    assert (unknown.returncode, unknown.stdout) == (3, "")
    assert unknown.stderr == "waymark: There is no domain absent.example.\n"
    wrong = waymark.cli("events", "--kind", "nothing", check=False, environment=access)
    assert wrong.returncode == 2 and "kind" in wrong.stderr


def test_the_parts_of_a_release_can_be_selected_and_left_out(waymark):
    token = waymark.token(organization=waymark.create_organization())
    hosts = [waymark.new_domain(draft(f"/{number}"), token=token) for number in range(3)]
    act = f"release:{waymark.release({'hosts': hosts}, token=token)['id']}"
    parts = [event["kind"] for event in events(waymark, token, act=act, limit=200)["items"]]
    assert (parts.count("version.created"), parts.count("publication.live")) == (3, 3)
    own = [kind for kind in parts if kind.startswith("release.")]
    assert (own[0], own[-1]) == ("release.created", "release.live")
    grouped = events(waymark, token, grouped="true", limit=200)["items"]
    assert [event["kind"] for event in grouped if event["act"] == act] == own
    assert [event["subject"] for event in grouped if event["kind"] == "domain.created"] == hosts
    answer = waymark.api("GET", "/v1/events", token=token, params={"act": "release:1"})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_parameter")


def test_events_are_found_by_author_and_time_and_show_the_pattern_of_a_rule(waymark):
    token = waymark.token(organization=waymark.create_organization())
    host = waymark.new_domain(draft("/1"), token=token)
    rule = {"path": "/help/*", "query": {"id": "?*"}, "exclude": True}
    made = waymark.api("POST", f"/v1/domains/{host}/rules", rule, {"If-Match": "*"}, token=token)
    assert made.status_code == 201, made.text
    waymark.api("DELETE", made.headers["Location"], headers={"If-Match": "*"}, token=token)
    told = events(waymark, token, kind="rule")["items"]
    assert [(event["kind"], event["detail"]["pattern"], event["detail"]["exclude"]) for event in told] == [
        ("rule.created", "/help/*?id=?*", True),
        ("rule.deleted", "/help/*?id=?*", True),
    ]
    author = told[0]["actor"]["name"]
    assert events(waymark, token, actor=author.upper(), kind="rule")["items"] == told
    assert events(waymark, token, actor="nobody")["items"] == []
    assert events(waymark, token, since="2020-01-01T00:00:00Z", kind="rule", sort="newest")["items"] == told[::-1]
    assert events(waymark, token, until="2020-01-01T00:00:00Z")["items"] == []
