"""PostgreSQL is stopped or hangs: the API answers 503, the edge continues to serve, and everything recovers
automatically."""

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from fleet import fleet_on_cluster
from installation import eventually
from load import Load, Meanwhile
from publications import PATH, all_ended, edge_load
from samples import draft


def live_host(waymark):
    host = waymark.new_domain(draft("/x"))
    waymark.cli("domain", "verify", "--organization", "acme", host)
    waymark.publish(host)
    return host, waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content


def timed(ask):
    """An answer, and its time in seconds."""
    start = time.monotonic()
    answer = ask()
    return answer, time.monotonic() - start


class Changes(Meanwhile):
    """Sends writes, and records each status with its start and its duration."""

    def __init__(self, waymark, host):
        super().__init__(pause=0.002)
        self.seen = []
        self._ask = lambda: waymark.api("PUT", f"/v1/domains/{host}/draft", draft("/x"), {"If-Match": "*"})

    def _once(self):
        start = time.monotonic()
        answer, seconds = timed(self._ask)
        self.seen.append((start, seconds, answer.status_code, answer.headers.get("retry-after")))


def refuses_without_the_database(waymark, maximum):
    """Checks that requests that need no database get their usual answers within this many seconds."""
    for method, path, token, status in [
        ("GET", "/livez", False, 200),
        ("GET", "/nothing", None, 404),
        ("PUT", "/v1/teams", None, 405),
        ("GET", "/v1/teams", "bad", 401),
    ]:
        answer, seconds = timed(lambda: waymark.api(method, path, token=token))
        assert answer.status_code == status, path
        assert seconds <= maximum, path


@pytest.mark.destructive
@pytest.mark.timeout(600)
def test_without_postgresql_the_api_answers_503_and_recovers_automatically(external, size, limit, figure):
    waymark, cluster = external
    host, body = live_host(waymark)
    token = {"Authorization": f"Bearer {waymark.token()}"}
    rounds, slowest, recoveries = size(2, 20), 0, []
    with ExitStack() as stack:
        reads = [stack.enter_context(Load(f"{waymark.url}/v1/teams", token)) for _ in range(2)]
        changes = stack.enter_context(Changes(waymark, host))
        live = stack.enter_context(Load(f"{waymark.url}/livez"))
        edge = stack.enter_context(edge_load(waymark, host))
        time.sleep(0.5)
        for round in range(rounds):
            cluster.stop(["immediate", "fast"][round % 2])
            stopped = time.monotonic()
            time.sleep(2)
            assert waymark.api("GET", "/readyz").status_code == 503
            refuses_without_the_database(waymark, limit(1))
            down = [seen for load in reads for seen in load.since(stopped)]
            down = [(seen.seconds, seen.status, seen.headers.get("retry-after")) for seen in down]
            down += [(seconds, *rest) for start, seconds, *rest in changes.seen if start >= stopped]
            assert {(status, retry) for _, status, retry in down} == {(503, "1")}
            slowest = max(slowest, *(seconds for seconds, *_ in down))
            cluster.start()
            accepted = time.monotonic()
            eventually(lambda: waymark.api("GET", "/readyz").status_code == 200, what="a ready API")
            for load in reads:
                eventually(lambda: load.seen[-1].status == 200, what="answers to reads")
            eventually(lambda: changes.seen[-1][2] == 200, what="answers to writes")
            recoveries.append(time.monotonic() - accepted)
    answers = [seen.status for load in reads for seen in load.seen] + [status for _, _, status, _ in changes.seen]
    assert set(answers) == {200, 503} and [load.failures for load in reads] == [[], []]
    assert {seen.status for seen in live.seen} == {200} and live.failures == []
    assert {(seen.status, seen.body) for seen in edge.seen} == {(200, body)} and edge.failures == []
    waymark.put_draft(host, draft("/y"))
    waymark.publish(host)
    figure(f"PostgreSQL stopped {rounds} times, requests meanwhile", f"503, {slowest:.2f} s at most", "503 within 1 s")
    figure("the API answers again after PostgreSQL accepts", f"{max(recoveries):.2f} s at most", "5 s")
    assert slowest <= limit(1) and max(recoveries) <= limit(5)


@pytest.mark.destructive
@pytest.mark.timeout(300)
def test_restarted_edges_serve_files_without_database_and_apis(size, figure):
    seconds = size(3, 60)
    with fleet_on_cluster() as (fleet, cluster), ExitStack() as stack:
        hosts = dict(live_host(fleet) for _ in range(4))
        for host in hosts:
            fleet.everywhere(host)
        loads = {
            (host, url): stack.enter_context(Load(url + PATH, {"Host": host}, pause=0.02))
            for host in hosts
            for url in [fleet.edge_url, fleet.directory_url]
        }
        cluster.stop()
        for part in [*fleet.apis, fleet.worker]:
            part.kill9()
        stopped = time.monotonic()
        for way in ["kill9", "end"]:
            for part in [*fleet.edges, fleet.writer]:
                getattr(part, way)()
                part.start()
                fleet.wait_for(part)
        time.sleep(max(0, stopped + seconds - time.monotonic()))
        before = {key: len(load.seen) for key, load in loads.items()}
        eventually(lambda: all(len(load.seen) > before[key] for key, load in loads.items()), what="the requests")
    for (host, url), load in loads.items():
        assert load.failures == [], (host, url)
        assert {(seen.status, seen.body) for seen in load.seen} == {(200, hosts[host])}, (host, url)
    count = sum(len(load.seen) for load in loads.values())
    what = f"{seconds} s without PostgreSQL and APIs, edges restarted"
    figure(what, f"{count} requests, all 200 with the same bytes", "all")


def backends(cluster):
    """The service's connections that do not listen for notifications, the last used one first."""
    of_the_pool = "usename = 'waymark_runtime' and query not ilike 'listen%'"
    found = cluster.sql(f"select pid from pg_stat_activity where {of_the_pool} order by state_change desc")
    return [int(pid) for pid in found.split()]


def many(waymark, host, count):
    """Sends reads and writes at the same time, and returns each answer with its duration."""

    def ask(number):
        if number % 3 == 0:
            return timed(lambda: waymark.api("PUT", f"/v1/domains/{host}/draft", draft("/x"), {"If-Match": "*"}))
        path = ["/v1/teams", f"/v1/domains/{host}"][number % 2]
        return timed(lambda: waymark.api("GET", path))

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(ask, range(count)))


def statuses(answers):
    return {answer.status_code for answer, _ in answers}


@pytest.mark.destructive
@pytest.mark.timeout(300)
def test_requests_to_a_frozen_postgresql_end_within_5_seconds(external, size, limit, figure):
    waymark, cluster = external
    host, body = live_host(waymark)
    slowest = {}
    for what in ["one backend", "all of PostgreSQL"] * size(1, 5):
        many(waymark, host, 12)
        # The pool assigns the connection that was used last.
        [frozen, *_] = backends(cluster)
        try:
            if what == "one backend":
                os.kill(frozen, signal.SIGSTOP)
            else:
                cluster.signal_all(signal.SIGSTOP)
            answers = [answer for _ in range(3) for answer in many(waymark, host, 12)]
            slowest[what] = max(slowest.get(what, 0), *(seconds for _, seconds in answers))
            refuses_without_the_database(waymark, limit(1))
            assert waymark.edge(host).content == body
            if what == "one backend":
                # Its connection has been discarded, so no request waits for it.
                eventually(lambda: statuses(many(waymark, host, 12)) == {200}, what="answers by the others")
            else:
                assert statuses(answers) == {503}
        finally:
            cluster.signal_all(signal.SIGCONT)
        eventually(lambda: statuses(many(waymark, host, 12)) == {200}, what="recovery")
        eventually(lambda: frozen not in backends(cluster), 120, what="the end of the frozen connection")
    for what, seconds in slowest.items():
        figure(f"{what} frozen {size(1, 5)} times", f"every request ended, {seconds:.2f} s at most", "5 s")
    assert max(slowest.values()) <= limit(5)


@contextmanager
def locked(cluster, table):
    """Holds a lock on a table, so that every statement that reads the table waits."""
    statement = f"begin; lock table {table}; select pg_sleep(60)"
    asleep = "from pg_stat_activity where query like 'begin; lock%' and wait_event = 'PgSleep'"
    with subprocess.Popen(
        ["psql", "-X", "-q", "-c", statement, cluster.url("postgres")], stderr=subprocess.DEVNULL
    ):
        try:
            eventually(lambda: cluster.sql(f"select count(*) {asleep}") == "1", what="the lock")
            yield
        finally:
            cluster.sql(f"select pg_terminate_backend(pid) {asleep}")


@pytest.mark.destructive
@pytest.mark.timeout(300)
def test_requests_without_a_free_slot_are_refused_in_bounded_time(external, size, limit, figure):
    waymark, cluster = external
    host, body = live_host(waymark)
    # One caller holds at most half of the eight connections. Its other requests wait up to 10 s for a slot.
    connections, slowest, longest = 4, 0, 0
    waiting = "select count(*) from pg_stat_activity where usename = 'waymark_runtime' and wait_event_type = 'Lock'"
    for _ in range(size(1, 10)):
        many(waymark, host, 12)
        with ThreadPoolExecutor(72) as pool, locked(cluster, "teams"):
            ask = lambda: pool.submit(timed, lambda: waymark.api("GET", "/v1/teams"))  # noqa: E731
            holders = []

            def are_held():
                """Whether the caller's maximum number of requests waits for the lock. Requests that ended earlier are
                sent again."""
                holders.extend(ask() for _ in range(connections - sum(not asked.done() for asked in holders)))
                return cluster.sql(waiting) == str(connections)

            eventually(are_held, what="four connections held")
            turned_away = [ask() for _ in range(64)]
            time.sleep(0.2)
            refuses_without_the_database(waymark, limit(1))
            assert waymark.edge(host).content == body
            held, refused = [[asked.result() for asked in each] for each in (holders, turned_away)]
        assert {answer.headers["retry-after"] for answer, _ in held + refused} == {"1"}
        assert {answer.status_code for answer, _ in held} == {503}
        assert {answer.status_code for answer, _ in refused} <= {429, 503}
        slowest = max(slowest, *(seconds for _, seconds in refused))
        longest = max(longest, *(seconds for _, seconds in held))
        eventually(lambda: statuses(many(waymark, host, 12)) == {200}, what="recovery")
    figure("64 requests while their connections are held", f"429 or 503, {slowest:.2f} s at most", "429 at 10 s, 503 at 15 s")
    figure("the requests that hold them, for a lock", f"503, {longest:.2f} s at most", "5 s")
    assert slowest <= limit(16) and longest <= limit(5)


@pytest.mark.destructive
def test_a_publication_created_before_postgresql_dies_is_carried_out_afterwards(external):
    waymark, cluster = external
    host, _ = live_host(waymark)
    waymark.put_draft(host, draft("/later"))
    made = waymark.api("POST", f"/v1/domains/{host}/publications", {})
    cluster.stop("immediate")
    time.sleep(1)
    cluster.start()
    eventually(lambda: waymark.api("GET", "/readyz").status_code == 200)
    ended = eventually(lambda: all_ended(waymark, host), 60, what="the publication's end")
    assert [p["state"] for p in ended] == ["live", "live"]
    assert ended[0]["id"] == made.json()["id"]
    waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])
