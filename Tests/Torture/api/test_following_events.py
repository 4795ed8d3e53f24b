"""Events: every reader gets every entry once, in the same order, even if entries commit in another order or an API
dies."""

import random
import signal
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager

import httpx
import pytest

from fault_points import EVENT_POINTS
from installation import Installation
from postgres import Cluster
from roles import api_alone

WRITERS = 16


@contextmanager
def second_api(waymark, cluster):
    """A second API on the same cluster."""
    other = Installation(cluster.settings(), ("serve", "--role", "api"))
    other._tokens = waymark._tokens
    try:
        yield other.start()
    finally:
        other.remove()


def writer(cluster, number, count):
    """Transactions with one entry each. They stay open for up to 30 ms, so they commit in any order."""
    one = (
        "begin; select set_config('waymark.organization', (select id::text from organizations), true);"
        " insert into audit_entries (actor_kind, actor_name, action, subject, detail)"
        " values ('user', 'u', 'team.created', '{}', '{{}}'); select pg_sleep({}); commit;\n"
    )
    script = "".join(one.format(f"{number}-{entry}", random.uniform(0, 0.03)) for entry in range(count))
    psql = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", cluster.url("waymark_runtime")]
    # From a file: with a pipe, this call would wait until most of the script is read, and the writers would take turns.
    with tempfile.TemporaryFile("w+") as file:
        file.write(script)
        file.seek(0)
        return subprocess.Popen(psql, stdin=file, stdout=subprocess.DEVNULL)


class Reader(threading.Thread):
    """Follows the list by cursor from its beginning, at any of the APIs, until it has seen this many events."""

    def __init__(self, apis, count, token):
        super().__init__(daemon=True)
        self.apis, self.count, self.token = apis, count, token
        self.seen, self.failures, self.cursor = [], 0, None
        self.start()

    def run(self):
        while len(self.seen) < self.count:
            waymark = random.choice(self.apis)
            query = {"limit": random.randint(1, 200), "wait": 5} | ({"cursor": self.cursor} if self.cursor else {})
            try:
                answer = httpx.get(
                    f"{waymark.url}/v1/events",
                    params=query,
                    headers={"Authorization": f"Bearer {self.token}"},
                    timeout=60,
                )
                answer.raise_for_status()
            except httpx.HTTPError:
                self.failures += 1
                time.sleep(0.05)
                continue
            self.seen += [(event["position"], event["subject"]) for event in answer.json()["items"]]
            self.cursor = answer.json()["next"]


def read(waymark, after=0):
    """All events after a position."""
    seen, cursor = [], None
    while cursor is None or items:
        place = {"cursor": cursor} if cursor else {"after": after}
        answer = waymark.api("GET", "/v1/events", params={"limit": 200} | place).json()
        items, cursor = answer["items"], answer["next"]
        seen += [(event["position"], event["subject"]) for event in items]
    return seen


@pytest.mark.destructive
@pytest.mark.timeout(1200)
def test_every_reader_gets_every_entry_once_in_the_same_order_although_apis_die(size, figure):
    each = size(60, 1_000)
    with api_alone() as (waymark, cluster), second_api(waymark, cluster) as other:
        token = waymark.token()
        total = len(read(waymark)) + WRITERS * each
        started = time.monotonic()
        writers = [writer(cluster, number, each) for number in range(WRITERS)]
        readers = [Reader([waymark, other], total, token) for _ in range(6)]
        kills = 0
        while any(process.poll() is None for process in writers):
            waymark.kill9()
            kills += 1
            waymark.start()
            time.sleep(random.uniform(0, 0.5))
        assert [process.returncode for process in writers] == [0] * WRITERS
        for reader in readers:
            reader.join(240)
            assert not reader.is_alive(), f"{total - len(reader.seen)} entries are missing"
        seconds = time.monotonic() - started
        assert {tuple(reader.seen) for reader in readers} == {tuple(readers[0].seen)}, "readers saw different lists"
        assert [position for position, _ in readers[0].seen] == list(range(1, total + 1))
        written = {f"{number}-{entry}" for number in range(WRITERS) for entry in range(each)}
        subjects = [subject for _, subject in readers[0].seen]
        assert sorted(subject for subject in subjects if subject in written) == sorted(written)
        late = cluster.sql(
            "select count(*) from (select entry_id < max(entry_id) over (order by position) as is_late from events) e"
            " where is_late"
        )
        assert int(late) >= size(0, 1), "no entry was seen before one with a lower number, so the test shows nothing"
        figure(
            f"{total} events of {WRITERS} writers, 6 readers at 2 APIs, one of them killed {kills} times",
            f"each seen once, in one order, by all; {late} had committed after one with a higher number; {seconds:.0f} s",
            "none lost, none twice",
        )


@pytest.mark.destructive
@pytest.mark.timeout(120)
def test_an_api_killed_while_it_assigns_positions_skips_no_event():
    with api_alone() as (waymark, cluster):
        seen = read(waymark)
        for number, point in enumerate(EVENT_POINTS):
            waymark.restart({"WAYMARK_FAULT": point})
            assert writer(cluster, number, 10).wait() == 0
            with pytest.raises(httpx.TransportError):
                waymark.api("GET", "/v1/events")
            assert waymark.process.wait(60) == -signal.SIGKILL, point
            placed = cluster.sql("select count(*) from events where position is not null")
            assert int(placed) == len(seen) + (10 if point == "events.placed" else 0), point
            waymark.start()
            new = read(waymark, after=len(seen))
            assert [position for position, _ in new] == list(range(len(seen) + 1, len(seen) + 11))
            assert [subject for _, subject in new] == [f"{number}-{entry}" for entry in range(10)]
            seen += new
        assert read(waymark) == seen


@pytest.mark.destructive
@pytest.mark.timeout(120)
def test_positions_continue_after_a_dump_and_a_restore(tmp_path):
    with api_alone() as (waymark, cluster):
        assert writer(cluster, 0, 20).wait() == 0
        seen = read(waymark)
        assert writer(cluster, 1, 5).wait() == 0  # These events have no positions yet.
        dump = tmp_path / "dump"
        with dump.open("w") as output:
            subprocess.run(["pg_dump", cluster.url("postgres")], stdout=output, check=True)
        restored = Cluster()
        other = Installation(restored.settings(), ("serve", "--role", "api"))
        other._tokens = waymark._tokens
        try:
            other.cli("database", "prepare", "--url", restored.url("postgres", "postgres"))
            subprocess.run(
                ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump, restored.url("postgres")],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            other.start()
            assert writer(restored, 2, 5).wait() == 0
            new = read(other, after=len(seen))
            assert read(other) == seen + new
            assert [position for position, _ in new] == list(range(len(seen) + 1, len(seen) + 11))
            assert [subject for _, subject in new] == [f"{number}-{entry}" for number in (1, 2) for entry in range(5)]
        finally:
            other.remove()
            restored.remove()
