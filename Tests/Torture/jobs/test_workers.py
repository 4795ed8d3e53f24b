"""Processes are frozen in the middle of their work, and wake when others have continued it. They overwrite nothing:
neither workers in PostgreSQL, nor edges and directory writers in their folders."""

import signal

import pytest

from consumers import DirectoryWriter, Edge
from installation import eventually
from roles import (
    Worker,
    activation,
    api_alone,
    ended_once,
    ending,
    eventually_ended,
    linked_digest,
    live_digest,
    publish,
    served_by,
    until_frozen,
    verified_host,
    wake,
)

# If it was stopped between two statements, it finds that another worker has the job. If it was stopped within a
# transaction, it finds that it timed out.
FENCED = ["A job is no longer this worker's", "A job is given back"]


def fencings(worker):
    return sum(worker.said().count(words) for words in FENCED)


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_workers_frozen_past_their_leases_change_nothing(size, figure):
    """One worker is frozen within its transaction, which PostgreSQL then ends. The others are frozen before a
    transaction."""
    many, rounds = size(3, 20), size(1, 10)
    points = ["publication.activating", "publication.claimed"] + ["publication.begun"] * (many - 2)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        hosts = [verified_host(waymark, f"/{number}") for number in range(many)]
        processes += [sound := Worker(waymark, "sound")]
        for host in hosts:
            waymark.publish(host)
        sleepers = []
        for round in range(rounds):
            sound.process.send_signal(signal.SIGSTOP)
            for host in hosts:
                publish(waymark, host, f"/stale/{round}")
            if not sleepers:
                sleepers = [Worker(waymark, f"worker-{n}", f"{point}:stop") for n, point in enumerate(points)]
                processes += sleepers
            until_frozen(*sleepers)
            wake(sound)
            eventually_ended(cluster)
            for host in hosts:
                publish(waymark, host, f"/newer/{round}")
            eventually_ended(cluster)
            newest = cluster.sql("select last from activation_counter"), {h: live_digest(cluster, h) for h in hosts}
            wake(*sleepers)
            for sleeper in sleepers:
                eventually(lambda: fencings(sleeper) > round, 60, what=f"the log line of {sleeper.log.stem}")
            assert newest == (
                cluster.sql("select last from activation_counter"),
                {host: live_digest(cluster, host) for host in hosts},
            ), "a frozen worker has overwritten something"
        assert all(sleeper.process.poll() is None for sleeper in sleepers), "they no longer work"
        ended_once(cluster)
        live = cluster.sql("select count(*) from publications where state = 'live'")
        assert int(live) == many * (1 + 2 * rounds)
        figure(
            f"{many * rounds} times a worker frozen past its lease",
            f"{sum(map(fencings, sleepers))} fenced off, 0 overwrote; {live} publications each ended once",
            "never overwrites, ends fenced",
        )


def refused(waymark, root):
    environment = {"WAYMARK_DIRECTORY_ROOT": str(root), "WAYMARK_SNAPSHOT_URL": waymark.url}
    return waymark.cli("serve", "--role", "directory", check=False, environment=environment).returncode == 3


def edge_over(waymark, other, name):
    """An edge on the folder of another edge. It does not ask the other one to end."""
    edge = Edge(waymark, name)
    edge.kill9()
    edge.environment["WAYMARK_STATE_DIRECTORY"], edge.folder = str(other.state), other.folder
    (other.folder / "pid").unlink()
    edge.start()
    return edge


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_consumers_frozen_while_newer_manifests_arrive_never_go_back(size, figure):
    """An edge that shares its folder with another one, a writer that is frozen before it writes files, and one that is
    frozen while it writes."""
    rounds = size(8, 200)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        processes += [Worker(waymark)]
        host = verified_host(waymark, "/0")
        waymark.publish(host)
        processes += [stale := Edge(waymark, "stale", fault="follower.fetched:stop")]
        until_frozen(stale)
        wake(stale)
        eventually(lambda: served_by(stale, host) == live_digest(cluster, host), what="the first version")
        processes += [ahead := edge_over(waymark, stale, "ahead")]
        processes += [before := DirectoryWriter(waymark, "before", fault="follower.fetched:stop")]
        processes += [amid := DirectoryWriter(waymark, "amid", fault="link.temporaryCreated:stop")]
        until_frozen(before, amid)
        wake(before, amid)
        for writer in [before, amid]:
            eventually(lambda: linked_digest(writer, host) == live_digest(cluster, host), what="the first version")
        for round in range(rounds):
            first = live_digest(cluster, host), activation(before)
            publish(waymark, host, f"/stale/{round}")
            until_frozen(stale, before, amid)
            older = live_digest(cluster, host)
            publish(waymark, host, f"/newer/{round}")
            eventually(lambda: live_digest(cluster, host) != older, what="the newer version")
            newer = live_digest(cluster, host)
            eventually(lambda: served_by(ahead, host) == newer, pause=0.01, what="the newer version on the edge")
            assert refused(waymark, before.root) and refused(waymark, amid.root), "a second writer"
            newest = activation(ahead)
            wake(stale, before, amid)
            # Each is frozen again, this time with the newer manifest.
            until_frozen(stale, before, amid)
            assert stale.said().count("is already on the disk") == round + 1, "its write was not refused"
            assert (activation(stale), served_by(ahead, host)) == (newest, newer), "the frozen edge wrote an older one"
            assert (linked_digest(before, host), activation(before)) == first, "the writer applied an outdated manifest"
            assert linked_digest(amid, host) == older
            wake(stale, before, amid)
            eventually(lambda: served_by(stale, host) == newer, pause=0.01, what="the newer version on the edge")
            for writer in [before, amid]:
                eventually(lambda: linked_digest(writer, host) == newer, pause=0.01, what="the newer version")
            assert activation(stale) == newest
        figure(
            f"{rounds} times an edge and two writers frozen while newer manifests arrive",
            f"{rounds} stale writes of the edge refused, {rounds} outdated manifests not applied; none went back",
            "never overwrites, ends fenced",
        )
