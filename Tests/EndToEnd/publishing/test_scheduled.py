"""Scheduled publications in the API, and jobs that fail."""

import signal
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from installation import EXECUTABLE, eventually, free_port, installed_on_cluster
from publications import moment, schedule, show
from samples import draft


def steps(publication):
    return [step["step"] for step in publication["steps"]]


def test_a_publication_goes_live_at_its_time_and_is_rolled_back_at_another(waymark):
    host = waymark.new_domain(draft("/1"))
    waymark.publish(host)
    waymark.put_draft(host, draft("/2"))
    at, back = moment(8), moment(11)
    made = schedule(waymark, host, at=at, revertAt=back, zone="Europe/Berlin", message="a few seconds of it")
    assert (made["state"], made["at"], made["zone"], made["version"]) == ("scheduled", at, "Europe/Berlin", 2)
    revert = waymark.api("GET", f"/v1/domains/{host}/publications/{made['revertedBy']}").json()
    assert (revert["at"], revert["version"], revert["message"]) == (back, 1, "Roll back to version 1")
    assert (revert["follows"], revert["reverts"]) == (made["id"], made["id"])
    waymark.put_draft(host, draft("/3"))
    ended = show(waymark, made, wait=30)
    assert (ended["state"], steps(ended)) == ("live", ["made", "claimed", "live"])
    assert ended["startedAt"] >= at.replace("Z", ".000Z")
    reverted = show(waymark, revert, wait=30)
    assert (reverted["state"], reverted["madeAgainst"]) == ("live", ended["activation"])
    assert reverted["startedAt"] >= back.replace("Z", ".000Z")
    assert waymark.api("GET", f"/v1/domains/{host}").json()["live"]["version"] == 1


def test_pending_publications_are_listed_and_cancelled_with_a_reason(waymark):
    token = waymark.token(organization=waymark.create_organization())
    host = waymark.new_domain(draft("/1"), token=token)
    waymark.publish(host, token=token)
    path = f"/v1/domains/{host}/publications"
    made = waymark.api("POST", path, {"at": moment(3600)}, token=token).json()
    later = waymark.api("POST", path, {"at": moment(7200)}, token=token).json()
    assert later["follows"] == made["id"]
    for listing in ["/v1/publications", path]:
        found = waymark.api("GET", f"{listing}?state=pending", token=token).json()["items"]
        assert [item["id"] for item in found] == [later["id"], made["id"]], listing
        assert [steps(item) for item in found] == [["made"], ["made"]]
        live = waymark.api("GET", f"{listing}?state=live", token=token).json()["items"]
        assert [item["version"] for item in live] == [1]
        assert waymark.api("GET", f"{listing}?state=odd", token=token).status_code == 422
    page = waymark.api("GET", "/v1/publications?limit=2", token=token).json()
    rest = waymark.api("GET", "/v1/publications", params={"cursor": page["next"]}, token=token).json()
    assert [len(page["items"]), len(rest["items"]), rest["next"]] == [2, 1, None]
    cancelled = waymark.api("DELETE", f"{path}/{made['id']}", params={"reason": "next week"}, token=token).json()
    assert (cancelled["state"], cancelled["cause"]) == ("cancelled", "cancelled by test-owner: next week")
    suspended = waymark.api("GET", f"{path}/{later['id']}", token=token).json()
    assert suspended["state"] == "suspended" and "cancelled by test-owner: next week" in suspended["cause"]
    assert waymark.api("GET", "/v1/publications?state=pending", token=token).json()["items"] == []


def test_all_impossible_times_are_reported_together(waymark):
    host = waymark.new_domain(draft("/1"))
    path = f"/v1/domains/{host}/publications"

    def faults(**fields):
        answer = waymark.api("POST", path, fields)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid"), answer.text
        return [(fault["pointer"], fault["code"]) for fault in answer.json()["errors"]]

    assert faults(at=moment(-60), zone="+01:00") == [("/at", "in_the_past"), ("/zone", "unknown_zone")]
    soon = moment(60)
    assert faults(at=soon, revertAt=soon) == [("/revertAt", "revert_before_change")]
    assert faults(at=moment(400 * 86400)) == [("/at", "too_far_ahead")]
    assert faults(revertAt=moment(60)) == [("/revertAt", "nothing_to_go_back_to")]
    for odd in ["tomorrow", "2026-12-01", "2026-12-01T09:00:00", "2027-02-29T09:00:00Z", "2027-02-01T24:00:00Z"]:
        assert faults(at=odd, revertAt=odd) == [("/at", "invalid_time"), ("/revertAt", "invalid_time")], odd
    assert waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"] == []


def test_a_time_with_an_offset_is_the_same_time(waymark):
    host = waymark.new_domain(draft("/1"))
    due = (datetime.now(UTC) + timedelta(hours=2)).replace(microsecond=0)
    for hours in [-9.5, 0, 5.75]:
        local = due + timedelta(hours=hours)
        sign, minutes = "+-"[hours < 0], int(abs(hours) * 60)
        text = f"{local:%Y-%m-%dT%H:%M:%S}{sign}{minutes // 60:02}:{minutes % 60:02}"
        assert schedule(waymark, host, at=text)["at"] == f"{due:%Y-%m-%dT%H:%M:%SZ}", text


@pytest.mark.destructive
@pytest.mark.timeout(240)
def test_a_job_that_kills_five_workers_is_parked_and_its_publication_fails(external):
    waymark, cluster = external
    host = waymark.new_domain(draft("/1"))
    waymark.cli("domain", "verify", "--organization", "acme", host)
    waymark.publish(host)
    waymark.put_draft(host, draft("/2"))
    waymark.restart({"WAYMARK_FAULT": "publication.begun"})
    with pytest.raises(httpx.TransportError):
        waymark.publish(host)
    for kill in range(1, 6):
        assert waymark.process.wait(60) == -signal.SIGKILL
        waymark.process = None
        # Ends the lease of the dead worker now.
        cluster.sql("update jobs set due_at = now() where kind = 'publish' and due_at > now()")
        waymark.start(environment={"WAYMARK_FAULT": "publication.begun"} if kill < 5 else {}, wait=kill == 5)
    [found] = [p for p in waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"] if p["version"] == 2]
    ended = eventually(lambda: (p := show(waymark, found))["endedAt"] and p, 60, what="the publication's end")
    assert (ended["state"], ended["attempts"]) == ("failed", 5)
    assert "given up after 5 attempts" in ended["cause"]
    assert steps(ended) == ["made", *["claimed"] * 5, "failed"]
    metrics = lambda: httpx.get(f"{waymark.metrics_url}/metrics").text
    eventually(lambda: "waymark_jobs_parked 1.0" in metrics(), 60, what="the parked job's metric")
    assert waymark.api("GET", f"/v1/domains/{host}").json()["live"]["version"] == 1
    assert waymark.publish(host)["state"] == "live"


@pytest.fixture
def workers():
    """An API without a worker, and a function that starts workers on the same database."""
    started = []
    with installed_on_cluster(("serve", "--role", "api")) as (waymark, _):

        def start(fault=""):
            log = (waymark.directory / f"worker-{len(started)}").open("w+")
            worker = subprocess.Popen(
                [EXECUTABLE, "serve", "--role", "worker"],
                cwd=waymark.directory,
                env=waymark.environment
                | {"WAYMARK_METRICS_ADDRESS": f"127.0.0.1:{free_port()}", "WAYMARK_FAULT": fault},
                stdout=log,
                stderr=log,
            )
            started.append((worker, log))
            return worker, log

        try:
            yield waymark, start
        except BaseException:
            print(*[Path(log.name).read_text()[-3000:] for _, log in started])
            raise
        finally:
            for worker, log in started:
                worker.kill()
                worker.wait()
                log.close()


@pytest.mark.destructive
@pytest.mark.timeout(120)
def test_a_worker_frozen_past_its_lease_overwrites_nothing_when_it_wakes(workers):
    waymark, start = workers
    host = waymark.new_domain(draft("/1"))
    waymark.cli("domain", "verify", "--organization", "acme", host)
    frozen, log = start("publication.begun:stop")
    made = schedule(waymark, host)
    stat = Path(f"/proc/{frozen.pid}/stat")
    eventually(lambda: stat.read_text().rpartition(")")[2].split()[0] == "T", 60, what="the frozen worker")
    assert (show(waymark, made)["state"], steps(show(waymark, made))) == ("running", ["made", "claimed"])

    start()
    ended = eventually(lambda: (p := show(waymark, made))["endedAt"] and p, 60, what="the other worker's work")
    assert (ended["state"], steps(ended)) == ("live", ["made", "claimed", "claimed", "live"])
    waymark.put_draft(host, draft("/2"))
    newer = waymark.publish(host)

    frozen.send_signal(signal.SIGCONT)
    # If it was stopped between two statements, it finds that another worker has the job. If it was stopped within a
    # statement, it finds that it timed out.
    findings = ["A job is no longer this worker's", "A job is given back"]
    eventually(lambda: any(words in Path(log.name).read_text() for words in findings), 60, what="the worker's log line")
    live = waymark.api("GET", f"/v1/domains/{host}").json()["live"]
    assert (live["version"], live["activation"]) == (2, newer["activation"])
    assert show(waymark, made) == ended
    assert frozen.poll() is None, "it works on"
