"""Publishing so that a change reaches devices by a time: the calculated time, the assumptions, and the result."""

from datetime import UTC, datetime, timedelta

import pytest

from installation import eventually
from samples import draft

# The delays that Apple documents, and five minutes for a cache in front of the edge.
LEAD = timedelta(days=7, hours=24, minutes=5)


def text(moment, end="Z"):
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + end


def later(**more):
    return (datetime.now(UTC) + timedelta(**more)).replace(microsecond=0)


def ask(waymark, time):
    return waymark.api("GET", "/v1/effective-by", params={"time": time})


def refused(answer, *expected):
    assert answer.status_code == 422, answer.text
    assert {(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]} == set(expected)
    return {fault["pointer"]: fault["detail"] for fault in answer.json()["errors"]}


def names_one_of(words, first, last, step, length=None):
    """Whether a text has one of the times in a range: the earliest possible time moves during the request."""
    count = (last - first) // step + 3
    return any(text(first + (number - 1) * step)[:length] in words for number in range(count))


def test_the_latest_time_to_publish_is_shown_with_the_assumptions(waymark):
    wanted = later(days=30)
    told = ask(waymark, text(wanted)).json()
    assert (told["effectiveBy"], told["at"], told["possible"]) == (text(wanted), text(wanted - LEAD), True)
    assert timedelta(seconds=sum(assumption["seconds"] for assumption in told["assumptions"])) == LEAD
    documented = {item["code"]: item["seconds"] for item in told["assumptions"] if "developer.apple.com" in item["source"]}
    assert (documented["apple_cdn"], documented["devices"]) == (86_400, 604_800)
    assert all(item["detail"] and item["source"] for item in told["assumptions"])
    now, reached = (datetime.fromisoformat(told[name]) for name in ["now", "reachedIfPublishedNow"])
    assert reached - now == LEAD and abs(now - later()) < timedelta(minutes=1)
    zoned = ask(waymark, "2126-12-01T01:00:00+02:00").json()
    assert (zoned["effectiveBy"], zoned["at"]) == ("2126-11-30T23:00:00Z", "2126-11-22T22:55:00Z")


def test_a_time_that_can_no_longer_be_met_is_reported(waymark):
    for wanted in [later(days=-1), later(days=7), later() + LEAD - timedelta(minutes=1)]:
        assert ask(waymark, text(wanted)).json()["possible"] is False
    assert ask(waymark, text(later() + LEAD + timedelta(minutes=1))).json()["possible"] is True


@pytest.mark.parametrize("time", ["", "tomorrow", "2026-12-01", "2026-12-01T00:00:00", "2026-02-30T00:00:00Z"])
def test_an_invalid_time_is_refused(waymark, time):
    answer = ask(waymark, time)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_parameter")
    assert waymark.api("GET", "/v1/effective-by").status_code == 422


def test_a_publication_goes_live_as_early_as_needed(waymark):
    host = waymark.new_domain(draft("/1"))
    wanted = later(days=20)
    path = f"/v1/domains/{host}/publications"
    made = waymark.api("POST", path, {"effectiveBy": text(wanted), "zone": "Europe/Berlin"})
    assert made.status_code == 202, made.text
    assert (made.json()["state"], made.json()["at"]) == ("scheduled", text(wanted - LEAD))
    assert (made.json()["effectiveBy"], made.json()["late"]) == (text(wanted), None)
    soon = later(seconds=8) + LEAD
    at_once = waymark.api("POST", path + "?wait=30", {"effectiveBy": text(soon)}).json()
    assert (at_once["state"], at_once["at"]) == ("live", text(soon - LEAD))
    assert at_once["startedAt"] >= at_once["at"].replace("Z", ".000Z")
    assert (at_once["effectiveBy"], at_once["late"]) == (text(soon), None)
    plain = waymark.api("POST", path, {"at": text(later(days=1))}).json()
    assert (plain["effectiveBy"], plain["late"]) == (None, None)
    told = waymark.api("GET", "/v1/events", params={"host": host, "kind": "publication.created"}).json()["items"]
    assert [event["detail"]["effectiveBy"] for event in told] == [text(wanted, ".000Z"), text(soon, ".000Z"), None]


def test_a_release_keeps_the_time_by_which_devices_must_have_it(waymark):
    host = waymark.new_domain(draft("/1"))
    wanted = later(days=20)
    made = waymark.api("POST", "/v1/releases", {"hosts": [host], "effectiveBy": text(wanted), "zone": "Europe/Berlin"})
    assert made.status_code == 202, made.text
    assert (made.json()["at"], made.json()["effectiveBy"]) == (text(wanted - LEAD), text(wanted))
    path = f"/v1/releases/{made.json()['id']}"
    waiting = eventually(lambda: (found := waymark.api("GET", path).json())["state"] == "scheduled" and found, 20)
    assert (waiting["effectiveBy"], waiting["late"]) == (text(wanted), None)
    assert waymark.api("DELETE", path).json()["effectiveBy"] == text(wanted)
    soon = later(seconds=8) + LEAD
    live = waymark.release({"hosts": [host], "effectiveBy": text(soon)})
    assert (live["at"], live["effectiveBy"], live["late"]) == (text(soon - LEAD), text(soon), None)
    published = waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"][0]
    assert (published["release"], published["effectiveBy"]) == (live["id"], text(soon))
    waymark.put_draft(host, draft("/2"))
    plain = waymark.release({"hosts": [host]})
    assert (plain["at"], plain["effectiveBy"], plain["late"]) == (None, None, None)
    back = waymark.api("POST", f"/v1/releases/{plain['id']}/rollbacks", {"effectiveBy": text(wanted)}).json()
    assert (back["at"], back["effectiveBy"]) == (text(wanted - LEAD), text(wanted))
    assert waymark.api("DELETE", f"/v1/releases/{back['id']}").status_code == 200
    both = {"hosts": [host], "at": text(later(days=3)), "effectiveBy": text(wanted)}
    refused(waymark.api("POST", "/v1/releases", both), ("/effectiveBy", "two_times"))
    too_late = {"hosts": [host], "effectiveBy": text(later(days=8))}
    refused(waymark.api("POST", "/v1/releases", too_late), ("/effectiveBy", "too_late"))


def test_all_impossible_times_are_reported_together(waymark):
    host = waymark.new_domain(draft("/1"))
    path = f"/v1/domains/{host}/publications"
    wanted = later(days=20)
    both = {"at": text(later(days=3)), "effectiveBy": text(wanted)}
    refused(waymark.api("POST", path, both), ("/effectiveBy", "two_times"))
    before = later() + LEAD
    details = refused(waymark.api("POST", path, {"effectiveBy": text(later(days=8))}), ("/effectiveBy", "too_late"))
    assert names_one_of(details["/effectiveBy"], before, later() + LEAD, timedelta(seconds=1)), details
    refused(waymark.api("POST", path, {"effectiveBy": text(later(days=500))}), ("/effectiveBy", "too_far_ahead"))
    early = {"effectiveBy": text(wanted), "revertAt": text(wanted - LEAD), "zone": "nowhere"}
    refused(waymark.api("POST", path, early), ("/revertAt", "revert_before_change"), ("/zone", "unknown_zone"))
    refused(waymark.api("POST", path, {"effectiveBy": "soon"}), ("/effectiveBy", "invalid_time"))
    assert waymark.api("GET", path).json()["items"] == []


def test_the_command_shows_the_time_and_the_assumptions(waymark):
    host = waymark.new_domain(draft("/1"))
    environment = {"WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("publisher")}

    def publish(*arguments):
        return waymark.cli("publish", host, *arguments, environment=environment, check=False)

    wanted = later(days=20)
    reach = f"on devices by {text(wanted)}"
    done = publish("--effective-by", text(wanted))
    assert (done.returncode, done.stdout) == (0, f"{host}: version 1 is scheduled for {text(wanted - LEAD)}, {reach}\n")
    assert text(wanted - LEAD) in done.stderr and "within 24 hours" in done.stderr and "once a week" in done.stderr
    before = later() + LEAD
    late = publish("--effective-by", text(later(days=8)))
    assert (late.returncode, late.stdout) == (2, "")
    assert "can no longer be met" in late.stderr
    assert names_one_of(late.stderr, before, later() + LEAD, timedelta(minutes=1), length=16), late.stderr
    both = publish("--effective-by", text(wanted), "--at", text(wanted))
    assert both.returncode == 2 and "--effective-by" in both.stderr

    def release(*arguments):
        return waymark.cli("release", *arguments, environment=environment, check=False)

    made = release("create", host, "--effective-by", text(wanted))
    assert made.returncode == 0 and made.stdout.endswith(f", {reach}\n"), made.stdout
    assert text(wanted - LEAD) in made.stderr and "within 24 hours" in made.stderr
    assert release("cancel", made.stdout.split()[0]).returncode == 0
    assert release("create", host, "--effective-by", text(wanted), "--at", text(wanted)).returncode == 2
