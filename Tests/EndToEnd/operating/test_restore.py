"""The database is lost, and a backup that is older than the consumers' snapshot is restored with the steps of
docs/operations/database.md. The commands and statements are read from the page and run unchanged."""

import hashlib
import re
import shlex
import subprocess

import httpx
import pytest

from consumers import DirectoryWriter, Edge
from installation import EXECUTABLE, Installation, eventually
from load import Load
from operations_page import blocks, prepared, shell
from postgres import Cluster
from samples import draft

PATH = "/.well-known/apple-app-site-association"


def psql(text, folder, cluster):
    """Runs a block's statements as a superuser, and returns the rows."""
    result = subprocess.run(
        ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", cluster.url("postgres")],
        cwd=folder,
        input=text,
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stderr) == (0, ""), result.stderr
    return [line.split("|") for line in result.stdout.splitlines()]


def add(waymark, host):
    waymark.new_domain(host=host)
    waymark.cli("domain", "verify", "--organization", "acme", host)


def digest(body):
    return hashlib.sha256(body).hexdigest()


class Story:
    """The published files of each host, in order, and the consumers that follow."""

    def __init__(self, waymark):
        self.waymark = waymark
        self.consumers = []
        self.published = {}

    def publish(self, host, path=None):
        """Publishes a draft with one rule, or the current draft."""
        if path:
            self.waymark.put_draft(host, draft(path))
        publication = self.waymark.publish(host)
        live = self.waymark.api("GET", f"/v1/domains/{host}").json()["live"]
        self.published.setdefault(host, []).append(live["sha256"])
        return publication["activation"], live["version"]

    def reached(self):
        edge, writer = self.consumers
        for host, [*_, sha256] in self.published.items():
            asked = lambda: digest(httpx.get(edge.url + PATH, headers={"Host": host}).content)  # noqa: E731
            eventually(lambda: asked() == sha256, 60, what=f"the last file of {host} at the edge")
            eventually(lambda: writer.sha256(host) == sha256, 60, what=f"the last file of {host} at the writer")


@pytest.fixture
def clusters():
    clusters = [Cluster(), Cluster()]
    yield clusters
    for cluster in clusters:
        cluster.remove()


@pytest.fixture
def waymark():
    installation = Installation()
    yield installation
    installation.remove()


@pytest.mark.destructive
@pytest.mark.timeout(300)
def test_a_restored_backup_serves_every_host_and_continues_above_the_consumers_activation(clusters, waymark):
    [lost, new] = clusters
    prepared(lost, waymark)
    waymark.cli("database", "prepare", "--url", lost.url("postgres", "postgres"))
    waymark.cli("migrate")
    waymark.start()
    waymark.create_organization("acme")
    story = Story(waymark)
    steady, moved, later, last = [f"{name}.restore.example.com" for name in ["steady", "moved", "later", "last"]]
    for host in [steady, moved]:
        add(waymark, host)
        story.publish(host, "/1")
    story.consumers = [Edge(waymark), DirectoryWriter(waymark, elsewhere=True)]
    try:
        story.reached()
        rehearse(story, lost, new, steady, moved, [later, last])
    finally:
        for consumer in story.consumers:
            consumer.end()


def rehearse(story, lost, new, steady, moved, missing):
    waymark = story.waymark
    edge, writer = story.consumers
    folder = waymark.directory
    [(_, dump), _] = blocks("Backup")
    [(_, restore), (_, see), (_, number), (_, count)] = blocks("Restore")

    shell(dump, folder, {"postgresql://waymark_backup:…@db.internal/waymark": lost.url("waymark_backup")})
    for path in ["/2", "/3"]:
        story.publish(moved, path)
    for host in missing:
        add(waymark, host)
        held_activation, _ = story.publish(host, "/1")
    story.reached()
    hosts = list(story.published)

    loads = [Load(edge.url + PATH, {"Host": host}, pause=0.01) for host in hosts]
    for load in loads:
        load.__enter__()
    try:
        waymark.stop()
        lost.stop()
        shell(
            restore.replace("waymark database", f"{shlex.quote(str(EXECUTABLE))} database"),
            folder,
            {
                "postgresql://postgres@new.internal/postgres": new.url("postgres", "postgres"),
                "postgresql://postgres@new.internal/waymark": new.url("postgres"),
            },
        )
        # 1
        prepared(new, waymark)
        waymark.start()
        for consumer in story.consumers:
            eventually(lambda: "manifest_went_back" in consumer.said(), 60, what="the rejection of an older manifest")
        assert edge.manifest()[:-1] == writer.manifest()[:-1]
        (folder / "manifest").write_text("\n".join(edge.manifest()) + "\n")
        highest = int(edge.manifest()[1].split()[1])
        assert highest == held_activation
        # 2
        behind = psql(see, folder, new)
        assert sorted(behind) == sorted([[moved, "f"], *([host, "t"] for host in missing)])
        # 3
        for host in missing:
            add(waymark, host)
            imported = waymark.api(
                "POST",
                f"/v1/domains/{host}/import?register=true",
                content=httpx.get(edge.url + PATH, headers={"Host": host}).content,
                headers={"If-Match": "*"},
            )
            assert imported.status_code == 200, imported.text
        psql(number, folder, new)
        # 4
        for host in missing:
            activation, _ = story.publish(host)
            assert activation <= highest
        # 5
        psql(re.sub(r"\bN\b", str(highest), count), folder, new)
        # 6
        held = {line.split()[0]: int(line.split()[2]) for line in edge.manifest() if len(line.split()) == 5}
        # First the hosts that are not missing: if a missing host was forgotten, this would withdraw it.
        for host, _ in sorted(behind, key=lambda row: row[1]):
            activation, version = story.publish(host, "/4")
            assert activation > highest and version > held[host]
            story.reached()
        activation, _ = story.publish(steady, "/4")
        assert activation > highest
        story.reached()
    finally:
        for load in loads:
            load.__exit__()

    for host, load in zip(hosts, loads):
        assert load.failures == [] and {seen.status for seen in load.seen} == {200}
        seen = [digest(answer.body) for answer in load.seen]
        changes = [sha256 for before, sha256 in zip([None, *seen], seen) if sha256 != before]
        # From its last file to the last published one, and never an older one.
        assert changes == [story.published[host][-2], story.published[host][-1]], host
    for consumer in story.consumers:
        assert "snapshot applied completely again" in consumer.said()
