"""Releases with kills in the middle: all of a release is live or nothing, in PostgreSQL and at the edge."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from consumers import Edge
from fault_points import RELEASE_POINTS
from installation import eventually, installed
from load import Load, Meanwhile
from publications import PATH, digest, edge_load, only_resets_of_takeovers
from roles import Worker, api_alone, end_leases, ended_once, ending, published, verified_host
from samples import draft


def die_at(point, template):
    """Kills the process of a release at a point, and returns the seconds from the next start to the release's end."""
    with installed(like=template) as waymark:
        hosts = [waymark.new_domain(draft(f"/1/{number}")) for number in range(3)]
        waymark.release({"hosts": hosts})
        for number, host in enumerate(hosts):
            waymark.put_draft(host, draft(f"/2/{number}"))
        before = [waymark.api("GET", f"/v1/domains/{host}").json()["live"] for host in hosts]
        first = waymark.served(hosts[0], before[0]["sha256"]).content
        second = waymark.api("GET", f"/v1/domains/{hosts[0]}/draft/file").content
        waymark.restart({"WAYMARK_FAULT": point})
        with edge_load(waymark, hosts[0]) as load:
            try:
                waymark.api("POST", "/v1/releases", {"hosts": hosts})
            except httpx.TransportError:
                pass
            assert waymark.process.wait(60) == -signal.SIGKILL, point
            time.sleep(0.3)
            waymark.start()
            started = time.monotonic()
            if point == "release.making":
                assert len(waymark.api("GET", "/v1/releases").json()["items"]) == 1, "uncommitted data exists"
                waymark.api("POST", "/v1/releases", {"hosts": hosts})
            newest = waymark.api("GET", "/v1/releases").json()["items"][0]
            ended = waymark.ended_release(newest["id"], seconds=60)
            seconds = time.monotonic() - started
            waymark.served(hosts[0], digest(second))
        assert only_resets_of_takeovers(load, 1), (point, load.failures)
        assert {seen.status for seen in load.seen} == {200}, point
        assert {seen.body for seen in load.seen} <= {first, second}, point
        live = [waymark.api("GET", f"/v1/domains/{host}").json()["live"] for host in hosts]
        assert [one["version"] for one in live] == [2, 2, 2], f"{point}: a number was used twice or skipped"
        assert sorted(one["activation"] for one in live) == [4, 5, 6], f"{point}: an activation was used twice"
        assert ended["activation"] == 6
        return seconds


@pytest.mark.destructive
@pytest.mark.timeout(300)
def test_a_release_killed_at_each_of_its_steps_ends_once(template, limit, figure):
    with ThreadPoolExecutor(4) as pool:
        seconds = list(pool.map(lambda point: die_at(point, template), RELEASE_POINTS))
    figure(f"a service killed at {len(seconds)} points of a release", f"ended after {max(seconds):.1f} s", "30 s")
    assert max(seconds) <= limit(30)


def copies(cluster, host, count):
    """This many verified domains. Each has the host's file live and its own, different draft."""
    change = "jsonb_build_object('host', 'copy-' || n || '.example', 'domain', 'copy-' || n || '.example')"
    for table in ["domains", "versions", "claims"]:
        more = " || jsonb_build_object('activation', n + 1)" if table == "claims" else ""
        cluster.sql(
            f"insert into {table} select (jsonb_populate_record(t, {change}{more})).*"
            f" from {table} t, generate_series(1, {count}) n where t.host = '{host}'"
        )
    cluster.sql(
        "insert into drafts (organization_id, host, revision, document, file_sha256, file_size)"
        " select organization_id, 'copy-' || n || '.example', 3, replace(document::text, '/new', '/new/' || n)::json,"
        f" sha256(('draft ' || n)::bytea), file_size from drafts, generate_series(1, {count}) n where host = '{host}'"
    )
    cluster.sql(f"update activation_counter set last = {count} + 1")
    cluster.sql("update domains set labels = array['release']")
    return [f"copy-{number}.example" for number in range(1, count + 1)] + [host]


def renewed(lines):
    """The number of hosts at version 2 in a manifest."""
    return sum(len(line) == 5 and line[2] == "2" for line in map(str.split, lines))


class Manifests(Meanwhile):
    """Reads manifests, and counts the release's hosts that are at their new version in each."""

    def __init__(self, waymark):
        super().__init__()
        self.counts = []
        secret = (waymark.state / "consumer-secret").read_text().strip()
        headers = {"Authorization": f"Bearer {secret}"}
        self._client = httpx.Client(base_url=waymark.url, headers=headers, timeout=30)

    def __exit__(self, *error):
        super().__exit__(*error)
        self._client.close()

    def _once(self):
        try:
            text = self._client.get("/internal/manifest").text
        except httpx.TransportError:
            return
        self.counts.append(renewed(text.splitlines()))


@pytest.mark.destructive
@pytest.mark.timeout(1800)
def test_a_release_is_live_as_a_whole_or_not_at_all_although_workers_are_killed(size, figure):
    count = size(50, 10_000)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        host = verified_host(waymark, "/old", host="copy-0.example")
        processes += [worker := Worker(waymark), edge := Edge(waymark)]
        waymark.publish(host)
        worker.kill9()
        waymark.put_draft(host, draft("/new"))
        hosts = copies(cluster, host, count - 1)
        waymark.restart()
        eventually(lambda: sum(" 1 " in line for line in edge.manifest()) == count, 60, what="all hosts at the edge")
        # The edge serves the files on its disk a moment later.
        asked = {"Host": hosts[count // 2]}
        eventually(lambda: httpx.get(edge.url + PATH, headers=asked).status_code == 200, 30, what="the host is served")
        kills = 0
        with Load(edge.url + PATH, asked, pause=0.01) as load, Manifests(waymark) as manifests:
            eventually(lambda: load.seen and manifests.counts, what="an answer before it")
            started = time.monotonic()
            made = waymark.api("POST", "/v1/releases", {"label": "release"})
            assert made.status_code == 202, made.text
            for point in ["release.judged", "release.frozen"]:
                # As if four workers had been lost before: the batch that this worker completes resets the count.
                cluster.sql("update jobs set attempts = 4")
                for death in [point, "release.claimed"]:
                    end_leases(cluster)
                    worker.start(death)
                    assert worker.process.wait(60) == -signal.SIGKILL, death
                    kills += 1
            end_leases(cluster)
            worker.start()
            for state in ["judging", "running"]:
                eventually(
                    lambda: cluster.sql("select state from releases") in (state, "live"), 300, 0.005, what=state
                )
                time.sleep(0.1)
                worker.kill9()
                worker.start()
                kills += 1
            release = waymark.ended_release(made.json()["id"], seconds=600)
            eventually(lambda: renewed(edge.manifest()) == count, 120, what="the whole release at the edge")
            eventually(lambda: manifests.counts[-1] == count, 120, what="an answer after it")
            seconds = time.monotonic() - started
        assert release["domains"]["live"] == count
        assert set(manifests.counts) == {0, count}, "a manifest held only a part of the release"
        assert {seen.status for seen in load.seen} == {200} and not load.failures
        whole = published(cluster, hosts[count // 2]) | {digest(load.seen[0].body)}
        assert {digest(seen.body) for seen in load.seen} <= whole
        assert cluster.sql("select max(number), count(*) from versions where number = 2") == f"2|{count}"
        assert cluster.sql("select last from activation_counter") == str(2 * count), "a version took effect twice"
        assert cluster.sql("select count(*) from publications where release_id is not null") == str(count)
        ended_once(cluster)
        figure(
            f"a release of {count} domains under traffic, {kills} workers killed in the middle",
            f"live whole after {seconds:.1f} s; {len(load.seen)} GETs whole, {len(manifests.counts)} manifests all or none",
            "all or nothing",
        )
