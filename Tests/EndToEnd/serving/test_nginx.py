"""The serving contract with nginx: over the folder of `waymark serve --role directory`, and in front of the edge."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from consumers import DirectoryWriter, publish_while_asked
from installation import REPOSITORY, eventually
from nginx import Nginx
from publications import digest
from raw_http import get
from real_files import OWN_FILE, REAL_FILES, apps_of, file_bytes
from relay import Relay
from samples import APP, OTHER_APP, draft, meaning

PATHS = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]


@pytest.fixture(scope="module")
def writer(waymark):
    writer = DirectoryWriter(waymark)
    yield writer
    writer.end()


@pytest.fixture(scope="module")
def nginx(writer):
    nginx = Nginx("waymark.conf", {"/var/lib/waymark/directory": str(writer.root)})
    yield nginx
    nginx.remove()


@pytest.fixture(scope="module")
def live(waymark, nginx):
    """Two hosts and an alias of the first, live on nginx, each with its bytes."""
    first = waymark.new_domain(draft("/first"))
    second = waymark.new_domain(draft("/second", apps=[APP, OTHER_APP]))
    alias = waymark.new_domain(aliasOf=first)
    for host in [first, second]:
        waymark.publish(host)
    found = {}
    for host in [first, second, alias]:
        sha256 = waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]

        def served():
            answer = httpx.get(nginx.url + PATHS[0], headers={"Host": host})
            return answer.content if digest(answer.content) == sha256 else None

        found[host] = eventually(served, 30, what=f"{host} on nginx")
    assert found[alias] == found[first] != found[second]
    return found


def test_hosts_and_aliases_are_served_on_both_paths_with_the_right_fields(nginx, live):
    for host, body in live.items():
        for path in PATHS:
            for name in [host, host.upper(), host + ".", host + ":80"]:
                answer = get(nginx.url, path, name)
                assert (answer.status, answer.body) == (200, body), (path, name)
            assert answer["content-type"] == "application/json"
            assert answer["content-length"] == str(len(body))
            assert answer["cache-control"] == "public, max-age=300, stale-if-error=604800"
            assert answer["x-content-type-options"] == "nosniff"
            assert answer.all("etag") and answer.all("last-modified") and not answer.all("location")
            head = get(nginx.url, path, host, "HEAD")
            assert (head.status, head["content-length"], head.body) == (200, str(len(body)), b"")
            for field in [f"If-None-Match: {answer['etag']}", f"If-Modified-Since: {answer['last-modified']}"]:
                assert get(nginx.url, path, host, "GET", field).status == 304
            assert get(nginx.url, path, host, "GET", "Range: bytes=0-3").status == 200


@pytest.mark.parametrize("name", [OWN_FILE, *REAL_FILES[:2]])
def test_a_file_of_many_apps_has_the_same_meaning_on_the_edge_and_on_nginx(waymark, nginx, name):
    original = json.loads(file_bytes(name))
    assert len(apps_of(original)) >= 3
    host = waymark.new_domain(token=(token := waymark.token(organization=waymark.create_organization())))
    imported = waymark.api(
        "POST",
        f"/v1/domains/{host}/import?register=true",
        content=file_bytes(name),
        headers={"If-Match": '"1"'},
        token=token,
    )
    assert imported.status_code == 200, imported.text
    urls = [f"https://{host}/{path}" for path in ["", "news/today", "cart/1?item=12345", "any/thing#web"]]
    by_draft = waymark.api("POST", f"/v1/domains/{host}/evaluations", {"urls": urls}, token=token).json()
    waymark.publish(host, token=token)
    sha256 = waymark.api("GET", f"/v1/domains/{host}", token=token).json()["live"]["sha256"]
    on_edge = waymark.served(host, sha256).content

    def on_nginx():
        answer = get(nginx.url, PATHS[0], host)
        return answer.body if answer.status == 200 else None

    assert eventually(on_nginx) == on_edge
    assert meaning(json.loads(on_edge)) == meaning(original)
    posted = {"aasa": on_edge.decode(), "domain": host, "urls": urls}
    by_file = httpx.post(f"{waymark.url}/v1/evaluations", json=posted).json()
    outcomes = [[(e["outcome"], e["app"]) for e in answer["evaluations"]] for answer in (by_draft, by_file)]
    assert outcomes[0] == outcomes[1] and len(outcomes[0]) == len(urls)


def test_an_unknown_host_or_path_is_a_404_and_never_a_redirect(nginx, live):
    host = next(iter(live))
    for name, path in [
        ("unknown.example", PATHS[0]),
        (f"www.{host}", PATHS[0]),
        (host, "/"),
        (host, "/.well-known/"),
        (host, PATHS[0] + "/"),
        (host, PATHS[0] + ".json"),
        (host, "//apple-app-site-association"),
        ("127.0.0.1", PATHS[0]),
        (host, "/hosts/" + host),
    ]:
        answer = get(nginx.url, path, name)
        assert answer.status == 404, (name, path)
        assert answer["content-type"] == "application/problem+json" and not answer.all("location")
        assert json.loads(answer.body)["status"] == 404
        assert answer["cache-control"] == "no-store"


@pytest.mark.parametrize("host", ["..", "../hosts", ".", "a/../b", "%2e%2e", "a b", ""])
def test_a_host_cannot_lead_outside_the_directory(nginx, live, host):
    assert get(nginx.url, PATHS[0], host).status in (400, 404)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_another_method_is_a_405_with_allow(nginx, live, method):
    answer = get(nginx.url, PATHS[0], next(iter(live)), method, "Content-Length: 0")
    assert (answer.status, answer["allow"]) == (405, "GET, HEAD")


def test_publications_during_requests_cause_no_failed_or_torn_answers(waymark, nginx, live):
    """The validators must be correct too."""
    _, answers = publish_while_asked(waymark, nginx, live)
    for seen in answers.values():
        tags = {}
        for answer, sha256 in seen:
            assert tags.setdefault(answer.headers["etag"], sha256) == sha256, "one tag for two files"
    assert "[error]" not in nginx.errors(), nginx.errors()[-2000:]


def test_the_directory_outlives_its_writer_and_the_next_writer_continues(waymark, writer, nginx, live):
    host, other = list(live)[:2]
    writer.process.kill()
    writer.process.wait()
    before = get(nginx.url, PATHS[0], host)
    assert before.status == 200
    waymark.put_draft(host, draft("/while-the-writer-was-dead"))
    waymark.publish(host)
    sha256 = waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]
    assert get(nginx.url, PATHS[0], host).body == before.body
    writer.start()
    eventually(lambda: digest(get(nginx.url, PATHS[0], host).body) == sha256)
    assert get(nginx.url, PATHS[0], other).status == 200
    # Its own record can be written after the files.
    eventually(lambda: list((writer.root / "tmp").iterdir()) == [], what="no leftovers")


def test_a_second_writer_of_a_directory_is_refused_with_the_reason(waymark, writer, live):
    result = waymark.cli(
        "serve",
        "--role",
        "directory",
        check=False,
        environment={"WAYMARK_DIRECTORY_ROOT": str(writer.root), "WAYMARK_SNAPSHOT_URL": waymark.url},
    )
    assert result.returncode == 3
    assert str(writer.root) in result.stderr


def test_an_empty_directory_is_a_503_with_retry_after(tmp_path):
    empty = Nginx("waymark.conf", {"/var/lib/waymark/directory": "/nonexistent/directory"})
    try:
        answer = get(empty.url, PATHS[0], "www.example.com")
        assert (answer.status, answer["retry-after"]) == (503, "5")
    finally:
        empty.remove()


def test_nginx_in_front_of_the_edge_keeps_the_contract(waymark, live):
    nginx = Nginx("edge.conf", {"edge:8081": waymark.environment["WAYMARK_EDGE_ADDRESS"]})
    try:
        host = next(iter(live))
        sha256 = waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]
        body = waymark.served(host, sha256).content
        for path in PATHS:
            answer = get(nginx.url, path, host.upper() + ":80")
            assert (answer.status, answer.body, answer["etag"]) == (200, body, f'"{sha256}"')
            assert answer["waymark-version"] and not answer.all("location")
            assert get(nginx.url, path, host, "GET", f'If-None-Match: "{sha256}"').status == 304
        assert get(nginx.url, PATHS[0], "unknown.example", "GET", f"X-Forwarded-Host: {host}").status == 404
        refused = get(nginx.url, PATHS[0], host, "POST", "Content-Length: 0")
        assert (refused.status, refused["allow"]) == (405, "GET, HEAD")
    finally:
        nginx.remove()


def test_nginx_in_front_of_the_api_forwards_changes_and_large_bodies(waymark):
    nginx = Nginx("api.conf", {"api:8080": waymark.environment["WAYMARK_ADDRESS"]})
    try:
        cookies = {"Cookie": "; ".join(f"{name}={value}" for name, value in waymark.sign_in().items())}
        team = {"teamID": "NGINX12345", "name": "Through nginx"}
        for origin, status in [("http://elsewhere.example", 403), (nginx.url, 201)]:
            headers = cookies | {"Origin": origin}
            assert httpx.post(f"{nginx.url}/v1/teams", json=team, headers=headers).status_code == status, origin
        host = waymark.new_domain(draft("/large"))
        padded = b'{"urls": ["https://%s/large"]}' % host.encode()
        padded = padded.ljust(16 * 1024 * 1024)
        headers = cookies | {"Origin": nginx.url, "Content-Type": "application/json"}
        for body, status in [(padded, 200), (padded + b" ", 413)]:
            url = f"{nginx.url}/v1/domains/{host}/evaluations"
            assert httpx.post(url, content=body, headers=headers, timeout=60).status_code == status
        assert get(nginx.url, "/nothing", "waymark.example")["content-type"] == "application/problem+json"
    finally:
        nginx.remove()


def test_nginx_closes_idle_connections_before_the_api_does(waymark):
    """Otherwise a POST sent at that moment would get a 502. A relay records which side closes the connections."""
    config = (REPOSITORY / "deploy/nginx/api.conf").read_text()
    upstream = re.search(r"upstream waymark_api \{.*?keepalive_timeout (\d+)s;.*?\}", config, re.DOTALL)
    source = (REPOSITORY / "Sources/waymark/Running/HTTP/SlowClientHandler.swift").read_text()
    idle = re.search(r"static let idleTime = TimeAmount\.seconds\((\d+)\)", source)
    assert int(upstream[1]) + 5 <= int(idle[1])

    with Relay(waymark.environment["WAYMARK_ADDRESS"]) as relay:
        nginx = Nginx("api.conf", {"api:8080": relay.address})
        try:

            def post(_):
                return httpx.post(f"{nginx.url}/v1/lint", content=b"{}").status_code

            with ThreadPoolExecutor(8) as clients:
                assert set(clients.map(post, range(60))) == {200}
            eventually(lambda: relay.open == 0, 120, what="the end of the idle connections")
            assert post(0) == 200
            assert relay.ended_by["server"] == 0 and relay.ended_by["client"] > 0
        finally:
            nginx.remove()
