"""Whatever dies at whatever moment, a served file is always a whole, once-published version."""

import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import httpx
import pytest

from installation import eventually, installed
from publications import all_ended, digest, edge_load, only_resets_of_takeovers, publications
from samples import draft

FAULT_POINTS = ["publication.claimed", "publication.begun", "publication.activating", "publication.live"]


def die_at(point, template):
    """A publication whose process is killed at a fault point: how long after the next start it ended."""
    with installed(like=template) as waymark:
        host = waymark.new_domain(draft("/1"))
        waymark.publish(host)
        waymark.put_draft(host, draft("/2"))
        first = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
        second = waymark.api("GET", f"/v1/domains/{host}/draft/file").content
        waymark.restart({"WAYMARK_FAULT": point})
        with edge_load(waymark, host) as load:
            try:
                waymark.api("POST", f"/v1/domains/{host}/publications", {"message": point})
            except httpx.TransportError:
                pass
            assert waymark.process.wait(10) == -signal.SIGKILL, point
            time.sleep(0.3)
            waymark.start()
            started = time.monotonic()
            ended = eventually(lambda: all_ended(waymark, host), 30, what=f"the end of what died at {point}")
            seconds = time.monotonic() - started
            waymark.served(host, digest(second))
        assert only_resets_of_takeovers(load, 1), (point, load.failures)
        assert {seen.status for seen in load.seen} == {200}, point
        assert {seen.body for seen in load.seen} <= {first, second}, point
        assert [p["state"] for p in ended] == ["live", "live"], point
        assert ended[0]["activation"] == ended[1]["activation"] + 1, point
        follower = waymark.publish(waymark.new_domain(draft("/x")))
        assert follower["activation"] == ended[0]["activation"] + 1, f"{point}: an activation was drawn twice"
        return seconds


@pytest.mark.destructive
@pytest.mark.timeout(180)
def test_a_publication_killed_at_each_of_its_steps_ends_once(template):
    with ThreadPoolExecutor(len(FAULT_POINTS)) as pool:
        seconds = list(pool.map(lambda point: die_at(point, template), FAULT_POINTS))
    assert max(seconds) <= 30


@pytest.mark.destructive
@pytest.mark.timeout(240)
def test_ten_kills_in_the_middle_of_publications_lose_and_tear_nothing(fresh_waymark):
    waymark = fresh_waymark
    chance = random.Random(20)
    host = waymark.new_domain(draft("/0"))
    waymark.publish(host)
    whole = {digest(waymark.api("GET", f"/v1/domains/{host}/draft/file").content)}
    waymark.served(host, next(iter(whole)))
    accepted, interrupted = [], 0
    waymark.put_draft(host, draft("/timed"))
    whole.add(digest(waymark.api("GET", f"/v1/domains/{host}/draft/file").content))
    started = time.monotonic()
    waymark.publish(host)
    usual = time.monotonic() - started
    with edge_load(waymark, host) as load:
        for round in range(1, 11):
            waymark.put_draft(host, draft(f"/{round}"))
            whole.add(digest(waymark.api("GET", f"/v1/domains/{host}/draft/file").content))
            with ThreadPoolExecutor(1) as background:
                asked = background.submit(lambda: waymark.api("POST", f"/v1/domains/{host}/publications", {}))
                time.sleep(usual * chance.uniform(0.1, 1.0))
                waymark.kill9()
                killed = datetime.now(UTC).isoformat()
                try:
                    accepted.append(asked.result().json()["id"])
                except httpx.TransportError:
                    pass
            waymark.start()
            answer = waymark.edge_after_takeover(host)
            assert answer.status_code == 200 and digest(answer.content) in whole, round
            interrupted += any(p["endedAt"] is None or p["endedAt"] > killed for p in publications(waymark, host))
        ended = eventually(lambda: all_ended(waymark, host), 30, what="the end of every publication")
        live = waymark.api("GET", f"/v1/domains/{host}").json()["live"]
        waymark.served(host, live["sha256"])
    assert only_resets_of_takeovers(load, 10), load.failures
    assert {seen.status for seen in load.seen} == {200}
    assert {digest(seen.body) for seen in load.seen} <= whole
    assert interrupted > 0, "no kill came in the middle of a publication"
    assert set(accepted) <= {p["id"] for p in ended}
    assert {p["state"] for p in ended} <= {"live", "superseded", "suspended"}
    activations = [p["activation"] for p in ended if p["state"] == "live"]
    assert len(set(activations)) == len(activations)
    assert live["activation"] == max(activations)
    litter = [
        name
        for _, _, names in os.walk(waymark.state / "edge")
        for name in names
        if "tmp" in name or name.startswith(".")
    ]
    assert litter == []
