"""What was frozen in the middle of its work and wakes when others have gone on overwrites nothing: workers before
PostgreSQL, edges and writers before their folders."""

import signal
from pathlib import Path

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
    lain_out,
    live_digest,
    served_by,
    verified_host,
)
from samples import draft

# Stopped between two statements it finds that the job is another's; stopped within a transaction, that its time was over.
FENCED = ["A job is no longer this worker's", "A job is given back"]


def frozen(process):
    stat = Path(f"/proc/{process.process.pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] == "T"


def until_frozen(*processes):
    for process in processes:
        eventually(lambda: frozen(process), 60, pause=0.01, what=f"{process.log.stem} to be frozen")


def wake(*processes):
    for process in processes:
        process.process.send_signal(signal.SIGCONT)


def fencings(worker):
    return sum(worker.said().count(words) for words in FENCED)


def publish(waymark, host, path):
    waymark.put_draft(host, draft(path))
    answer = waymark.api("POST", f"/v1/domains/{host}/publications", {})
    assert answer.status_code == 202, answer.text


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_workers_frozen_past_their_leases_are_fenced_off(size, figure):
    """One is frozen within its transaction, which PostgreSQL ends for it; the others before one of theirs."""
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
                eventually(lambda: fencings(sleeper) > round, 60, what=f"what {sleeper.log.stem} finds")
            assert newest == (
                cluster.sql("select last from activation_counter"),
                {host: live_digest(cluster, host) for host in hosts},
            ), "a worker that was frozen has overwritten something"
        assert all(sleeper.process.poll() is None for sleeper in sleepers), "they work on"
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
    """An edge over the folder of another one, which it does not ask to end."""
    edge = Edge(waymark, name)
    edge.kill9()
    edge.environment["WAYMARK_STATE_DIRECTORY"], edge.folder = str(other.state), other.folder
    (other.folder / "pid").unlink()
    edge.start()
    return edge


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_consumers_frozen_while_newer_manifests_arrive_never_go_back(size, figure):
    """An edge with another over the same folder, a writer before it lays files out, and one in the middle of it."""
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
            eventually(lambda: lain_out(writer, host) == live_digest(cluster, host), what="the first version")
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
            # Each is frozen again, now with the newer manifest in its hands.
            until_frozen(stale, before, amid)
            assert stale.said().count("is already on the disk") == round + 1, "it was not fenced off"
            assert (activation(stale), served_by(ahead, host)) == (newest, newer), "the frozen edge wrote an older one"
            assert (lain_out(before, host), activation(before)) == first, "the writer laid an overtaken manifest out"
            assert lain_out(amid, host) == older
            wake(stale, before, amid)
            eventually(lambda: served_by(stale, host) == newer, pause=0.01, what="the newer version on the edge")
            for writer in [before, amid]:
                eventually(lambda: lain_out(writer, host) == newer, pause=0.01, what="the newer version laid out")
            assert activation(stale) == newest
        figure(
            f"{rounds} times an edge and two writers frozen while newer manifests arrive",
            f"{rounds} stale writes of the edge refused, {rounds} overtaken manifests not laid out; none went back",
            "never overwrites, ends fenced",
        )
