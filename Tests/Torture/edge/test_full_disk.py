"""Disks of the running service are full or fail: the service continues to serve the old files, and recovers with the
disk."""

import errno
import os
import pwd
import shutil
import subprocess
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from consumers import DirectoryWriter, Edge
from installation import eventually
from publications import PATH, all_ended, edge_load
from samples import draft
from small_disk import small_disk

FAULTS = Path("/usr/lib/fiu")


def publish(waymark, host, path):
    """Publishes a draft, and returns the digest of the live file."""
    waymark.put_draft(host, draft(path))
    waymark.publish(host)
    return waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]


def of_edge(edge, host):
    """The digest of the file that an edge serves for a host."""
    answer = httpx.get(edge.url + PATH, headers={"Host": host, "Accept-Encoding": "identity"}, timeout=30)
    return answer.headers["ETag"].strip('"') if answer.status_code == 200 else answer.status_code


def shown(consumer, host):
    return of_edge(consumer, host) if isinstance(consumer, Edge) else consumer.sha256(host)


def keeps_serving(consumers, host, sha256, seconds=2):
    """Checks for a while that only this file is served."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert {shown(consumer, host) for consumer in consumers} == {sha256}
        time.sleep(0.05)


@pytest.mark.destructive
def test_a_consumer_on_a_full_disk_keeps_serving_and_reports_the_cause(fresh_waymark, size, figure):
    waymark, rounds = fresh_waymark, size(2, 10)
    host = waymark.new_domain()
    folders = [waymark.directory / "edge-elsewhere-state/edge", waymark.directory / "directory"]
    with small_disk(folders[0], 1) as edges, small_disk(folders[1], 1) as writers:
        consumers = [Edge(waymark), DirectoryWriter(waymark)]
        old = publish(waymark, host, "/0")
        for number in range(1, rounds + 1):
            for consumer in consumers:
                eventually(lambda: shown(consumer, host) == old, 60, what="the last version")
            said = [len(consumer.said()) for consumer in consumers]
            for disk in (edges, writers):
                disk.fill(left=4_096 if number % 2 else 0)
            new = publish(waymark, host, f"/{number}")
            for consumer, length in zip(consumers, said):
                eventually(lambda: "No space left on device" in consumer.said()[length:], 60, what="the cause")
            keeps_serving(consumers, host, old)
            for consumer, length in zip(consumers, said):
                assert consumer.said()[length:].count("No space left on device") <= 2, "logged repeatedly"
            for disk in (edges, writers):
                disk.make_room()
            old = new
        freed = time.monotonic()
        for consumer in consumers:
            eventually(lambda: shown(consumer, host) == old, 60, what="the new version")
        caught_up = f"old file served, caught up in {time.monotonic() - freed:.1f} s"
        figure(f"edge and directory writer on a full disk, {rounds} times", caught_up, "continues to serve, catches up")
        consumers[0].end()
        consumers[0].start()
        eventually(lambda: shown(consumers[0], host) == old, 60, what="the version from the disk")
        for consumer in consumers:
            consumer.end()


@pytest.mark.destructive
@pytest.mark.skipif(not FAULTS.exists(), reason="fiu-utils is not installed")
def test_a_consumer_with_a_failing_disk_keeps_serving_and_reports_the_cause(fresh_waymark, figure):
    """System calls of the running processes fail with EIO and ENOSPC. The test switches this on and off."""
    waymark = fresh_waymark
    host = waymark.new_domain()
    preloaded = {
        "LD_PRELOAD": f"{FAULTS}/fiu_run_preload.so:{FAULTS}/fiu_posix_preload.so",
        "FIU_CTRL_FIFO": str(waymark.directory / "fault"),
    }
    consumers = [Edge(waymark, more=preloaded), DirectoryWriter(waymark, more=preloaded)]

    def control(command):
        for consumer in consumers:
            assert consumer.process.poll() is None, consumer.said()[-3000:]
            subprocess.run(
                ["fiu-ctrl", "-f", preloaded["FIU_CTRL_FIFO"], "-c", command, str(consumer.process.pid)],
                check=True,
                capture_output=True,
            )

    old = publish(waymark, host, "/0")
    faults = [
        ("posix/io/sync/fsync", errno.EIO),
        ("posix/io/dir/rename", errno.EIO),
        ("posix/io/dir/rename", errno.ENOSPC),
    ]
    for number, (call, code) in enumerate(faults):
        for consumer in consumers:
            eventually(lambda: shown(consumer, host) == old, 60, what="the last version")
        said = [len(consumer.said()) for consumer in consumers]
        control(f"enable name={call},failinfo={code}")
        new = publish(waymark, host, f"/fault/{number}")
        for consumer, length in zip(consumers, said):
            eventually(lambda: os.strerror(code) in consumer.said()[length:], 60, what=f"{call}: {os.strerror(code)}")
        keeps_serving(consumers, host, old, 1)
        control(f"disable name={call}")
        old = new
    for consumer in consumers:
        eventually(lambda: shown(consumer, host) == old, 60, what="the new version")
        assert consumer.process.poll() is None
        consumer.end()
    figure(f"{len(faults)} failing system calls of edge and writer", "old file served, caught up", "continues to serve")



@pytest.mark.destructive
def test_the_service_recovers_when_the_disk_of_postgresql_has_room_again(external, figure):
    """The API answers 503, and the edge continues to serve. A publication that was due meanwhile goes live when there
    is room."""
    waymark, cluster = external
    hosts = [waymark.new_domain(draft("/before")) for _ in range(2)]
    for host in hosts:
        waymark.cli("domain", "verify", "--organization", "acme", host)
        waymark.publish(host)
    cluster.stop("fast")
    with (cluster.data / "postgresql.conf").open("a") as settings:
        settings.write("min_wal_size = 32MB\nmax_wal_size = 64MB\n")
    copy = cluster.directory / "copied"
    cluster.data.rename(copy)
    with small_disk(cluster.data, 200, pwd.getpwnam("postgres")) as disk:
        shutil.copytree(copy, cluster.data, dirs_exist_ok=True, symlinks=True)
        subprocess.run(["chown", "-R", "postgres:", cluster.data], check=True)
        cluster.data.chmod(0o700)
        try:
            figure("PostgreSQL's disk full", *_until_full_and_back(waymark, cluster, disk, hosts))
        finally:
            cluster.stop("immediate")


def _until_full_and_back(waymark, cluster, disk, hosts):
    cluster.start()
    eventually(lambda: waymark.api("GET", "/readyz").status_code == 200, 60, what="a ready API")
    waymark.put_draft(hosts[0], draft("/meanwhile"))
    due = (datetime.now(UTC) + timedelta(seconds=6)).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = waymark.api("POST", f"/v1/domains/{hosts[0]}/publications", {"at": due})
    assert made.status_code == 202, made.text
    with edge_load(waymark, hosts[1]) as edge:
        disk.fill()
        statuses = []
        end = time.monotonic() + 90
        while time.monotonic() < end and statuses[-20:].count(503) < 20:
            # Data that cannot be compressed needs new pages.
            paths = [f"/{os.urandom(40).hex()}" for _ in range(1_000)]
            answer = waymark.api("PUT", f"/v1/domains/{hosts[1]}/draft", draft(*paths), {"If-Match": "*"})
            statuses.append(answer.status_code)
        assert set(statuses) == {200, 503} or set(statuses) == {503}, statuses
        assert "No space left on device" in waymark.log(), "the cause was not logged"
        disk.make_room()
        if not (cluster.data / "postmaster.pid").exists():
            cluster.start()
        eventually(lambda: waymark.api("GET", "/readyz").status_code == 200, 60, what="a ready API")
        ended = eventually(lambda: all_ended(waymark, hosts[0]), 90, what="the publication's end")
        assert [publication["state"] for publication in ended] == ["live", "live"]
        assert ended[0]["id"] == made.json()["id"]
        waymark.put_draft(hosts[1], draft("/after"))
    assert {seen.status for seen in edge.seen} == {200} and edge.failures == []
    waymark.publish(hosts[1])
    return f"{statuses.count(503)} times 503, the edge 200; the publication live once", "503, served on, live once"
