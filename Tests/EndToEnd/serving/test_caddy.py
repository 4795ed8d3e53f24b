"""The serving contract with Caddy: over the folder of `waymark serve --role directory`, and in front of the edge."""

import json
import subprocess
import tempfile
from pathlib import Path

import pytest

from caddy import Caddy
from consumers import DirectoryWriter, publish_while_asked
from installation import eventually
from publications import digest
from raw_http import get
from samples import APP, OTHER_APP, draft

PATHS = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]
ROOT = "/var/lib/waymark/directory"


def live_digest(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]


@pytest.fixture(scope="module")
def writer(waymark):
    writer = DirectoryWriter(waymark, "directory-for-caddy")
    yield writer
    writer.end()


@pytest.fixture(scope="module")
def caddy(writer):
    caddy = Caddy("waymark.caddyfile", {ROOT: str(writer.root)})
    yield caddy
    caddy.remove()


@pytest.fixture(scope="module")
def live(waymark, caddy):
    """Two hosts and an alias of the first, live on Caddy, each with its bytes."""
    first = waymark.new_domain(draft("/first"), host="caddy-first.example")
    second = waymark.new_domain(draft("/second", apps=[APP, OTHER_APP]), host="caddy-quick-brown-fox-jumps-vlz.example")
    alias = waymark.new_domain(host="caddy-alias.example", aliasOf=first)
    for host in [first, second]:
        waymark.publish(host)
    found = {}
    for host in [first, second, alias]:
        sha256 = live_digest(waymark, host)

        def served():
            answer = get(caddy.url, PATHS[0], host)
            return answer.body if digest(answer.body) == sha256 else None

        found[host] = eventually(served, 30, what=f"{host} on Caddy")
    assert found[alias] == found[first] != found[second]
    return found


def test_hosts_and_aliases_are_served_on_both_paths_with_the_right_fields(caddy, live):
    for host, body in live.items():
        for path in PATHS:
            for name in [host, host.upper(), host + ".", host + ":80", host.title() + ".:8443"]:
                answer = get(caddy.url, path, name)
                assert (answer.status, answer.body) == (200, body), (path, name)
            assert answer["content-type"] == "application/json"
            assert answer["content-length"] == str(len(body))
            assert answer["cache-control"] == "public, max-age=300, stale-if-error=604800"
            assert answer["x-content-type-options"] == "nosniff"
            assert answer["etag"] and not answer.all("location") and not answer.all("content-encoding")
            head = get(caddy.url, path, host, "HEAD")
            assert (head.status, head["content-length"], head.body) == (200, str(len(body)), b"")
            assert head["etag"] == answer["etag"]
            assert get(caddy.url, path, host, "GET", f"If-None-Match: {answer['etag']}").status == 304
            assert get(caddy.url, path, host, "GET", 'If-None-Match: "another"').status == 200
            # The time alone is not enough, because it can go back.
            assert not answer.all("last-modified")
            assert get(caddy.url, path, host, "GET", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT").status == 200
            assert get(caddy.url, path, host, "GET", "Range: bytes=0-3").status == 200
            assert get(caddy.url, path + "?any=thing", host, "GET", "Accept-Encoding: gzip").body == body


@pytest.mark.parametrize("configuration", ["waymark.caddyfile", "edge.caddyfile"])
def test_with_tls_in_caddy_http_and_https_serve_the_file_without_a_redirect(
    waymark, writer, live, configuration
):
    host, body = next(iter(live.items()))
    sha256 = live_digest(waymark, host)
    waymark.served(host, sha256)
    replaced = {"waymark.caddyfile": {ROOT: str(writer.root)}}.get(
        configuration, {"edge:8081": waymark.environment["WAYMARK_EDGE_ADDRESS"]}
    )
    caddy = Caddy(configuration, replaced, https=host)
    try:
        for name in [host, "unknown.example"]:
            answer = get(caddy.url, PATHS[0], name)
            assert answer.status == (200 if name == host else 404) and not answer.all("location")

        def secure():
            address = f"{host}:{caddy.https_port}:127.0.0.1"
            url = f"https://{host}:{caddy.https_port}{PATHS[0]}"
            result = subprocess.run(["curl", "-ksi", "--resolve", address, url], capture_output=True)
            return result.stdout if result.returncode == 0 else None

        head, _, found = eventually(secure, 60, what="an answer by https").partition(b"\r\n\r\n")
        assert head.split()[1] == b"200" and found == body
    finally:
        caddy.remove()


def test_an_unknown_host_or_path_is_a_404_and_never_a_redirect(caddy, live):
    host = next(iter(live))
    for name, path in [
        ("unknown.example", PATHS[0]),
        (f"www.{host}", PATHS[0]),
        (host, "/"),
        (host, "/.well-known"),
        (host, "/.well-known/"),
        (host, PATHS[0] + "/"),
        (host, PATHS[0] + ".json"),
        (host, PATHS[0].upper()),
        (host, "//apple-app-site-association"),
        (host, "/x/../apple-app-site-association"),
        ("127.0.0.1", PATHS[0]),
        (host, "/hosts/" + host),
        (host, "/" + host),
    ]:
        answer = get(caddy.url, path, name)
        assert answer.status == 404, (name, path)
        assert answer["content-type"] == "application/problem+json" and not answer.all("location")
        assert json.loads(answer.body)["status"] == 404
        assert answer["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["..", "../hosts", ".", "a/../b", "%2e%2e", "a b", "", "{file}", "{env.HOME}"])
def test_a_host_cannot_lead_outside_the_directory(caddy, live, host):
    assert get(caddy.url, PATHS[0], host).status in (400, 404)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_another_method_is_a_405_with_allow(caddy, live, method):
    answer = get(caddy.url, PATHS[0], next(iter(live)), method, "Content-Length: 0")
    assert (answer.status, answer["allow"]) == (405, "GET, HEAD")
    assert json.loads(answer.body)["status"] == 405


def test_publications_during_requests_cause_no_failed_or_torn_answers(waymark, caddy, live):
    """Without a reload. A client with an older version never gets a 304 for it."""
    published, answers = publish_while_asked(waymark, caddy, live)
    for host, seen in answers.items():
        places = {}
        for answer, sha256 in seen:
            places.setdefault(answer.headers["etag"], set()).add(published[host].index(sha256))
        last = get(caddy.url, PATHS[0], host)
        newest = {len(published[host]) - 1}
        assert places.pop(last["etag"], newest) == newest
        for tag, found in places.items():
            # At the moment of a publication, the new file can come with the tag of the previous one.
            assert max(found) - min(found) <= 1, "one tag for two files"
            assert get(caddy.url, PATHS[0], host, "GET", f"If-None-Match: {tag}").body == last.body


def test_a_version_that_goes_live_again_has_its_own_tag_again(waymark, caddy, live):
    host = waymark.new_domain(draft("/11111"), host="caddy-back.example")
    seen = []
    for fields in [{}, {}, {"version": 1}]:
        if len(seen) == 1:
            waymark.put_draft(host, draft("/22222"))
        waymark.publish(host, **fields)
        sha256 = live_digest(waymark, host)

        def served():
            answer = get(caddy.url, PATHS[0], host)
            return answer if digest(answer.body) == sha256 else None

        answer = eventually(served, 30, what=f"{sha256} on Caddy")
        if seen:
            assert len(answer.body) == len(seen[-1].body) and answer["etag"] != seen[-1]["etag"]
            assert get(caddy.url, PATHS[0], host, "GET", f"If-None-Match: {seen[-1]['etag']}").body == answer.body
        seen.append(answer)


def test_an_empty_directory_is_a_503_with_retry_after(tmp_path):
    empty = Caddy("waymark.caddyfile", {ROOT: "/nonexistent/directory"})
    try:
        for host in ["www.example.com", ".."]:
            answer = get(empty.url, PATHS[0], host)
            assert (answer.status, answer["retry-after"]) == (503, "5")
            assert answer["content-type"] == "application/problem+json" and answer["cache-control"] == "no-store"
    finally:
        empty.remove()


def test_a_file_that_caddy_cannot_read_is_a_503(tmp_path):
    root = tmp_path / "directory"
    (root / "hosts").mkdir(parents=True)
    temporary = Path(tempfile.gettempdir())
    for folder in [root, *(parent for parent in root.parents if temporary in parent.parents)]:
        folder.chmod(folder.stat().st_mode | 0o055)
    (root / "manifest").touch()
    (root / "hosts" / "www.example.com").write_text("{}")
    (root / "hosts" / "www.example.com").chmod(0)
    caddy = Caddy("waymark.caddyfile", {ROOT: str(root)})
    try:
        assert get(caddy.url, PATHS[0], "www.example.com").status == 503
        assert get(caddy.url, PATHS[0], "other.example.com").status == 404
    finally:
        caddy.remove()


def test_caddy_in_front_of_the_edge_keeps_the_contract(waymark, live):
    caddy = Caddy("edge.caddyfile", {"edge:8081": waymark.environment["WAYMARK_EDGE_ADDRESS"]})
    try:
        host = next(iter(live))
        sha256 = live_digest(waymark, host)
        body = waymark.served(host, sha256).content
        for path in PATHS:
            answer = get(caddy.url, path, host.upper() + ":80", "GET", "Accept-Encoding: gzip")
            assert (answer.status, answer.body, answer["etag"]) == (200, body, f'"{sha256}"')
            assert answer["content-type"] == "application/json" and answer["content-length"] == str(len(body))
            assert answer["waymark-version"] and not answer.all("location")
            head = get(caddy.url, path, host, "HEAD")
            assert (head.status, head["content-length"], head["etag"]) == (200, str(len(body)), f'"{sha256}"')
            assert get(caddy.url, path, host, "GET", f'If-None-Match: "{sha256}"').status == 304
            assert get(caddy.url, path + "/", host).status == 404
        unknown = get(caddy.url, PATHS[0], "unknown.example", "GET", f"X-Forwarded-Host: {host}")
        assert unknown.status == 404 and not unknown.all("location")
        refused = get(caddy.url, PATHS[0], host, "POST", "Content-Length: 0")
        assert (refused.status, refused["allow"]) == (405, "GET, HEAD")
    finally:
        caddy.remove()


def test_caddy_in_front_of_a_stopped_edge_is_a_503_with_retry_after():
    caddy = Caddy("edge.caddyfile", {"edge:8081": "127.0.0.1:9"})
    try:
        answer = get(caddy.url, PATHS[0], "www.example.com")
        assert (answer.status, answer["retry-after"]) == (503, "5")
    finally:
        caddy.remove()
