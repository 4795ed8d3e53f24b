"""A process is killed at each named point of a publication, from its first transaction to the last rename in an edge's
or a writer's folder. Whole versions are served, nothing is lost, and no leftovers remain."""

import re
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from consumers import DirectoryWriter, Edge
from fault_points import (
    BUCKET_POINTS,
    EVENT_POINTS,
    FEED_POINTS,
    FOLLOWER_POINTS,
    LISTING_POINT,
    PUBLICATION_POINTS,
    RELEASE_POINTS,
    REPLACEMENT_POINTS,
    SCHEDULE_POINTS,
    WITHDRAWAL_POINTS,
)
from installation import REPOSITORY, eventually, installed
from publications import all_ended, digest, edge_load, only_resets_of_takeovers
from roles import (
    Worker,
    api_alone,
    ended_once,
    ending,
    eventually_ended,
    leftovers,
    linked_digest,
    live_digest,
    published,
    shown_by,
    verified_host,
)
from samples import draft

LINKING = ["beforeWriting", "temporaryCreated", "renamed", "directorySynchronized"]
WRITING = [*LINKING, "temporaryWritten", "temporarySynchronized"]
REMOVING = ["beforeRemoving", "removed"]
# Unused blobs are removed after an hour, which is longer than a test waits.
EDGE_STEPS = {"blob": WRITING, "held": WRITING + REMOVING, "manifest": WRITING}
WRITER_STEPS = EDGE_STEPS | {"state": WRITING, "link": LINKING + REMOVING}


def points(steps):
    return FOLLOWER_POINTS + [f"{kind}.{step}" for kind, all in steps.items() for step in all]


def test_every_fault_point_in_the_sources_has_a_test():
    named, writing = set(), set()
    for path in (REPOSITORY / "Sources").rglob("*.swift"):
        text = path.read_text()
        named |= set(re.findall(r'ProcessFault\.reach\("([\w.]+)"\)', text))
        if path.name == "FaultPoint.swift":
            writing |= set(re.findall(r"^    case (\w+)$", text, re.M))
    assert named == {
        *PUBLICATION_POINTS, *WITHDRAWAL_POINTS, *RELEASE_POINTS, *REPLACEMENT_POINTS, *SCHEDULE_POINTS, *EVENT_POINTS,
        *BUCKET_POINTS, LISTING_POINT, *FEED_POINTS, *FOLLOWER_POINTS,
    }
    assert writing == {*WRITING, *REMOVING}


def test_a_release_build_contains_no_fault_points():
    for path in (REPOSITORY / "Sources").rglob("*.swift"):
        released = re.sub(r"^ *#if DEBUG$.*?^ *#endif$", "", path.read_text(), flags=re.M | re.S)
        code = [line for line in released.splitlines() if not line.lstrip().startswith("//")]
        # The list of known variables contains it, so that misspelled ones are refused. Nothing reads it there.
        code = [line for line in code if path.name != "OtherVariables.swift" or "SIGSTOP" in line]
        assert not any("WAYMARK_FAULT" in line or "SIGSTOP" in line for line in code), path


def die_at(point, template):
    """Kills the process of a publication at a point, and returns the seconds from the next start to the publication's
    end."""
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
            assert waymark.process.wait(60) == -signal.SIGKILL, point
            time.sleep(0.3)
            waymark.start()
            started = time.monotonic()
            ended = eventually(lambda: all_ended(waymark, host), 60, what=f"the end after {point}")
            seconds = time.monotonic() - started
            if point == "publication.making":
                assert len(ended) == 1, "uncommitted data exists"
                ended = [waymark.publish(host), *ended]
            waymark.served(host, digest(second))
        assert only_resets_of_takeovers(load, 1), (point, load.failures)
        assert {seen.status for seen in load.seen} == {200}, point
        assert {seen.body for seen in load.seen} <= {first, second}, point
        assert [p["state"] for p in ended] == ["live", "live"], point
        assert ended[0]["activation"] == ended[1]["activation"] + 1, point
        follower = waymark.publish(waymark.new_domain(draft("/x")))
        assert follower["activation"] == ended[0]["activation"] + 1, f"{point}: an activation was used twice"
        return seconds


@pytest.mark.destructive
@pytest.mark.timeout(180)
def test_a_publication_killed_at_each_of_its_steps_ends_once(template, limit, figure):
    with ThreadPoolExecutor(len(PUBLICATION_POINTS)) as pool:
        seconds = list(pool.map(lambda point: die_at(point, template), PUBLICATION_POINTS))
    figure(f"a service killed at {len(seconds)} points of a publication", f"ended after {max(seconds):.1f} s", "30 s")
    assert max(seconds) <= limit(30)


@pytest.mark.destructive
def test_consumers_get_the_manifest_although_an_api_was_killed_while_sending_it():
    with api_alone() as (waymark, cluster), ending([]) as processes:
        processes += [worker := Worker(waymark), edge := Edge(waymark)]
        host = verified_host(waymark, "/0")
        waymark.publish(host)
        for point in FEED_POINTS:
            eventually(lambda: shown_by(edge, host) == live_digest(cluster, host), what="the version before")
            worker.process.send_signal(signal.SIGSTOP)
            waymark.put_draft(host, draft(f"/{point}"))
            waymark.api("POST", f"/v1/domains/{host}/publications", {})
            waymark.stop()
            worker.process.send_signal(signal.SIGCONT)
            eventually_ended(cluster)
            assert shown_by(edge, host) != live_digest(cluster, host)
            waymark.start(wait=False, environment={"WAYMARK_FAULT": point})
            assert waymark.process.wait(60) == -signal.SIGKILL, point
            assert shown_by(edge, host) in published(cluster, host)
            waymark.start()
            eventually(lambda: shown_by(edge, host) == live_digest(cluster, host), 30, what=f"the end of {point}")
        ended_once(cluster)
        eventually(lambda: leftovers(edge) == [], what="no leftovers")


class Followers:
    """Consumers that each die at one point. All are copies of one consumer that keeps an older file for one host."""

    def __init__(self, waymark, cluster, processes):
        self.waymark, self.cluster, self.processes = waymark, cluster, processes
        self.held, self.published, self.withdrawn = (
            verified_host(waymark, f"/{name}") for name in ["held", "published", "withdrawn"]
        )
        self.worker = self.add(Worker(waymark))
        for host in self.hosts:
            waymark.publish(host)
        self.first = {
            Edge: self.add(Edge(waymark, "first-edge")),
            DirectoryWriter: self.add(DirectoryWriter(waymark, "first-writer")),
        }
        for host in self.hosts:
            self.agree(self.first.values(), host, live_digest(cluster, host))
        self.hold_back()

    @property
    def hosts(self):
        return [self.held, self.published, self.withdrawn]

    def add(self, process):
        self.processes.append(process)
        return process

    def agree(self, consumers, host, digest, seconds=60):
        for consumer in consumers:
            eventually(lambda: shown_by(consumer, host) == digest, seconds, what=f"{digest} of {consumer.log.stem}")

    def hold_back(self):
        """Makes a file whose bytes do not match its digest, so the host keeps its older file."""
        for consumer in self.first.values():
            consumer.kill9()
        self.old = live_digest(self.cluster, self.held)
        self.publish(self.held, "/held/2")
        self.cluster.sql(f"update claims set size = size + 1 where host = '{self.held}'")
        self.waymark.restart()
        for consumer in self.first.values():
            consumer.start()
            eventually(lambda: list(consumer.folder.glob("held-*")), what="a host that is held back")
            consumer.end()

    def publish(self, host, path):
        self.waymark.put_draft(host, draft(path))
        self.waymark.publish(host)

    def copy(self, kind, name, fault):
        """A consumer with a copied state that will die at a point."""
        first = self.first[kind]
        source = first.folder if kind is DirectoryWriter else first.state
        target = self.waymark.directory / (name if kind is DirectoryWriter else f"{name}-state")
        shutil.copytree(source, target, symlinks=True)
        return self.add(kind(self.waymark, name, fault=fault))

    def withdraw(self):
        made = self.waymark.api("POST", f"/v1/domains/{self.withdrawn}/withdrawals", {"reason": "it is over"}).json()
        self.cluster.sql(f"update jobs set due_at = now() where key = '{made['id']}'")


@pytest.mark.destructive
@pytest.mark.timeout(240)
@pytest.mark.parametrize("kind, steps", [(Edge, EDGE_STEPS), (DirectoryWriter, WRITER_STEPS)])
def test_a_consumer_killed_at_each_of_its_steps_serves_whole_versions_and_catches_up(kind, steps, figure):
    wanted = points(steps)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        followers = Followers(waymark, cluster, processes)
        dying = [followers.copy(kind, point.replace(".", "-"), point) for point in wanted]
        listing = followers.copy(kind, "listing", "list")
        before = live_digest(cluster, followers.published)
        followers.publish(followers.published, "/published/2")
        followers.agree([listing], followers.published, live_digest(cluster, followers.published))
        followers.withdraw()
        followers.agree([listing], followers.withdrawn, None)
        for consumer, point in zip(dying, wanted):
            assert consumer.process.wait(60) == -signal.SIGKILL, point
        after = live_digest(cluster, followers.published)
        if kind is DirectoryWriter:
            for consumer, point in zip(dying, wanted):
                assert linked_digest(consumer, followers.published) in (before, after), point
                assert linked_digest(consumer, followers.held) == followers.old, point
        assert any(leftovers(consumer) for consumer in dying), "the kills came too late to leave anything"
        waymark.stop()
        started = time.monotonic()
        for consumer in dying:
            consumer.start()
        for consumer, point in zip(dying, wanted):
            eventually(
                lambda: shown_by(consumer, followers.published) in (before, after),
                what=f"a start from the disk alone after {point}",
            )
            eventually(lambda: leftovers(consumer) == [], what=f"a folder without leftovers after {point}")
        waymark.start()
        followers.agree(dying, followers.published, after)
        followers.agree(dying, followers.held, followers.old)
        followers.agree(dying, followers.withdrawn, None)
        seconds = time.monotonic() - started
        for consumer, point in zip(dying, wanted):
            eventually(lambda: leftovers(consumer) == [], what=f"the end of the processes left at {point}")
        figure(f"one {kind.__name__.lower()} each killed at {len(wanted)} points", f"all served after {seconds:.1f} s", "30 s")
        reached = set(re.findall(r"^fault point (\S+)$", listing.said(), re.M))
        assert reached == set(wanted), "the points that are reached differ from those at which the test kills"
