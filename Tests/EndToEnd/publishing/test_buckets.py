"""S3-compatible buckets: pushing, failures of a bucket, and repairs."""

import hashlib
import json
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from installation import eventually, free_port, installed_on_cluster
from object_store import (
    CACHE, PATHS, REGION, TYPE, configure, eventually_state, hanging_endpoint, object_store, state, way_to,
)  # fmt: skip
from own_mounts import mounted
from samples import draft


@pytest.fixture(scope="module")
def store():
    with object_store() as running:
        running.new_bucket("links")
        yield running


class Pushing:
    """A Waymark that pushes to the bucket `links` with the prefix `live/`."""

    def __init__(self, waymark, cluster, store):
        self.waymark, self.cluster, self.store = waymark, cluster, store

    def new(self, path="/one", **fields):
        host = self.waymark.new_domain(draft(path) if path else None, **fields)
        self.waymark.cli("domain", "verify", "--organization", "acme", host)
        if path:
            self.waymark.publish(host)
        eventually_state(self.waymark, host, "current")
        return host

    def state(self, host, name="main"):
        return state(self.waymark, host, name)

    def object(self, host, path=PATHS[0]):
        return self.store.get("links", key(host, path))

    def assert_whole(self, host):
        """Checks that both objects of a host are the live file, including every header."""
        live = self.waymark.api("GET", f"/v1/domains/{host}/serving").json()["live"]
        for path in PATHS:
            found = self.object(host, path)
            assert hashlib.sha256(found["Bytes"]).hexdigest() == live["sha256"]
            assert (found["ContentType"], found["CacheControl"]) == (TYPE, CACHE)
            others = ["ContentEncoding", "ContentDisposition", "ContentLanguage", "Expires", "WebsiteRedirectLocation"]
            assert [name for name in others if found.get(name)] == []
            assert found["Metadata"] == {
                "waymark-activation": str(live["activation"]),
                "waymark-version": str(live["version"]),
                "waymark-sha256": live["sha256"],
            }

    def repairs(self, host):
        """The repairs, from the audit trail."""
        rows = self.cluster.sql(
            f"select detail from audit_entries where action = 'sink.repaired' and subject = '{host}' order by id"
        )
        return [json.loads(row) for row in rows.splitlines()]


@pytest.fixture(scope="module")
def pushing(store):
    with installed_on_cluster() as (waymark, cluster):
        settings = configure(waymark, ("main", store.url, "links", store.key, store.secret, {"prefix": "live/"}))
        waymark.environment |= settings
        waymark.restart()
        yield Pushing(waymark, cluster, store)


def key(host, path=PATHS[0]):
    return f"live/{host}{path}"


def test_a_published_file_is_pushed_with_type_cache_and_metadata(pushing):
    host = pushing.new()
    pushing.assert_whole(host)
    first = pushing.state(host)
    assert (first["since"], first["cause"]) == (None, None)
    pushing.waymark.put_draft(host, draft("/two"))
    activation = pushing.waymark.publish(host)["activation"]
    eventually(lambda: pushing.state(host)["activation"] == activation, what="the second version in the bucket")
    pushing.assert_whole(host)


def test_the_bucket_name_is_in_the_host_by_default(store, tmp_path):
    bucket = store.new_bucket("links-by-host")
    endpoint = f"s3.{REGION}.amazonaws.com"
    names = tmp_path / "hosts"
    names.write_text(Path("/etc/hosts").read_text() + f"127.0.0.1 {bucket}.{endpoint}\n")
    with mounted("/etc/hosts", "--bind", names), installed_on_cluster() as (waymark, cluster):
        by_host = (f"http://{endpoint}:{store.port}", bucket, store.key, store.secret, {"style": "virtualHost"})
        waymark.environment |= configure(waymark, ("main", *by_host))
        waymark.restart()
        host = waymark.new_domain(draft("/one"))
        waymark.cli("domain", "verify", "--organization", "acme", host)
        waymark.publish(host)
        eventually_state(waymark, host, "current")
        eventually(lambda: state(waymark, host)["comparedAt"], what="a comparison")
        assert store.keys(bucket) == sorted(f"{host}{path}" for path in PATHS)
        live = waymark.api("GET", f"/v1/domains/{host}/serving").json()["live"]
        for path in PATHS:
            assert hashlib.sha256(store.get(bucket, f"{host}{path}")["Bytes"]).hexdigest() == live["sha256"]


def test_the_command_shows_when_a_bucket_was_last_compared(pushing):
    host = pushing.new()
    first = eventually(lambda: pushing.state(host)["comparedAt"], what="a comparison")
    access = {"WAYMARK_URL": pushing.waymark.url, "WAYMARK_TOKEN": pushing.waymark.token("viewer")}
    told = pushing.waymark.cli("serving", host, check=False, environment=access).stdout
    [when] = re.findall("^  bucket     main: current, compared at (.+)$", told, re.MULTILINE)
    assert first <= when <= pushing.state(host)["comparedAt"]


def test_an_alias_has_its_own_objects(pushing):
    host = pushing.new()
    alias = pushing.new(None, aliasOf=host)
    pushing.assert_whole(alias)
    assert pushing.object(alias)["Bytes"] == pushing.object(host)["Bytes"]


def test_only_the_objects_of_a_withdrawn_host_are_deleted_after_its_grace_period(pushing):
    host, other = pushing.new(), pushing.new()
    answer = pushing.waymark.api("POST", f"/v1/domains/{host}/withdrawals", {"reason": "it is over"})
    assert answer.status_code == 202, answer.text
    time.sleep(2)
    pushing.assert_whole(host)
    pushing.cluster.sql("update jobs set due_at = now() where kind = 'withdraw'")
    eventually(lambda: not any(pushing.object(host, path) for path in PATHS), what="deleted objects")
    eventually_state(pushing.waymark, host, "current")
    pushing.assert_whole(other)
    pushing.store.s3.put_object(Bucket="links", Key=key(host), Body=b"{}")
    eventually(lambda: not pushing.object(host), what="the second deletion of the object")


def change_bytes(store, key, found):
    store.s3.put_object(
        Bucket="links", Key=key, Body=b"{}", ContentType=TYPE, CacheControl=CACHE, Metadata=found["Metadata"]
    )


def change_type(store, key, found):
    store.s3.put_object(
        Bucket="links", Key=key, Body=found["Bytes"], ContentType="text/plain", CacheControl=CACHE,
        Metadata=found["Metadata"],
    )


def change_cache(store, key, found):
    store.s3.put_object(Bucket="links", Key=key, Body=found["Bytes"], ContentType=TYPE, Metadata=found["Metadata"])


def change_metadata(store, key, found):
    store.s3.put_object(Bucket="links", Key=key, Body=found["Bytes"], ContentType=TYPE, CacheControl=CACHE)


def encode(store, key, found):
    """The same bytes with headers that readers cannot understand."""
    store.s3.put_object(
        Bucket="links", Key=key, Body=found["Bytes"], ContentType=TYPE, CacheControl=CACHE, Metadata=found["Metadata"],
        ContentEncoding="gzip", ContentDisposition="attachment", ContentLanguage="de", Expires=datetime(2000, 1, 1),
    )


def redirect(store, key, found):
    store.s3.put_object(
        Bucket="links", Key=key, Body=found["Bytes"], ContentType=TYPE, CacheControl=CACHE, Metadata=found["Metadata"],
        WebsiteRedirectLocation="https://elsewhere.example/",
    )


def enlarge(store, key, found):
    """More bytes than are ever read."""
    store.s3.put_object(
        Bucket="links", Key=key, Body=b" " * (2 << 20), ContentType=TYPE, CacheControl=CACHE, Metadata=found["Metadata"]
    )


def delete(store, key, found):
    store.s3.delete_object(Bucket="links", Key=key)


@pytest.mark.parametrize(
    "change, found",
    [
        (delete, ["missing"]),
        (change_bytes, ["bytes"]),
        (change_type, ["contentType"]),
        (change_cache, ["cacheControl"]),
        (change_metadata, ["metadata"]),
        (encode, ["contentDisposition", "contentEncoding", "contentLanguage", "expires"]),
        (redirect, ["websiteRedirectLocation"]),
        (enlarge, ["bytes"]),
    ],
)
def test_changes_by_others_are_repaired_and_audited(pushing, change, found):
    host = pushing.new()
    before = pushing.object(host)
    # A store reports the time of a write in seconds, so a second write with the same bytes in that second is not seen.
    eventually(lambda: datetime.now(UTC) - before["LastModified"] > timedelta(seconds=1.1), what="another second")
    change(pushing.store, key(host), before)
    eventually(lambda: pushing.repairs(host), 60, what="a repair")
    pushing.assert_whole(host)
    assert [(entry["sink"], entry["path"], entry["found"]) for entry in pushing.repairs(host)] == [
        ("main", PATHS[0], found)
    ]


def test_correct_and_foreign_objects_are_not_changed(pushing):
    foreign = ["live/readme.txt", "live/other.example/.well-known/apple-app-site-association"]
    # More objects than a page of the list.
    many = [f"live/a/{number}" for number in range(1_100)]
    for name in foreign + many:
        pushing.store.s3.put_object(Bucket="links", Key=name, Body=b"not ours")
    host = pushing.new()
    comparisons = set()
    for _ in range(3):
        eventually(lambda: pushing.state(host)["comparedAt"] not in comparisons, 60, what="a comparison")
        comparisons.add(pushing.state(host)["comparedAt"])
    assert pushing.repairs(host) == []
    assert [pushing.store.get("links", name)["Bytes"] for name in foreign] == [b"not ours"] * 2
    metrics = httpx.get(f"{pushing.waymark.metrics_url}/metrics").text
    assert 'waymark_bucket_foreign_objects{bucket="main"} 1102' in metrics


def test_a_later_activation_than_the_database_knows_is_not_overwritten(pushing):
    """As after the restore of an old backup: overwriting would roll the file back."""
    host = pushing.new()
    found = pushing.object(host)
    pushing.store.s3.put_object(
        Bucket="links", Key=key(host), Body=b"{}", ContentType=TYPE, CacheControl=CACHE,
        Metadata=found["Metadata"] | {"waymark-activation": "1000000"},
    )
    failing = eventually_state(pushing.waymark, host, "failing")
    assert "activation 1000000" in failing["cause"]
    assert pushing.object(host)["Bytes"] == b"{}"
    pushing.store.s3.delete_object(Bucket="links", Key=key(host))
    eventually_state(pushing.waymark, host, "current", seconds=90)


def test_wrong_keys_are_reported_and_right_keys_are_used_without_a_restart(pushing):
    host = pushing.new()
    credentials = pushing.waymark.directory / "main.credentials"
    right = credentials.read_text()
    said = len(pushing.waymark.log())
    credentials.write_text(f"{pushing.store.key}\n{'x' * 40}\n")
    eventually(lambda: "changed keys are used" in pushing.waymark.log()[said:], what="the use of the other keys")
    pushing.waymark.put_draft(host, draft("/two"))
    activation = pushing.waymark.publish(host)["activation"]
    failing = eventually_state(pushing.waymark, host, "failing")
    assert "403 SignatureDoesNotMatch: the secret access key is not the one" in failing["cause"]
    assert failing["activation"] < activation
    assert pushing.waymark.served(host, pushing.waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])
    credentials.write_text(right)
    eventually(lambda: pushing.state(host)["activation"] == activation, 90, what="the objects that could not be pushed")
    pushing.assert_whole(host)
    said = pushing.waymark.log() + pushing.cluster.sql("select string_agg(sink_objects::text, '') from sink_objects")
    assert pushing.store.secret not in said and "x" * 40 not in said


def connections_to(url):
    """The number of open connections."""
    port = f":{urlsplit(url).port:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(local.endswith(port) and state == "01" for _, local, _, state, *_ in lines)


@pytest.mark.destructive
def test_hanging_and_missing_buckets_do_not_delay_others(store):
    store.new_bucket("links-beside")
    with hanging_endpoint() as hanging, installed_on_cluster() as (waymark, cluster):
        waymark.environment |= configure(
            waymark,
            ("hanging", hanging, "links", store.key, store.secret),
            ("missing", store.url, "no-such-bucket", store.key, store.secret),
            ("sound", store.url, "links-beside", store.key, store.secret),
        )
        waymark.restart()
        # More objects than a worker pushes at the same time.
        hosts = [waymark.new_domain(draft(f"/{number}")) for number in range(20)]
        for host in hosts:
            waymark.cli("domain", "verify", "--organization", "acme", host)
        waymark.release({"hosts": hosts})
        # In parallel: a worker pushes many objects to a slow store at the same time.
        eventually(lambda: connections_to(hanging) >= 12, 60, what="a request for each object")
        for host in hosts:
            eventually_state(waymark, host, "current", "sound")
        for name, why in (("hanging", "did not answer in time"), ("missing", "there is no such bucket")):
            for host in hosts:
                assert why in eventually_state(waymark, host, "failing", name, 60)["cause"]
            assert f'waymark_bucket_failing{{bucket="{name}"}} 1' in httpx.get(f"{waymark.metrics_url}/metrics").text
        assert waymark.log().count("A bucket cannot be read") == 2
        assert waymark.stop() == 0


def test_a_bucket_that_refuses_writes_is_not_reported_as_unreadable(store):
    store.new_bucket("links-read-only")
    refuses = lambda method, headers: method == "PUT"
    with way_to(store, refuses=refuses) as url, installed_on_cluster() as (waymark, cluster):
        waymark.environment |= configure(waymark, ("main", url, "links-read-only", store.key, store.secret))
        waymark.restart()
        hosts = [waymark.new_domain(draft(f"/{number}")) for number in range(20)]
        for host in hosts:
            waymark.cli("domain", "verify", "--organization", "acme", host)
        waymark.release({"hosts": hosts})
        eventually(
            lambda: cluster.sql("select count(*) from sink_objects where cause is not null") == "40", 60,
            what="a cause of each object",
        )  # fmt: skip
        assert 'waymark_bucket_failing{bucket="main"} 0' in httpx.get(f"{waymark.metrics_url}/metrics").text


def test_a_removed_bucket_is_reported_and_filled_again_when_it_is_back(store):
    store.new_bucket("links-away")
    with installed_on_cluster() as (waymark, _):
        settings = ("main", store.url, "links-away", store.key, store.secret, {"comparisonSeconds": 1})
        waymark.environment |= configure(waymark, settings)
        waymark.restart()
        host = waymark.new_domain(draft("/away"))
        waymark.cli("domain", "verify", "--organization", "acme", host)
        waymark.publish(host)
        eventually_state(waymark, host, "current")
        # A comparison that started before the file existed checks it again. After two more comparisons there is none.
        for _ in range(2):
            last = state(waymark, host)["comparedAt"]
            eventually(lambda: state(waymark, host)["comparedAt"] != last, what="a comparison")
        eventually_state(waymark, host, "current")
        # Stopped, so that nothing is pushed before the bucket is removed.
        waymark.stop()
        for path in PATHS:
            store.s3.delete_object(Bucket="links-away", Key=host + path)
        store.s3.delete_bucket(Bucket="links-away")
        waymark.start()
        why = "there is no such bucket"
        eventually(lambda: why in (state(waymark, host)["listingCause"] or ""), what="the cause")
        access = {"WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("viewer")}
        told = waymark.cli("serving", host, check=False, environment=access).stdout
        assert re.search(f"^  bucket     main: current, compared at .+; cannot be listed: .+{why}$", told, re.MULTILINE)
        store.new_bucket("links-away")
        for path in PATHS:
            eventually(lambda: store.get("links-away", host + path), 60, what="the restored file")
        eventually(lambda: state(waymark, host)["listingCause"] is None, what="a comparison")


def test_a_slow_bucket_causes_no_failures(store):
    """As many slow objects as a worker pushes at the same time. No request waits for another."""
    store.new_bucket("links-slow")
    with way_to(store, takes=1.2) as url, installed_on_cluster() as (waymark, cluster):
        hosts = [waymark.new_domain(draft(f"/{number}")) for number in range(16)]
        for host in hosts:
            waymark.cli("domain", "verify", "--organization", "acme", host)
        waymark.release({"hosts": hosts})
        waymark.environment |= configure(waymark, ("slow", url, "links-slow", store.key, store.secret))
        waymark.restart()
        eventually(
            lambda: cluster.sql("select count(*) from sink_objects where activation is not null") == "32",
            120, what="all files in the bucket",
        )  # fmt: skip
        metrics = httpx.get(f"{waymark.metrics_url}/metrics").text
        assert 'waymark_bucket_pushes_total{bucket="slow",outcome="written"} 32' in metrics
        assert 'outcome="failed"' not in metrics


def test_objects_of_a_withdrawn_host_are_deleted_without_conditional_deletion_too(store):
    store.new_bucket("links-kept")
    refused = []

    def refuses(method, headers):
        refused.extend([method] if method == "DELETE" and "If-Match" in headers else [])
        return method == "DELETE" and "If-Match" in headers

    with way_to(store, refuses=refuses) as url, installed_on_cluster() as (waymark, cluster):
        waymark.environment |= configure(waymark, ("main", url, "links-kept", store.key, store.secret))
        waymark.restart()
        host = waymark.new_domain(draft("/one"))
        waymark.cli("domain", "verify", "--organization", "acme", host)
        waymark.publish(host)
        eventually_state(waymark, host, "current")
        answer = waymark.api("POST", f"/v1/domains/{host}/withdrawals", {"reason": "it is over"})
        assert answer.status_code == 202, answer.text
        cluster.sql("update jobs set due_at = now() where kind = 'withdraw'")
        eventually(lambda: not any(store.get("links-kept", host + path) for path in PATHS), what="deleted objects")
        eventually_state(waymark, host, "current")
        # If something becomes due again, an object is checked once more.
        assert len(refused) >= len(PATHS)


@pytest.mark.parametrize(
    "text, words",
    [
        ("{", "which has an error"),
        ('{"buckets": [{"name": "a", "endpoint": "https://s3", "region": "r"}]}', '"bucket" is required'),
        ('{"buckets": [{"name": "a", "endpoint": "s3", "region": "r", "bucket": "abc"}]}', "http(s)://host"),
        (
            '{"buckets": [{"name": "a", "endpoint": "https://s3", "region": "r", "bucket": "a.bc"}]}',
            '/style: must be "path"',
        ),
        (
            '{"buckets": [{"name": "a", "endpoint": "https://s3", "region": "r", "bucket": "abc"}]}',
            "WAYMARK_BUCKET_A_ACCESS_KEY_ID",
        ),
        (
            '{"buckets": [{"name": "a", "endpoint": "http://127.0.0.1:99999", "region": "r", "bucket": "abc"}]}',
            "http(s)://host",
        ),
        (
            '{"buckets": ['
            '{"name": "good", "endpoint": "https://s3", "region": "r", "bucket": "abc"},'
            '{"name": "bad", "endpoint": "https://s3", "region": "r", "bucket": "abc", "credentialsFile": "absent"}]}',
            "absent, which does not exist",
        ),
    ],
)
def test_an_invalid_buckets_file_ends_the_start_with_the_reason(pushing, text, words):
    path = pushing.waymark.directory / "other-buckets.json"
    path.write_text(text)
    settings = {
        "WAYMARK_BUCKETS_FILE": str(path),
        "WAYMARK_METRICS_ADDRESS": f"127.0.0.1:{free_port()}",
        "WAYMARK_BUCKET_GOOD_ACCESS_KEY_ID": "id",
        "WAYMARK_BUCKET_GOOD_SECRET_ACCESS_KEY": "secret",
    }
    answer = pushing.waymark.cli("serve", "--role", "worker", check=False, environment=settings)
    assert answer.returncode == 3 and words in answer.stderr
