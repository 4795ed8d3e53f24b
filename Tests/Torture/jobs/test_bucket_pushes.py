"""Buckets with killed and frozen workers: the objects of a bucket are always whole and never go back. A bucket that
hangs delays nothing, and catches up."""

import hashlib
import signal
import threading
import time

import pytest

from copies import copy_draft
from fault_points import BUCKET_POINTS, LISTING_POINT
from installation import EXECUTABLE, RELEASE_EXECUTABLE, eventually
from object_store import PATHS, configure, eventually_state, object_store, way_to
from processes import Process, addresses, processor_seconds
from roles import (
    Worker,
    api_alone,
    ending,
    eventually_ended,
    live_digest,
    publish,
    published,
    until_frozen,
    verified_host,
    wake,
)


@pytest.fixture
def bucket():
    with object_store() as store:
        store.new_bucket("links")
        yield store


def shown(store, host):
    """The objects of a host in the bucket: activation and digest at both paths; None if there is no object."""
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
        hosts = {point: verified_host(waymark, f"/{point}") for point in BUCKET_POINTS}
        pushes_to(waymark, bucket)
        for point, host in hosts.items():
            processes += [worker := Worker(waymark, point, point)]
            publish(waymark, host, f"/{point}")
            assert worker.process.wait(60) == -signal.SIGKILL
            assert all(one is None or one in live(cluster, host) for one in shown(bucket, host))
        begun = time.monotonic()
        processes += [Worker(waymark, "sound")]
        for host in hosts.values():
            eventually(lambda: shown(bucket, host) == live(cluster, host), 60, what=f"{host} in the bucket")
        eventually(lambda: is_settled(cluster), 60, what="the release's end")
        taken = time.monotonic() - begun
        figure(f"a worker killed at each of {len(hosts)} points of a push", f"all whole after {taken:.0f} s", "≤ 30 s")


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_workers_frozen_while_a_newer_version_is_pushed_overwrite_nothing(bucket, size, figure):
    """The workers are frozen right before the request. The store refuses it, because its condition is no longer met."""
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
            eventually(lambda: shown(bucket, host) == newest, 60, what="the newer version")
            before = sleeper.said().count("no longer this worker's")

            def fenced():
                wake(sleeper)
                assert shown(bucket, host) == newest, "a frozen worker has overwritten something"
                return sleeper.said().count("no longer this worker's") > before

            eventually(fenced, 60, what="a worker that notices that it lost the job")
            eventually(lambda: wake(sleeper) or is_settled(cluster), 60, what="the release's end")
            assert shown(bucket, host) == newest
        what = f"{rounds} times a worker frozen right before its write to a bucket"
        figure(what, "0 overwrote, all fenced off", "never overwrites")


@pytest.mark.destructive
def test_a_late_write_that_the_store_accepts_is_corrected_immediately(bucket, figure):
    """A version goes live and is rolled back, and its write arrives last. The store accepts it, because the old bytes
    are there again."""
    with api_alone() as (waymark, cluster), ending([]) as processes:
        host = verified_host(waymark, "/a")
        # The interval is so long that no comparison finds it first.
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
        eventually(lambda: shown(bucket, host) == newest, 60, what="the first version again")
        begun = time.monotonic()
        eventually(lambda: wake(sleeper) or "no longer this worker's" in sleeper.said(), 60, what="a late write")

        def is_mended():
            # The worker may have claimed both objects. Then the second late write arrives after the first one has been
            # corrected.
            wake(sleeper)
            return is_settled(cluster) and shown(bucket, host) == newest

        eventually(is_mended, 60, what="the first version again, after the late write")
        figure("a late write of the version in between", f"corrected in {time.monotonic() - begun:.1f} s", "≤ 5 min")


@pytest.mark.destructive
def test_a_worker_killed_while_it_lists_a_bucket_delays_its_repair_by_seconds(bucket, figure):
    """With the longest interval between comparisons, this is just within the five minutes."""
    with api_alone() as (waymark, cluster), ending([]) as processes:
        host = verified_host(waymark, "/a")
        pushes_to(waymark, bucket, comparisonSeconds=240)
        processes += [first := Worker(waymark, "first")]
        waymark.publish(host)
        eventually_state(waymark, host, "current")
        eventually(lambda: cluster.sql("select listed_at is not null from sinks") == "t", 20, what="a comparison")
        first.kill9()
        bucket.s3.delete_object(Bucket="links", Key=f"{host}{PATHS[0]}")
        cluster.sql("update sinks set listing_due_at = clock_timestamp()")
        processes += [listing := Worker(waymark, "listing", LISTING_POINT)]
        assert listing.process.wait(20) == -signal.SIGKILL
        killed = time.monotonic()
        due = "listing_due_at <= clock_timestamp() + interval '15 seconds'"
        assert cluster.sql(f"select {due} from sinks where cause is null") == "t"
        first.start()
        eventually(lambda: shown(bucket, host) == live(cluster, host), 60, what="the restored object")
        figure("a worker killed while it listed a bucket", f"repaired {time.monotonic() - killed:.0f} s later", "≤ 60 s")


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_repeated_kills_of_workers_never_make_a_bucket_go_back(bucket, size, figure):
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
            eventually(lambda: is_settled(cluster), 60, what="the release's end")
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
        figure(f"{kills} kills of workers that push", f"{count} checks: whole, never back", "always whole, never back")


class Following:
    """The number of a release's hosts that each bucket has, according to the API: `told` has the result of every
    request."""

    def __init__(self, waymark, release, pause):
        self.waymark, self.path, self.pause, self.told = waymark, f"/v1/releases/{release['id']}", pause, []

    def look(self):
        buckets = self.waymark.api("GET", self.path).json()["buckets"]
        self.told.append({bucket["name"]: bucket["domains"] for bucket in buckets})
        return self.told[-1]

    def until(self, name, count, seconds):
        """Waits until a bucket has this many hosts, and returns the reported number."""

        def shows():
            now = self.look()
            return now if now[name] >= count else None

        return eventually(shows, seconds, self.pause, what=f"{count} hosts in {name}")


class Tap:
    """A proxy in front of a store: it forwards this many writes, and holds the others until it is opened."""

    def __init__(self, writes):
        self.writes, self.opened = threading.Semaphore(writes), threading.Event()

    def refuses(self, method, headers):
        if method == "PUT" and not self.writes.acquire(blocking=False):
            self.opened.wait()
        return False


def whole(store):
    """The hosts with objects at both paths."""
    keys = set(store.keys("links"))
    return {key.partition("/")[0] for key in keys if key.endswith(PATHS[0])} & {
        key.partition("/")[0] for key in keys if key.endswith(PATHS[1]) and not key.endswith(PATHS[0])
    }


@pytest.mark.destructive
@pytest.mark.timeout(3600)
def test_buckets_get_a_release_host_by_host_and_a_hanging_bucket_delays_nothing(bucket, size, figure):
    count, limit = size(60, 10_000), size(120, 1_800)
    # So few objects would all arrive before the first check. Half of the writes are forwarded, which completes some
    # hosts.
    tap = Tap(count)
    with (
        object_store() as other, way_to(other, refuses=tap.refuses) as tapped,
        api_alone() as (waymark, cluster), ending([]) as processes,
    ):  # fmt: skip
        other.new_bucket("links")
        host, beside = verified_host(waymark, "/copied"), verified_host(waymark, "/beside")
        cluster.sql(f"update domains set labels = array['released'] where host = '{host}'")
        hosts = [host, *copy_draft(cluster, host, count - 1)]
        stores = {"sound": bucket, "breaking": other}
        ways = {"sound": bucket.url, "breaking": size(tapped, other.url)}
        waymark.environment |= configure(
            waymark,
            *(
                (name, ways[name], "links", store.key, store.secret, {"comparisonSeconds": 60})
                for name, store in stores.items()
            ),
        )
        worker = Process(
            waymark, "worker", "pusher", addresses("METRICS_ADDRESS"), size(EXECUTABLE, RELEASE_EXECUTABLE)
        )
        processes += [worker.start()]
        following = Following(waymark, waymark.release({"label": "released"}, seconds=300), size(0.1, 1))
        used = {"worker": worker.process.pid, "store": bucket.process.pid}
        before, started = {name: processor_seconds(process) for name, process in used.items()}, time.monotonic()
        told = following.until("breaking", size(1, count // 5), limit)
        assert told["sound"] <= len(whole(bucket)), "the API reports more than the bucket has"
        other.stop()
        assert waymark.publish(beside)["state"] == "live"
        told = following.until("sound", count, limit)
        seconds = time.monotonic() - started
        spent = {name: processor_seconds(process) - before[name] for name, process in used.items()}
        assert told["breaking"] < count
        eventually_state(waymark, hosts[-1], "current", "sound")
        eventually(lambda: cluster.sql("select count(*) from sink_objects where cause is not null") != "0", 60)
        tap.opened.set()
        other.go_on()
        mended = time.monotonic()
        following.until("breaking", count, limit)
        caught_up = time.monotonic() - mended
        for name, store in stores.items():
            steps = [told[name] for told in following.told]
            assert steps == sorted(steps), f"the progress of {name} goes back"
            if name in size(["breaking"], stores):
                assert any(0 < step < count for step in steps), f"the progress of {name} is not reported"
            eventually_state(waymark, beside, "current", name)
            assert whole(store) == {*hosts, beside}
            for some in [*hosts[:: max(1, count // 20)], beside]:
                assert shown(store, some) == live(cluster, some)
        figure(
            f"a release of {count} domains to a bucket",
            f"all hosts after {seconds:.0f} s, {count / seconds:.0f} a second; of it the store computed"
            f" {spent['store']:.0f} s, the worker {spent['worker']:.0f} s for two buckets",
            "host by host, progress always shown",
        )
        figure(
            "another bucket that hangs after a fifth of it",
            f"the first continued; the last host was there {caught_up:.0f} s after it answered again",
            "delays nothing",
        )
