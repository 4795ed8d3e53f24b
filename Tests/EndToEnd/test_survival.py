"""Whatever dies at whatever moment, a served file is always a whole, once-published version."""

import hashlib
import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import httpx
import pytest

from installation import Installation, eventually, installed
from load import Load
from postgres import Cluster
from samples import draft

PATH = "/.well-known/apple-app-site-association"
FAULT_POINTS = ["publication.claimed", "publication.begun", "publication.activating", "publication.live"]


def digest(body):
    return hashlib.sha256(body).hexdigest()


def publications(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/publications?limit=200").json()["items"]


def all_ended(waymark, host):
    found = publications(waymark, host)
    return found if all(p["state"] not in ("scheduled", "running") for p in found) else None


def edge_load(waymark, host):
    return Load(waymark.edge_url + PATH, {"Host": host})


def only_resets_of_takeovers(load, takeovers):
    """A new edge takes over from the old one; what still waits in the old one's queue is reset, and asked again."""
    return len(load.failures) <= takeovers and all("ConnectionReset" in error for _, error in load.failures)


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


@pytest.mark.destructive
def test_the_edge_serves_while_the_api_is_dead_and_starts_from_its_disk(fresh_waymark):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    waymark.kill9()
    assert waymark.edge(host).content == body
    edges = [pid for pid, command in waymark.processes().items() if command.endswith("serve --role edge")]
    assert len(edges) == 1
    os.kill(edges[0], signal.SIGKILL)
    eventually(lambda: edges[0] not in waymark.processes(), what="the edge's end")
    alone = waymark.arguments
    waymark.arguments = ("serve", "--role", "edge")
    waymark.start(wait=False)
    started = time.monotonic()
    assert eventually(lambda: waymark.edge(host), pause=0.02).content == body
    assert time.monotonic() - started < 3
    waymark.stop()
    waymark.arguments = alone
    waymark.start()
    assert waymark.edge(host).content == body


@pytest.mark.destructive
def test_an_edge_that_dies_is_started_again(fresh_waymark):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    for pid, command in waymark.processes().items():
        if command.endswith("serve --role edge"):
            os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: waymark.edge(host), 5).content == body
    assert waymark.api("GET", "/readyz").status_code == 200


@pytest.fixture
def external():
    """A Waymark on a PostgreSQL cluster that the test may stop."""
    cluster = Cluster()
    waymark = Installation(
        {
            "WAYMARK_DATABASE_URL": cluster.url("waymark_runtime"),
            "WAYMARK_OWNER_DATABASE_URL": cluster.url("waymark_owner"),
        }
    )
    try:
        waymark.cli("database", "prepare", "--url", cluster.url("postgres", "postgres"))
        waymark.cli("migrate")
        waymark.start()
        waymark.create_organization("acme")
        yield waymark, cluster
    except BaseException:
        print(waymark.log()[-6000:])
        raise
    finally:
        waymark.remove()
        cluster.remove()


def live_host(waymark):
    host = waymark.new_domain(draft("/x"))
    waymark.cli("domain", "verify", "--organization", "acme", host)
    waymark.publish(host)
    return host, waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content


@pytest.mark.destructive
def test_without_postgresql_the_api_says_so_and_the_edge_serves_on(external):
    waymark, cluster = external
    host, body = live_host(waymark)
    token = {"Authorization": f"Bearer {waymark.token()}"}
    with Load(f"{waymark.url}/v1/teams", token) as api, edge_load(waymark, host) as edge, Load(
        f"{waymark.url}/livez"
    ) as live:
        time.sleep(0.5)
        for mode in ["immediate", "fast"]:
            cluster.stop(mode)
            stopped = time.monotonic()
            time.sleep(3)
            assert waymark.api("GET", "/readyz").status_code == 503
            assert waymark.api("GET", "/v1/teams", token="bad").status_code == 401
            assert waymark.api("GET", "/nothing").status_code == 404
            assert waymark.api("PUT", "/v1/teams").status_code == 405
            down = api.since(stopped)
            assert {seen.status for seen in down} == {503}
            assert {seen.headers.get("retry-after") for seen in down} == {"1"}
            assert max(seen.seconds for seen in down) <= 1.5
            cluster.start()
            eventually(lambda: waymark.api("GET", "/readyz").status_code == 200, 5, what="a recovered API")
            eventually(lambda: api.seen[-1].status == 200, 5, what="answers under load")
    assert {seen.status for seen in api.seen} <= {200, 503} and api.failures == []
    assert {seen.status for seen in live.seen} == {200} and live.failures == []
    assert {(seen.status, seen.body) for seen in edge.seen} == {(200, body)} and edge.failures == []
    waymark.put_draft(host, draft("/y"))
    waymark.publish(host)


@pytest.mark.destructive
def test_a_frozen_postgresql_is_given_up_within_its_deadline(external):
    waymark, cluster = external
    host, body = live_host(waymark)
    token = {"Authorization": f"Bearer {waymark.token()}"}
    cluster.signal_all(signal.SIGSTOP)
    try:
        start = time.monotonic()
        with ThreadPoolExecutor(12) as pool:
            answers = list(
                pool.map(lambda _: httpx.get(f"{waymark.url}/v1/teams", headers=token, timeout=20), range(12))
            )
        assert {answer.status_code for answer in answers} == {503}
        assert time.monotonic() - start <= 8
        assert waymark.api("GET", "/livez").status_code == 200
        assert waymark.edge(host).content == body
    finally:
        cluster.signal_all(signal.SIGCONT)
    eventually(lambda: waymark.api("GET", "/v1/teams").status_code == 200, 10, what="a recovered API")


@pytest.mark.destructive
def test_a_publication_made_before_postgresql_dies_is_carried_out_after(external):
    waymark, cluster = external
    host, _ = live_host(waymark)
    waymark.put_draft(host, draft("/later"))
    made = waymark.api("POST", f"/v1/domains/{host}/publications", {})
    cluster.stop("immediate")
    time.sleep(1)
    cluster.start()
    eventually(lambda: waymark.api("GET", "/readyz").status_code == 200, 10)
    ended = eventually(lambda: all_ended(waymark, host), 30, what="the publication's end")
    assert [p["state"] for p in ended] == ["live", "live"]
    assert ended[0]["id"] == made.json()["id"]
    waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])
