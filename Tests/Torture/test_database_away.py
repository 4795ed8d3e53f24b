"""Without PostgreSQL, or with one that hangs: the API says so, the edge serves on, and all comes back by itself."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from installation import eventually
from load import Load
from publications import all_ended, edge_load
from samples import draft


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
