"""The snapshot for consumers: the manifest, its deltas, and waiting for both."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from consumers import DirectoryWriter, Edge
from installation import eventually
from samples import draft


@pytest.fixture(scope="module")
def ask(waymark):
    """Requests the manifest as a consumer does."""
    secret = (waymark.state / "consumer-secret").read_text().strip()

    def ask(tag=None, manipulations=None, wait=0):
        fields = {"Authorization": f"Bearer {secret}"}
        if tag:
            fields["If-None-Match"] = tag
        if manipulations:
            fields["A-IM"] = manipulations
        return httpx.get(f"{waymark.url}/internal/manifest?wait={wait}", headers=fields, timeout=70)

    return ask


@pytest.fixture(scope="module")
def hosts(waymark):
    """Enough hosts that one change is much shorter than the whole manifest."""
    hosts = [waymark.new_domain(draft(f"/{number}")) for number in range(10)]
    for host in hosts:
        waymark.publish(host)
    return hosts


def applied(base, delta):
    """Applies a delta to a manifest: a second implementation, from the decision page."""
    lines = delta.splitlines(keepends=True)
    assert lines[0] == "waymark-delta 1\n"
    entries = {line.split(" ")[0]: line for line in base.splitlines(keepends=True)[4:-1]}
    for line in lines[4:-1]:
        if line.startswith("- "):
            entries.pop(line[2:-1], None)
        else:
            entries[line.split(" ")[0]] = line
    return "".join(["waymark-manifest 1\n", *lines[1:4], *(entries[host] for host in sorted(entries)), lines[-1]])


def test_a_delta_gives_the_whole_manifest(waymark, hosts, ask):
    base = ask()
    assert base.status_code == 200
    assert base.headers["ETag"].startswith('"' + re.search(r"^activation (\d+)$", base.text, re.M)[1] + "-")
    for number, host in enumerate(hosts[:2]):
        waymark.put_draft(host, draft(f"/again/{number}"))
        waymark.publish(host)
    delta = ask(base.headers["ETag"], "waymark-delta")
    assert delta.status_code == 226 and delta.reason_phrase == "IM Used"
    assert delta.headers["IM"] == "waymark-delta"
    assert delta.headers["Delta-Base"] == base.headers["ETag"]
    assert delta.headers["Cache-Control"] == "no-store"
    whole = ask()
    assert delta.headers["ETag"] == whole.headers["ETag"]
    assert len(delta.content) < len(whole.content)
    assert applied(base.text, delta.text) == whole.text
    assert ask(whole.headers["ETag"], "waymark-delta").status_code == 304


def test_a_consumer_that_cannot_use_a_delta_gets_the_whole_manifest(waymark, hosts, ask):
    base = ask().headers["ETag"]
    waymark.put_draft(hosts[2], draft("/other"))
    waymark.publish(hosts[2])
    whole = ask()
    for tag, manipulations in [
        (base, None),
        (base, "vcdiff, gzip"),
        (base, "waymark-delta;q=0"),
        (None, "waymark-delta"),
        ('"x"', "waymark-delta"),
        (f'"0-{"0" * 64}"', "waymark-delta"),
    ]:
        answer = ask(tag, manipulations)
        assert (answer.status_code, answer.content) == (200, whole.content), (tag, manipulations)
    for tag, manipulations in [(f'"x", W/{base}', "vcdiff, Waymark-Delta;q=0.5"), (base, "waymark-delta")]:
        assert ask(tag, manipulations).status_code == 226, (tag, manipulations)


def test_all_waiting_consumers_get_a_change_and_none_earlier(waymark, hosts, ask):
    base = ask().headers["ETag"]
    began = time.monotonic()
    assert ask(base, "waymark-delta", wait=1).status_code == 304
    assert time.monotonic() - began > 0.9
    with ThreadPoolExecutor(20) as pool:
        waiting = [pool.submit(ask, base, "waymark-delta", 60) for _ in range(20)]
        time.sleep(0.5)
        assert not [answer for answer in waiting if answer.done()]
        waymark.put_draft(hosts[3], draft("/waited-for"))
        waymark.publish(hosts[3])
        answers = [answer.result() for answer in waiting]
    assert {answer.status_code for answer in answers} == {226}
    assert {answer.content for answer in answers} == {answers[0].content}


def test_the_edge_follows_by_deltas(waymark, hosts):
    def deltas():
        text = httpx.get(f"{waymark.metrics_url}/metrics").text
        found = re.search(r'waymark_http_requests_total\{[^}]*route="/internal/manifest",status="226"\} (\d+)', text)
        return int(found[1]) if found else 0

    before = deltas()
    waymark.put_draft(hosts[4], draft("/by-delta"))
    waymark.publish(hosts[4])
    sha256 = waymark.api("GET", f"/v1/domains/{hosts[4]}").json()["live"]["sha256"]
    assert waymark.served(hosts[4], sha256).status_code == 200
    eventually(lambda: deltas() > before, what="a delta applied by the edge")


def served_etag(edge, host):
    answer = httpx.get(f"{edge.url}/.well-known/apple-app-site-association", headers={"Host": host})
    return answer.headers.get("ETag")


def test_an_edge_follows_the_folder_of_a_writer_or_of_another_edge_and_needs_no_credential(waymark, hosts):
    writer, edge = DirectoryWriter(waymark, "shared"), Edge(waymark, "shared-edge")
    followers = []
    try:
        for first in [writer, edge]:
            name = f"behind-{first.folder.name}"
            settings = {"WAYMARK_SNAPSHOT_URL": f"file://{first.folder}", "WAYMARK_CONSUMER_SECRET_FILE": "/none"}
            followers.append(Edge(waymark, name, settings))
        for path in ["/shared/1", "/shared/2"]:
            waymark.put_draft(hosts[5], draft(path))
            waymark.publish(hosts[5])
            sha256 = waymark.api("GET", f"/v1/domains/{hosts[5]}").json()["live"]["sha256"]
            for follower in followers:
                eventually(lambda: served_etag(follower, hosts[5]) == f'"{sha256}"', what=path)
        shown = waymark.api("GET", f"/v1/domains/{hosts[5]}/serving").json()["consumers"]
        assert not {consumer["name"] for consumer in shown} & {follower.name for follower in followers}
    finally:
        for process in [writer, edge, *followers]:
            process.kill9()


@pytest.mark.parametrize("url", ["ftp://host/x", "file://relative", "/folder", "api.example", "http://127.0.0.1:99999"])
def test_an_invalid_source_is_refused_with_the_name_of_the_setting(waymark, url):
    ended = waymark.cli("serve", "--role", "edge", environment={"WAYMARK_SNAPSHOT_URL": url}, check=False)
    assert ended.returncode == 3
    assert "WAYMARK_SNAPSHOT_URL must be http(s)://host or file:///folder" in ended.stderr
