"""Keys are rotated while an edge and a directory writer follow and clients send requests. Nothing fails, and retired
keys are refused."""

import json
from contextlib import contextmanager

import httpx
import pytest

from consumers import DirectoryWriter
from installation import eventually
from load import Load
from samples import draft

PATH = "/.well-known/apple-app-site-association"


def rejections(waymark):
    """The number of snapshots that the edge has rejected."""
    lines = httpx.get(f"{waymark.edge_metrics_url}/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("waymark_follower_rejections_total{"))


def lines(path):
    return path.read_text().splitlines()


def signer(folder):
    """The ID of the key that signed the manifest of a consumer."""
    return (folder / "manifest").read_text().splitlines()[-1].split()[1]


def manifest(waymark, credential):
    return waymark.client.get("/internal/manifest", headers={"Authorization": f"Bearer {credential}"})


def publish(waymark, host, path, writer=None):
    """Publishes a new version, and waits until the edge serves it and the writer, if given, has it."""
    waymark.put_draft(host, draft(path))
    waymark.publish(host)
    sha256 = waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]
    waymark.served(host, sha256)
    if writer:
        eventually(lambda: writer.sha256(host) == sha256, 60, what=f"{path} at the writer")


@pytest.fixture
def followed(fresh_waymark):
    """A host that is live on the edge and at a writer on another machine."""
    host = fresh_waymark.new_domain(draft("/0"))
    publish(fresh_waymark, host, "/1")
    writer = DirectoryWriter(fresh_waymark, elsewhere=True)
    try:
        eventually(lambda: (writer.root / "hosts" / host).exists(), 60, what="the host at the writer")
        yield fresh_waymark, host, writer
    finally:
        writer.end()


@contextmanager
def taken_over(waymark, writer, *who):
    """After the block, waits until each of these processes uses the changed keys. A running process reads its files
    every second, and logs a change."""

    def count():
        said = [line for line in waymark.log().splitlines() if "changed keys are used" in line]
        by_edge = sum("signing-key.pub" in line for line in said)
        return {"API": len(said) - by_edge, "edge": by_edge, "writer": writer.said().count("changed keys are used")}

    before = count()
    yield
    for name in who:
        eventually(lambda: count()[name] > before[name], 60, what=f"the other keys at the {name}")


def test_the_signing_key_is_rotated_without_a_gap_or_a_restart(followed):
    waymark, host, writer = followed
    before = rejections(waymark)
    old = waymark.cli("key").stdout.strip()
    old_id = waymark.cli("key", "public", "--ids").stdout.strip()
    assert signer(waymark.state / "edge") == signer(writer.root) == old_id
    with Load(waymark.edge_url + PATH, {"Host": host}) as load:
        with taken_over(waymark, writer, "API", "edge", "writer"):
            added = json.loads(waymark.cli("key", "add", "signing", "--json").stdout)
            assert (waymark.state / "signing-key").stat().st_mode & 0o777 == 0o600
            [first, second] = waymark.cli("key").stdout.strip().split(",")
            assert added["kind"] == "signing" and [key["key"] for key in added["keys"]] == [first, second]
            assert first == old and lines(waymark.state / "signing-key.pub") == [old, second]
            writer.copy("signing-key.pub")
        publish(waymark, host, "/2")
        assert signer(waymark.state / "edge") == old_id

        with taken_over(waymark, writer, "API", "edge"):
            waymark.cli("key", "switch", "signing")
        assert waymark.cli("key").stdout.strip() == f"{second},{old}"
        new_id = waymark.cli("key", "public", "--ids").stdout.partition(",")[0]
        for folder in [waymark.state / "edge", writer.root]:
            eventually(lambda: signer(folder) == new_id, 60, what=f"a manifest by the new key in {folder}")
        publish(waymark, host, "/3")

        with taken_over(waymark, writer, "API", "edge", "writer"):
            waymark.cli("key", "retire", "signing")
            writer.copy("signing-key.pub")
        publish(waymark, host, "/4", writer)
        eventually(lambda: len({seen.body for seen in load.seen}) == 4, what="an answer with each version")
    assert load.failures == [] and {seen.status for seen in load.seen} == {200}
    assert rejections(waymark) == before
    assert "snapshot rejected" not in waymark.log() + writer.said()
    assert waymark.cli("key").stdout.strip() == second
    assert json.loads(waymark.cli("key", "--json").stdout) == {"keys": [{"id": new_id, "key": second}]}


def test_an_unannounced_or_retired_key_is_not_trusted(followed):
    waymark, host, writer = followed
    old = (waymark.state / "signing-key").read_text()
    old_id = signer(writer.root)
    waymark.cli("key", "add", "signing")
    waymark.cli("key", "switch", "signing")
    # The writer does not have the new public key. It continues to serve and logs why it does not follow.
    eventually(lambda: "manifest_untrusted_key" in writer.said(), 60, what="the writer's rejection")
    assert (writer.root / "hosts" / host).exists()
    # Switching back fixes it, and so does copying the key.
    waymark.cli("key", "switch", "signing")
    publish(waymark, host, "/2", writer)
    writer.copy("signing-key.pub")
    waymark.cli("key", "switch", "signing")
    new_id = waymark.cli("key", "public", "--ids").stdout.partition(",")[0]
    eventually(lambda: signer(writer.root) == new_id, 60, what="a manifest by the new key")
    # A removed key is no longer trusted.
    with taken_over(waymark, writer, "writer"):
        waymark.cli("key", "retire", "signing")
        writer.copy("signing-key.pub")
    assert old_id not in writer.said()
    (waymark.state / "signing-key").write_text(old)
    eventually(lambda: old_id in writer.said(), 60, what="the writer's rejection of the retired key")
    assert signer(writer.root) == new_id


def test_an_invalid_key_file_changes_nothing_and_is_logged(followed):
    waymark, host, writer = followed
    (writer.state / "signing-key.pub").write_text("")
    (waymark.state / "consumer-secret").write_text("rubbish\n")
    for said in [writer.said, waymark.log]:
        eventually(lambda: "changed keys cannot be used" in said(), 60, what="the log line about the invalid file")
    publish(waymark, host, "/2", writer)


def test_the_consumer_credential_is_rotated_without_a_gap_or_a_restart(followed):
    waymark, host, writer = followed
    before = rejections(waymark)
    [old] = lines(waymark.state / "consumer-secret")
    with Load(waymark.edge_url + PATH, {"Host": host}) as load:
        with taken_over(waymark, writer, "API", "edge"):
            waymark.cli("key", "add", "consumer")
        [first, new] = lines(waymark.state / "consumer-secret")
        assert first == old
        assert manifest(waymark, new).status_code == manifest(waymark, old).status_code == 200
        publish(waymark, host, "/2")

        with taken_over(waymark, writer, "API", "edge", "writer"):
            waymark.cli("key", "switch", "consumer")
            writer.copy("consumer-secret")
        assert manifest(waymark, old).status_code == manifest(waymark, new).status_code == 200
        publish(waymark, host, "/3")

        waymark.cli("key", "retire", "consumer")
        eventually(lambda: manifest(waymark, old).status_code == 401, what="the old credential's end")
        assert lines(waymark.state / "consumer-secret") == [new]
        publish(waymark, host, "/4", writer)
        eventually(lambda: len({seen.body for seen in load.seen}) == 4, what="an answer with each version")
    assert load.failures == [] and {seen.status for seen in load.seen} == {200}
    assert rejections(waymark) == before
    assert "snapshot rejected" not in waymark.log() + writer.said()


def test_a_step_out_of_order_is_refused_with_the_reason_and_changes_nothing(fresh_waymark):
    waymark = fresh_waymark
    for kind, name in [("signing", "signing-key"), ("consumer", "consumer-secret")]:
        file = waymark.state / name

        def refused(step):
            content = file.read_text()
            result = waymark.cli("key", step, kind, check=False)
            assert (result.returncode, file.read_text()) == (3, content), result.stderr
            assert str(file) in result.stderr and "waymark: " in result.stderr
            assert not any(line in result.stdout + result.stderr for line in content.split())

        refused("switch")
        refused("retire")
        waymark.cli("key", "add", kind)
        refused("add")
        waymark.cli("key", "switch", kind)
        waymark.cli("key", "retire", kind)
        assert len(lines(file)) == 1
    assert waymark.cli("key", "add", "another", check=False).returncode == 2
    assert [path.name for path in waymark.state.iterdir() if path.name.endswith(".new")] == []
