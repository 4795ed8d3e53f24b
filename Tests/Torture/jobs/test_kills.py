"""Processes are killed at random moments under load. The served file is always a whole published version, and no
publication is lost or carried out twice."""

import http.client
import random
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from consumers import DirectoryWriter, Edge
from installation import eventually
from load import Load
from nginx import Nginx
from publications import PATH, digest
from roles import (
    Worker,
    activation,
    api_alone,
    ended_once,
    ending,
    eventually_ended,
    leftovers,
    linked_digest,
    live_digest,
    published,
    reclaims,
    shown_by,
    verified_host,
)
from samples import draft

ACTS = ["publish"] * 5 + ["go back"] * 2 + ["schedule"] * 2 + ["withdraw"] * 2
VICTIMS = ["service", "worker", "edge", "writer", "API"]
BROKEN_CONNECTIONS = (ConnectionRefusedError, ConnectionResetError, http.client.RemoteDisconnected)


def second(later):
    """The time one second from now, in the API's format."""
    return f"{datetime.now(UTC) + timedelta(seconds=later):%Y-%m-%dT%H:%M:%SZ}"


class Service:
    """API, worker, edge and directory writer as separate processes; nginx serves the writer's folder."""

    def __init__(self, waymark, cluster, processes, chance):
        self.waymark, self.cluster, self.chance = waymark, cluster, chance
        self.worker, self.edge, self.writer = Worker(waymark), Edge(waymark), DirectoryWriter(waymark)
        processes += [self.worker, self.edge, self.writer]
        self.host, self.withdrawable = (verified_host(waymark, f"/{name}") for name in ["host", "withdrawable"])
        self.accepted, self.changes = [], 0
        for host in self.hosts:
            waymark.publish(host)
            self.wait_until_shown(host)
        started = time.monotonic()
        waymark.publish_again(self.host)
        self.usual = time.monotonic() - started

    @property
    def hosts(self):
        return [self.host, self.withdrawable]

    @property
    def consumers(self):
        return [self.edge, self.writer]

    def wait_until_shown(self, host, seconds=60):
        """Waits until both consumers have the live files."""
        for consumer in self.consumers:
            eventually(
                lambda: shown_by(consumer, host) == (live_digest(self.cluster, host) or None),
                seconds,
                what=f"the live file of {host} at {consumer.log.stem}",
            )

    def prepare(self, act):
        """Prepares a request to send while a process is killed, and returns it with its host."""
        self.changes += 1
        host = self.withdrawable if act == "withdraw" else self.host
        path = f"/v1/domains/{host}/publications"
        if act == "go back":
            return path, {"version": self.chance.randint(1, int(self.newest(host)))}
        if act == "withdraw" and live_digest(self.cluster, host):
            return f"/v1/domains/{host}/withdrawals", {"reason": "it is over", "graceSeconds": 3600}
        self.waymark.put_draft(host, draft(f"/{self.changes}"))
        return path, {"at": second(2)} if act == "schedule" else {}

    def newest(self, host):
        return self.cluster.sql(f"select max(number) from versions where host = '{host}'")

    def send(self, path, body):
        """Sends a request whose answer may be lost. Ends the grace period of a withdrawal."""
        try:
            answer = self.waymark.api("POST", path, body)
        except httpx.TransportError:
            return None
        # While a withdrawal is pending, its host cannot be published or withdrawn again. If one has ended since the
        # request was prepared, there is nothing to withdraw. On a busy machine, a time may pass before the request is
        # read.
        refused = answer.status_code != 202 and "in_the_past" not in answer.text
        assert not refused or answer.json()["code"] in ("being_withdrawn", "nothing_live"), answer.text
        if answer.status_code == 202 and path.endswith("publications"):
            self.accepted.append(answer.json()["id"])
        return answer

    def end_graces(self):
        self.cluster.sql("update jobs set due_at = now() where kind = 'withdraw' and due_at > now() + interval '20 s'")

    def kill(self, victim):
        victims = {"worker": [self.worker], "edge": [self.edge], "writer": [self.writer], "API": [self.waymark]}
        for process in victims.get(victim, [self.worker, self.edge, self.writer, self.waymark]):
            process.kill9()

    def restart(self):
        if self.waymark.process is None:
            self.waymark.start(wait=False)
        for process in [self.worker, self.edge, self.writer]:
            if process.process.poll() is not None:
                process.start()
        self.waymark.wait_until_ready()


def assert_whole(service, load, host, allowed):
    """Checks that every answer was a 200 with a file that was live at some time, or a connection that ended because its
    server was killed."""
    whole = published(service.cluster, host)
    assert {seen.status for seen in load.seen} <= {200}
    assert {digest(seen.body) for seen in load.seen} <= whole
    assert all(failure.error.startswith(allowed) for failure in load.failures), load.failures


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_kills_at_random_moments_lose_duplicate_or_tear_nothing(size, limit, figure):
    rounds, chance = size(10, 500), random.Random(20)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        service = Service(waymark, cluster, processes, chance)
        nginx = Nginx("waymark.conf", {"/var/lib/waymark/directory": str(service.writer.root)})
        on_edge = Load(service.edge.url + PATH, {"Host": service.host}, pause=0.01)
        on_nginx = Load(nginx.url + PATH, {"Host": service.host}, pause=0.01)
        interrupted, reached = 0, {consumer: 0 for consumer in service.consumers}
        try:
            with on_edge, on_nginx, ThreadPoolExecutor(1) as background:
                for round in range(rounds):
                    request = service.prepare(chance.choice(ACTS))
                    asked = background.submit(service.send, *request)
                    time.sleep(service.usual * chance.uniform(0, 1.5))
                    service.kill(VICTIMS[round % len(VICTIMS)])
                    killed = cluster.sql("select now()")
                    asked.result()
                    for host in service.hosts:
                        shown = linked_digest(service.writer, host)
                        assert shown in published(cluster, host) or not shown and host == service.withdrawable, round
                    for consumer in service.consumers:
                        assert activation(consumer) >= reached[consumer], f"round {round}: it went back"
                        reached[consumer] = activation(consumer)
                    service.restart()
                    service.end_graces()
                    interrupted += (
                        cluster.sql(
                            f"select exists (select from publications where created_at < '{killed}'"
                            f" and coalesce(due_at, created_at) < '{killed}'"
                            f" and (ended_at is null or ended_at > '{killed}'))"
                        )
                        == "t"
                    )
                started = time.monotonic()
                eventually_ended(cluster)
                for host in service.hosts:
                    service.wait_until_shown(host)
                seconds = time.monotonic() - started
        finally:
            nginx.remove()
        assert on_edge.seen and on_nginx.seen
        assert_whole(service, on_edge, service.host, tuple(error.__name__ for error in BROKEN_CONNECTIONS))
        assert_whole(service, on_nginx, service.host, ())
        ended_once(cluster)
        made = cluster.sql("select id from publications").split()
        assert set(service.accepted) <= set(made), "an accepted publication is lost"
        states = set(cluster.sql("select distinct state from publications").split())
        assert states <= {"live", "superseded", "suspended", "cancelled"}
        lost, longest = reclaims(cluster)
        assert longest <= limit(30)
        assert interrupted >= size(0, 1), "no kill came during a publication"
        for consumer in service.consumers:
            eventually(lambda: leftovers(consumer) == [], what=f"no leftovers at {consumer.log.stem}")
        figure(
            f"{rounds} kills of {len(VICTIMS)} kinds under load",
            f"{len(made)} publications, each ended once; {interrupted} kills during one;"
            f" {len(on_edge.seen)} answers of the edge and {len(on_nginx.seen)} of nginx whole;"
            f" {lost} claimed again ≤ {longest} s later; all ended and served {seconds:.1f} s after the last kill",
            "none lost, doubled or torn; 30 s",
        )
