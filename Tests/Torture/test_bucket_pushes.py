"""Buckets under force: whoever dies or is frozen in the middle of a push, what a bucket holds is whole, and never goes
back."""

import hashlib
import signal
import threading
import time

import pytest

from installation import eventually
from object_store import FAULT_POINTS, PATHS, configure, eventually_state, object_store
from roles import Worker, api_alone, ending, eventually_ended, live_digest, published, verified_host
from samples import draft
from test_workers import publish, until_frozen, wake


@pytest.fixture
def bucket():
    with object_store() as store:
        store.new_bucket("links")
        yield store


def shown(store, host):
    """What the bucket holds for a host: activation and digest at both paths; None where nothing is."""
    return [
        found and (int(found["Metadata"]["waymark-activation"]), hashlib.sha256(found["Bytes"]).hexdigest())
        for found in (store.get("links", f"{host}{path}") for path in PATHS)
    ]


def live(cluster, host):
    activation = cluster.sql(f"select activation from claims where host = '{host}'")
    return [(int(activation), live_digest(cluster, host))] * 2


def pushes_to(waymark, store, **fields):
    waymark.environment |= configure(waymark, ("main", store.url, "links", store.key, store.secret, fields))


def is_settled(cluster):
    return cluster.sql("select count(*) from sink_objects where due_at is not null") == "0"


@pytest.mark.destructive
def test_workers_killed_at_every_point_of_a_push_leave_whole_objects(bucket, figure):
    with api_alone() as (waymark, cluster), ending([]) as processes:
        hosts = {point: verified_host(waymark, f"/{point}") for point in FAULT_POINTS}
        pushes_to(waymark, bucket)
        for point, host in hosts.items():
            processes += [worker := Worker(waymark, point, point)]
            publish(waymark, host, f"/{point}")
            assert worker.process.wait(20) == -signal.SIGKILL
            assert all(one is None or one in live(cluster, host) for one in shown(bucket, host))
        begun = time.monotonic()
        processes += [Worker(waymark, "sound")]
        for host in hosts.values():
            eventually(lambda: shown(bucket, host) == live(cluster, host), 30, what=f"{host} in the bucket")
        eventually(lambda: is_settled(cluster), 30, what="an end")
        taken = time.monotonic() - begun
        figure(f"a worker killed at each of {len(hosts)} points of a push", f"all whole after {taken:.0f} s", "≤ 30 s")


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_workers_frozen_while_a_newer_version_is_pushed_overwrite_nothing(bucket, size, figure):
    """Frozen right before the request: the store refuses it, as its condition is not met any more."""
    rounds = size(3, 200)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        host = verified_host(waymark, "/0")
        pushes_to(waymark, bucket)
        processes += [sound := Worker(waymark, "sound")]
        waymark.publish(host)
        eventually_state(waymark, host, "current")
        sleeper = None
        for round in range(rounds):
            sound.process.send_signal(signal.SIGSTOP)
            if sleeper is None:
                processes += [sleeper := Worker(waymark, "sleeper", "bucket.writing:stop")]
            publish(waymark, host, f"/stale/{round}")
            until_frozen(sleeper)
            wake(sound)
            publish(waymark, host, f"/newer/{round}")
            eventually_ended(cluster)
            newest = live(cluster, host)
            eventually(lambda: shown(bucket, host) == newest, 20, what="the newer version")
            before = sleeper.said().count("no longer this worker's")

            def fenced():
                wake(sleeper)
                assert shown(bucket, host) == newest, "a worker that was frozen has overwritten something"
                return sleeper.said().count("no longer this worker's") > before

            eventually(fenced, 20, what="a worker that finds itself overtaken")
            eventually(lambda: wake(sleeper) or is_settled(cluster), 20, what="an end")
            assert shown(bucket, host) == newest
        what = f"{rounds} times a worker frozen right before its write to a bucket"
        figure(what, "0 overwrote, all fenced off", "never overwrites")


@pytest.mark.destructive
def test_a_write_that_the_store_lets_through_too_late_is_mended_at_once(bucket, figure):
    """Gone live, back, and the write of the middle comes last: the bytes that it was to replace are there again."""
    with api_alone() as (waymark, cluster), ending([]) as processes:
        host = verified_host(waymark, "/a")
        # So rarely that no comparison finds it first.
        pushes_to(waymark, bucket, comparisonSeconds=240)
        processes += [sound := Worker(waymark, "sound")]
        first = waymark.publish(host)["version"]
        eventually_state(waymark, host, "current")
        sound.process.send_signal(signal.SIGSTOP)
        processes += [sleeper := Worker(waymark, "sleeper", "bucket.writing:stop")]
        publish(waymark, host, "/b")
        until_frozen(sleeper)
        wake(sound)
        waymark.publish(host, version=first)
        newest = live(cluster, host)
        eventually(lambda: shown(bucket, host) == newest, 20, what="the first version again")
        begun = time.monotonic()
        eventually(lambda: wake(sleeper) or "no longer this worker's" in sleeper.said(), 20, what="a late write")
        eventually(lambda: wake(sleeper) or is_settled(cluster), 20, what="an end")
        assert shown(bucket, host) == newest
        figure("a late write of the version in between", f"mended in {time.monotonic() - begun:.1f} s", "≤ 5 min")


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_workers_killed_again_and_again_never_take_a_bucket_back(bucket, size, figure):
    kills = size(4, 200)
    with api_alone() as (waymark, cluster), ending([]) as processes:
        hosts = [verified_host(waymark, f"/{number}") for number in range(4)]
        pushes_to(waymark, bucket)
        processes += [Worker(waymark, "one"), Worker(waymark, "two")]
        seen, failures, over = {host: [] for host in hosts}, [], threading.Event()

        def watch():
            while not over.is_set():
                for host in hosts:
                    now = shown(bucket, host)
                    if seen[host] and any(
                        old and (new is None or new[0] < old[0]) for old, new in zip(seen[host][-1], now)
                    ):
                        failures.append((host, seen[host][-1], now))
                    seen[host].append(now)

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            for kill in range(kills):
                for host in hosts:
                    publish(waymark, host, f"/{kill}")
                time.sleep(0.4)
                processes[kill % 2].kill9()
                processes[kill % 2].start()
            eventually_ended(cluster, 60)
            eventually(lambda: is_settled(cluster), 60, what="an end")
        finally:
            over.set()
            watcher.join()
        assert failures == []
        for host in hosts:
            assert shown(bucket, host) == live(cluster, host)
            assert {digest for states in seen[host] for found in states if found for digest in found[1:]} <= published(
                cluster, host
            )
        count = sum(map(len, seen.values()))
        figure(f"{kills} kills of workers that push", f"{count} looks: whole, never back", "always whole, never back")
