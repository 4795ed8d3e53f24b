"""Schedules and freezes, over the API and on the command line."""

import json
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from clocks import keep_clear_of
from installation import EXECUTABLE, eventually
from samples import APP, draft


def moment(seconds):
    """The time this many seconds from now, in the API's format."""
    return (datetime.now(UTC) + timedelta(seconds=seconds)).replace(microsecond=0).isoformat().replace("+00:00", "Z")


class Organization:
    """An organization for these tests, so that its freezes do not stop other tests."""

    def __init__(self, waymark):
        self.waymark = waymark
        self.slug = waymark.create_organization()

    def api(self, method, path, body=None, role="owner", **more):
        return self.waymark.api(method, path, body, token=self.waymark.token(role, self.slug), **more)

    def made(self, path, body, status=201):
        answer = self.api("POST", path, body)
        assert answer.status_code == status, answer.text
        assert self.api("GET", answer.headers["Location"]).json()["id"] == answer.json()["id"]
        return answer.json()

    def domain(self, path, **fields):
        token = self.waymark.token("owner", self.slug)
        return self.waymark.new_domain(draft(path), token=token, **fields)

    def publish(self, host):
        return self.waymark.publish(host, token=self.waymark.token("owner", self.slug))

    def run(self, schedule):
        """Runs a schedule now, and returns the ended run and its outcomes."""
        run = self.made(f"/v1/schedules/{schedule['id']}/runs", None, 202)
        path = f"/v1/schedules/{schedule['id']}/runs/{run['id']}"
        ended = eventually(lambda: (r := self.api("GET", path).json())["state"] == "ended" and r)
        return ended, self.api("GET", f"{path}/outcomes").json()["items"]

    def cli(self, *arguments, role="owner"):
        return subprocess.run(
            [EXECUTABLE, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
            env={
                "LANG": "C.UTF-8",
                "WAYMARK_URL": self.waymark.url,
                "WAYMARK_TOKEN": self.waymark.token(role, self.slug),
            },
        )


@pytest.fixture
def acme(waymark):
    # The times at which these schedules run.
    keep_clear_of(("America/New_York", 2, 30), ("UTC", 0, 0))
    return Organization(waymark)


NIGHTLY = {"name": "nightly", "label": "shop", "expression": "30 2 * * *", "zone": "America/New_York"}


def test_a_schedule_from_its_creation_to_its_end(acme):
    made = acme.made("/v1/schedules", NIGHTLY)
    assert (made["state"], made["words"], made["revision"]) == ("active", "at 02:30 every day", 1)
    assert (made["host"], made["catchUpSeconds"], made["freeze"], made["reason"]) == (None, 21_600, None, None)
    assert timedelta() < datetime.fromisoformat(made["nextDueAt"]) - datetime.now(UTC) < timedelta(hours=26)
    path = f"/v1/schedules/{made['id']}"
    shown = acme.api("GET", path)
    assert shown.json() == made and shown.headers["ETag"] == '"1"'
    assert acme.api("GET", "/v1/schedules").json() == {"items": [made], "next": None}
    refused = acme.api("POST", "/v1/schedules", NIGHTLY)
    assert (refused.status_code, refused.json()["code"]) == (409, "exists")

    pause = {"state": "paused", "reason": "holidays"}
    assert acme.api("PATCH", path, pause).status_code == 428
    assert acme.api("PATCH", path, pause, headers={"If-Match": '"2"'}).json()["code"] == "revision_moved"
    paused = acme.api("PATCH", path, pause, headers={"If-Match": '"1"'})
    assert (paused.json()["state"], paused.json()["reason"], paused.json()["nextDueAt"]) == ("paused", "holidays", None)
    resumed = acme.api("PATCH", path, {"state": "active", "expression": "@hourly"}, headers={"If-Match": "*"}).json()
    assert (resumed["state"], resumed["reason"], resumed["revision"]) == ("active", None, 3)
    assert datetime.fromisoformat(resumed["nextDueAt"]) - datetime.now(UTC) <= timedelta(hours=1, seconds=1)
    assert acme.api("DELETE", path, headers={"If-Match": '"1"'}).status_code == 412
    assert acme.api("DELETE", path, headers={"If-Match": '"3"'}).status_code == 204
    assert acme.api("GET", path).status_code == 404
    for role, method, there, body in [
        ("editor", "POST", "/v1/schedules", NIGHTLY),
        ("editor", "POST", "/v1/freezes", {"reason": "x", "endsAt": moment(60)}),
    ]:
        assert acme.api(method, there, body, role=role).status_code == 403


def test_all_faults_of_a_schedule_are_reported_together(acme):
    alias = acme.domain("/1")
    target = acme.domain("/1")
    assert acme.api("PATCH", f"/v1/domains/{alias}", {"aliasOf": target}).status_code == 200

    def faults(**fields):
        body = {key: value for key, value in (NIGHTLY | fields).items() if value is not None}
        answer = acme.api("POST", "/v1/schedules", body)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid"), answer.text
        return [(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]]

    assert faults(expression="60 24 * *  x", name="") == [("/name", "too_short")] + [
        ("/expression", "invalid_expression")
    ] * 3
    assert faults(expression="0 0 30 2 *") == [("/expression", "invalid_expression")]
    assert faults(zone="Mars/Olympus") == [("/zone", "unknown_zone")]
    assert faults(label=None) == [("/host", "required")]
    assert faults(host=target) == [("/label", "one_target")]
    assert faults(host="nowhere.example", label=None) == [("/host", "host_refused")]
    both = faults(host="nowhere.example", label=None, zone="Mars/Olympus")
    assert both == [("/zone", "unknown_zone"), ("/host", "host_refused")]
    assert faults(host=alias, label=None) == [("/host", "host_refused")]
    assert faults(catchUpSeconds=604_801) == [("/catchUpSeconds", "out_of_range")]
    answer = acme.api("POST", "/v1/schedules", NIGHTLY | {"expression": "0 24 * * *"})
    assert "hour (column 3): 24 is not between 0 and 23" in answer.text


def test_the_next_runs_are_previewed_in_the_zone_and_in_utc(acme):
    asked = {"expression": "30 2 * * *", "zone": "America/New_York", "count": 50}
    preview = acme.api("POST", "/v1/schedule-previews", asked, role="viewer").json()
    assert preview["words"] == "at 02:30 every day"
    assert len(preview["runs"]) == 50
    for run in preview["runs"]:
        assert datetime.fromisoformat(run["local"]) == datetime.fromisoformat(run["at"])
        assert (run["occurs"], run["note"]) == ("once", None) or run["note"]
    times = [run["at"] for run in preview["runs"]]
    assert times == sorted(set(times)) and times[0] > moment(0)
    assert len(acme.api("POST", "/v1/schedule-previews", asked | {"count": 1}).json()["runs"]) == 1
    assert acme.api("POST", "/v1/schedule-previews", asked | {"count": 51}).status_code == 422
    # 02:30 does not exist on the last Sunday of March. Today may be in the same week.
    march = acme.api(
        "POST", "/v1/schedule-previews", {"expression": "30 2 25-31 3 *", "zone": "Europe/Berlin", "count": 49}
    ).json()["runs"]
    skipped = [run for run in march if run["occurs"] == "never"]
    assert len(skipped) in (6, 7, 8)
    for run in skipped:
        assert run["local"].endswith("T03:00:00+02:00") and run["expressed"].endswith(" 02:30")
    october = acme.api(
        "POST", "/v1/schedule-previews", {"expression": "30 2 25-31 10 *", "zone": "Europe/Berlin", "count": 49}
    ).json()["runs"]
    twice = [run for run in october if run["occurs"] == "twice"]
    assert len(twice) in (6, 7, 8)
    for run in twice:
        assert run["local"].endswith("T02:30:00+02:00") and "first" in run["note"]


def test_a_run_shows_the_outcome_of_each_domain_and_a_freeze_is_shown_everywhere(acme):
    changed, same, faulty = (acme.domain("/1", labels=["shop"]) for _ in range(3))
    for host in (changed, same):
        acme.publish(host)
    token = acme.waymark.token("owner", acme.slug)
    acme.waymark.put_draft(changed, draft("/2"), token=token)
    acme.waymark.put_draft(faulty, {"entries": []}, token=token)
    test = {"url": "/1", "expected": {"outcome": "opens", "app": APP}}
    assert acme.api("POST", f"/v1/domains/{faulty}/tests", test).status_code == 201
    schedule = acme.made("/v1/schedules", NIGHTLY | {"message": "as every night"})
    run, outcomes = acme.run(schedule)
    assert (run["kind"], run["domains"], run["missed"]) == ("manual", 3, 0)
    assert run["outcomes"] == {"published": 1, "unchanged": 1, "refused": 1, "frozen": 0, "failed": 0}
    by_host = {outcome["host"]: outcome for outcome in outcomes}
    assert {host: by_host[host]["outcome"] for host in by_host} == {
        changed: "published", faulty: "refused",
    }, f"{same} is not counted separately"
    assert by_host[faulty]["report"]["passed"] is False
    published = f"/v1/domains/{changed}/publications/{by_host[changed]['publication']}?wait=20"
    publication = acme.api("GET", published).json()
    assert (publication["state"], publication["message"], publication["version"]) == ("live", "as every night", 2)

    pending = acme.api("POST", f"/v1/domains/{changed}/publications", {"at": moment(10)}).json()
    acme.waymark.put_draft(changed, draft("/3"), token=token)
    freeze = acme.made("/v1/freezes", {"label": "shop", "reason": "the winter sale", "endsAt": moment(3_600)})
    assert freeze["current"] and freeze["liftedAt"] is None
    assert acme.api("GET", f"/v1/domains/{changed}").json()["freeze"] == freeze
    assert acme.api("GET", f"/v1/schedules/{schedule['id']}").json()["freeze"] == freeze
    path = f"/v1/domains/{changed}/publications/{pending['id']}"
    shown = acme.api("GET", path).json()
    assert shown["endedAt"] or shown["freeze"] == freeze
    suspended = acme.api("GET", path + "?wait=30").json()
    assert (suspended["state"], suspended["freeze"]) == ("suspended", None)
    assert "the winter sale" in suspended["cause"]
    run, outcomes = acme.run(schedule)
    assert (run["outcomes"]["frozen"], run["outcomes"]["unchanged"]) == (2, 1)
    stopped = [outcome for outcome in outcomes if outcome["outcome"] == "frozen"]
    assert sorted(outcome["host"] for outcome in stopped) == sorted([changed, faulty])
    assert all(outcome["freeze"] == freeze["id"] and "the winter sale" in outcome["cause"] for outcome in stopped)
    assert acme.publish(changed)["version"] == 4, "publishing now is not stopped"
    lifted = acme.api("DELETE", f"/v1/freezes/{freeze['id']}").json()
    assert (lifted["current"], lifted["liftedBy"]["name"]) == (False, "test-owner")
    assert acme.api("DELETE", f"/v1/freezes/{freeze['id']}").json()["code"] == "freeze_ended"
    assert acme.api("GET", "/v1/freezes?state=current").json()["items"] == []
    assert acme.api("GET", "/v1/freezes?state=ended").json()["items"] == [lifted]
    assert acme.api("GET", f"/v1/domains/{changed}").json()["freeze"] is None
    ahead = acme.made("/v1/freezes", {"reason": "the night", "endsAt": moment(3_600)})
    at_its_end = acme.api("POST", f"/v1/domains/{changed}/publications", {"at": ahead["endsAt"]}).json()
    before = acme.api("POST", f"/v1/domains/{changed}/publications", {"at": moment(3_000)}).json()
    assert (before["freeze"], at_its_end["freeze"]) == (ahead, None), "not stopped at the freeze's end"
    for ends in (moment(-60), moment(400 * 86_400)):
        refused = acme.api("POST", "/v1/freezes", {"reason": "x", "endsAt": ends})
        assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/endsAt"]


def test_schedules_and_freezes_on_the_command_line(acme):
    host = acme.domain("/1", labels=["shop"])
    acme.publish(host)
    result = acme.cli("schedule", "preview", "0 9 * * MON-FRI", "--zone", "Asia/Kathmandu", "--count", 2)
    lines = result.stdout.splitlines()
    assert (result.returncode, len(lines), lines[0]) == (0, 3, "at 09:00 on Monday to Friday"), result.stderr
    assert "T09:00:00+05:45  " in lines[1] and lines[1].endswith("T03:15:00Z")
    assert acme.cli("schedule", "preview", "0 24 * * *", "--zone", "UTC").returncode == 2
    assert acme.cli("schedule", "create", "x", "--cron", "@daily", "--zone", "UTC").returncode == 2
    create = ["schedule", "create", "nightly", "--label", "shop", "--cron", "@daily", "--zone", "UTC"]
    assert acme.cli(*create, role="viewer").returncode == 3
    made = acme.cli(*create)
    assert made.returncode == 0 and "at 00:00 every day (UTC)  next run at" in made.stdout, made.stderr
    assert acme.cli(*create).returncode == 1
    assert acme.cli("schedule", "list").stdout == made.stdout
    acme.waymark.put_draft(host, draft("/2"), token=acme.waymark.token("owner", acme.slug))
    frozen = acme.cli("freeze", "begin", "--until", moment(3_600), "--reason", "the sale", "--label", "shop", "--json")
    freeze = json.loads(frozen.stdout)
    assert "; frozen: the sale" in acme.cli("schedule", "list").stdout
    for hours, stops in [(0.5, True), (1.5, False)]:
        at = moment(hours * 3_600)
        stop = f", but it will be suspended: a freeze until {freeze['endsAt']} stops it: the sale" if stops else ""
        assert acme.cli("publish", host, "--at", at).stdout.endswith(f" is scheduled for {at}{stop}\n")
        waiting = acme.cli("release", "create", host, "--at", at, "--message", "later", "--json")
        path = f"/v1/releases/{json.loads(waiting.stdout)['id']}"
        eventually(lambda: acme.api("GET", path).json()["state"] == "scheduled")
        told = acme.cli("release", "show", path.rpartition("/")[2]).stdout
        assert f", due at {at}{stop}  later\n" in told or "the live version changed" in told, told
    result = acme.cli("schedule", "run", "nightly")
    assert result.returncode == 1 and f"{host}  frozen: a freeze of shop" in result.stdout, result.stderr
    assert freeze["id"] in acme.cli("freeze", "list").stdout
    assert acme.cli("freeze", "lift", freeze["id"]).returncode == 0
    assert acme.cli("freeze", "lift", freeze["id"]).returncode == 1
    assert acme.cli("freeze", "list").stdout == "" and freeze["id"] in acme.cli("freeze", "list", "--all").stdout
    result = acme.cli("schedule", "run", "nightly", "--json")
    assert result.returncode == 0, result.stderr
    assert [outcome["outcome"] for outcome in json.loads(result.stdout)["outcomes"]] == ["published"]
    result = acme.cli("schedule", "pause", "nightly", "--reason", "holidays")
    assert result.returncode == 0 and "paused: holidays" in result.stdout
    assert "next run at" in acme.cli("schedule", "resume", "nightly").stdout
    shown = acme.cli("schedule", "show", "nightly").stdout
    assert "manual  ended  1 published" in shown and "1 frozen" in shown
    assert acme.cli("schedule", "delete", "nightly").stdout == "nightly: deleted\n"
    gone = acme.cli("schedule", "show", "nightly")
    assert (gone.returncode, gone.stderr) == (3, "waymark: There is no schedule nightly.\n")


def test_faults_on_the_command_line_name_the_options(acme):
    acme.domain("/1", labels=["shop"])

    def told(*arguments):
        result = acme.cli(*arguments)
        assert result.returncode == 2, result.stderr
        return result.stderr.splitlines()

    [cron] = told("schedule", "preview", "0 24 * * *", "--zone", "UTC")
    assert cron.startswith("waymark: the cron expression: hour (column 3): ")
    [zone] = told("schedule", "preview", "@daily", "--zone", "Mars/Olympus")
    assert zone.startswith("waymark: --zone: ")
    [until] = told("freeze", "begin", "--until", "yesterday", "--reason", "x")
    assert until.startswith("waymark: --until: ")
    app = "ABCDE12345.com.example.shop"
    assert acme.cli("app", "replace", app, app).stderr.startswith("waymark: the new app: ")
    all_of_it = told("schedule", "create", "", "--label", "shop", "--cron", "@daily", "--zone", "UTC", "--catch-up", 10**7)
    assert all_of_it[0] == "waymark: The request has 2 errors."
    assert sorted(line.split(":")[0] for line in all_of_it[1:]) == ["  --catch-up", "  the name"]


def test_empty_texts_are_refused_and_texts_stay_on_one_line_on_the_command_line(acme):
    acme.domain("/1", labels=["shop"])
    made = acme.made("/v1/schedules", NIGHTLY | {"name": "  every night  "})
    assert made["name"] == "every night"
    for path, body in [
        ("/v1/schedules", NIGHTLY | {"name": "  "}),
        ("/v1/domains", {"host": acme.waymark.new_host(), "labels": [" "]}),
        ("/v1/freezes", {"reason": "\u2003", "endsAt": moment(3_600)}),
    ]:
        refused = acme.api("POST", path, body)
        assert refused.json()["errors"][0]["detail"] == "must not be empty", refused.text
    for path, body in [
        ("/v1/schedules", NIGHTLY | {"name": "two\nlines"}),
        ("/v1/freezes", {"reason": "one\n9d5e all until 2099", "endsAt": moment(3_600)}),
    ]:
        refused = acme.api("POST", path, body)
        assert [fault["code"] for fault in refused.json()["errors"]] == ["control_character"], refused.text
    assert [line.split("  ")[0] for line in acme.cli("schedule", "list").stdout.splitlines()] == ["every night"]
    refused = acme.cli("freeze", "begin", "--until", moment(3_600), "--reason", "one\ntwo")
    assert refused.returncode == 2 and "control character U+000A" in refused.stderr


def test_a_label_without_domains_gets_a_warning_on_the_command_line(acme):
    acme.domain("/1", labels=["shop"])
    schedule = ["schedule", "create", "--cron", "@daily", "--zone", "UTC", "--label"]
    freeze = ["freeze", "begin", "--until", moment(3_600), "--reason", "the sale", "--label"]
    for command in ([*schedule, "shpo", "one"], [*freeze, "shpo"]):
        made = acme.cli(*command)
        assert (made.returncode, made.stderr) == (0, "waymark: warning: no domain has the label shpo yet\n")
        assert "label shpo" in made.stdout
    for command in ([*schedule, "shop", "other"], [*freeze, "shop"]):
        made = acme.cli(*command)
        assert (made.returncode, made.stderr) == (0, "")
    assert acme.cli("schedule", "run", "one").stderr == "waymark: warning: no domain has the label shpo yet\n"


def test_the_calendar_shows_past_and_due_runs_by_day_in_the_readers_zone(acme):
    host = acme.domain("/1", labels=["shop"])
    made = acme.made("/v1/schedules", NIGHTLY)
    other = acme.made("/v1/schedules", NIGHTLY | {"name": "other", "label": "other"})
    assert made["lastRun"] is None
    run, _ = acme.run(made)
    assert acme.api("GET", f"/v1/schedules/{made['id']}").json()["lastRun"] == run
    assert [schedule["lastRun"] for schedule in acme.api("GET", "/v1/schedules").json()["items"]] == [run, None]

    today = datetime.now(UTC).date()
    asked = {"from": (today - timedelta(days=1)).isoformat(), "days": 4, "zone": "UTC"}
    first, second = acme.api("GET", "/v1/schedule-calendar", params=asked, role="viewer").json()["items"]
    assert first["schedule"] == acme.api("GET", f"/v1/schedules/{made['id']}").json() and first["often"] is False
    [ran] = [day for day in first["days"] if day["ran"]]
    assert ran["ran"] == {
        "runs": 1, "run": run["id"], "firstDueAt": run["dueAt"], "lastDueAt": run["dueAt"], "running": 0, "missed": 0,
        "outcomes": run["outcomes"],
    }
    assert ran["date"] == run["dueAt"][:10] and run["outcomes"]["published"] == 1
    due = [time for day in second["days"] for time in day["due"]]
    preview = acme.api("POST", "/v1/schedule-previews", {"expression": NIGHTLY["expression"], "zone": NIGHTLY["zone"]})
    assert due == preview.json()["runs"][: len(due)] and len(due) >= 2
    assert all(day["date"] == time["at"][:10] for day in second["days"] for time in day["due"])
    [page] = acme.api("GET", "/v1/schedule-calendar", params=asked | {"limit": 1}).json()["items"]
    assert page["schedule"]["id"] == made["id"]

    for wrong in ({"zone": "Mars/Olympus"}, {"zone": ""}, {"from": "2026-02-30"}, {"from": "1066-10-14"}, {"days": 43}):
        answer = acme.api("GET", "/v1/schedule-calendar", params=asked | wrong)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_parameter"), wrong

    def names(**query):
        return [schedule["name"] for schedule in acme.api("GET", "/v1/schedules", params=query).json()["items"]]

    assert names(host=host) == ["nightly"] and names(host="nowhere.example") == [] and len(names()) == 2
    runs = f"/v1/schedules/{made['id']}/runs"
    assert acme.api("GET", runs, params={"from": moment(-3_600), "until": moment(60)}).json()["items"] == [run]
    assert acme.api("GET", runs, params={"until": moment(-3_600)}).json()["items"] == []
    assert acme.api("GET", runs, params={"from": "yesterday"}).json()["code"] == "invalid_parameter"
    assert acme.cli("schedule", "list", "--host", host).stdout.startswith("nightly")
    assert "other" not in acme.cli("schedule", "list", "--host", host).stdout
    assert other["id"] in acme.cli("schedule", "list", "--json").stdout
