"""The serving contract on the edge, byte for byte."""

import json
import shutil

import httpx
import pytest

from installation import eventually
from raw_http import connect, exchange, get, read
from samples import draft

PATHS = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]


@pytest.fixture(scope="module")
def live(waymark):
    """A host that is live, with its SHA-256 and its bytes."""
    host = waymark.new_domain(draft("/edge"))
    waymark.publish(host)
    sha256 = waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]
    return host, sha256, waymark.served(host, sha256).content


def problem(answer, status, code=None):
    assert answer.status == status, answer
    assert answer["content-type"] == "application/problem+json"
    assert "no-store" in answer["cache-control"]
    assert not answer.all("location")
    if code:
        assert json.loads(answer.body)["code"] == code


@pytest.mark.parametrize("path", PATHS + [PATHS[0] + "?x=1"])
def test_both_paths_serve_the_same_bytes_with_the_right_fields(waymark, live, path):
    host, sha256, body = live
    answer = get(waymark.edge_url, path, host)
    assert (answer.status, answer.body) == (200, body)
    assert answer["content-type"] == "application/json"
    assert answer["content-length"] == str(len(body))
    assert answer["etag"] == f'"{sha256}"'
    assert answer["waymark-version"] == "1"
    assert "max-age=300" in answer["cache-control"] and "stale-if-error=" in answer["cache-control"]
    assert answer.all("date") and not answer.all("location") and not answer.all("set-cookie")


@pytest.mark.parametrize("path", PATHS)
def test_head_is_get_without_the_body(waymark, live, path):
    host, sha256, body = live
    answer = get(waymark.edge_url, path, host, "HEAD")
    assert (answer.status, answer.body, answer["content-length"]) == (200, b"", str(len(body)))
    assert answer["etag"] == f'"{sha256}"'


@pytest.mark.parametrize("known", ['"{}"', 'W/"{}"', '"x", "{}"', "*", '"x","y" , W/"{}"'])
def test_a_known_file_is_not_sent_again(waymark, live, known):
    host, sha256, _ = live
    for method in ["GET", "HEAD"]:
        answer = get(waymark.edge_url, PATHS[0], host, method, f"If-None-Match: {known.format(sha256)}")
        assert (answer.status, answer.body, answer["etag"]) == (304, b"", f'"{sha256}"')


@pytest.mark.parametrize("known", ['"x"', "{}", '"{}x"', ""])
def test_an_unknown_file_is_sent(waymark, live, known):
    host, sha256, body = live
    answer = get(waymark.edge_url, PATHS[0], host, "GET", f"If-None-Match: {known.format(sha256)}")
    assert (answer.status, answer.body) == (200, body)


def test_hosts_compare_without_case_port_and_final_period(waymark, live):
    host, _, body = live
    for name in [host, host.upper(), host + ".", host + ":443", host.upper() + ".:8080"]:
        answer = get(waymark.edge_url, PATHS[0], name)
        assert (answer.status, answer.body) == (200, body), name


@pytest.mark.parametrize("host", ["unknown.example", "www.{}", "{}.evil.example", "127.0.0.1", "[::1]:80"])
def test_an_unknown_host_is_a_404_and_never_a_redirect(waymark, live, host):
    problem(get(waymark.edge_url, PATHS[0], host.format(live[0])), 404)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/.well-known/",
        "/.well-known/apple-app-site-association/",
        "/.well-known/apple-app-site-association.json",
        "/apple-app-site-association/x",
        "/.WELL-KNOWN/apple-app-site-association",
        "/.well-known/../apple-app-site-association",
        "/v1/me",
        "/livez",
        "/metrics",
    ],
)
def test_another_path_is_a_404_and_never_a_redirect(waymark, live, path):
    problem(get(waymark.edge_url, path, live[0]), 404)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_another_method_is_a_405_with_allow(waymark, live, method):
    answer = get(waymark.edge_url, PATHS[0], live[0], method, "Content-Length: 0")
    problem(answer, 405)
    assert answer["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "fields",
    [
        [],
        ["Host: {}", "Host: {}"],
        ["Host: {}", "host: other.example"],
        ["Host:"],
        ["Host: a b"],
        ["Host: {}/x"],
        ["Host: a@{}"],
        ["Host: {}:port"],
        ["Host: ho\u00dft.example"],
        ["Host: http://{}"],
        ["Host: {}:80:80"],
    ],
)
def test_a_host_that_is_missing_double_or_malformed_is_a_400(waymark, live, fields):
    lines = [
        f"GET {PATHS[0]} HTTP/1.1",
        *(field.format(*[live[0]] * 2) for field in fields),
        "Connection: close",
        "",
        "",
    ]
    answer = exchange(waymark.edge_url, "\r\n".join(lines).encode("latin-1"))
    problem(answer, 400)


def test_a_forwarded_host_counts_only_from_listed_proxies(waymark, live):
    answer = get(
        waymark.edge_url,
        PATHS[0],
        "unknown.example",
        "GET",
        f"X-Forwarded-Host: {live[0]}",
        f"Forwarded: host={live[0]}",
    )
    problem(answer, 404)
    answer = get(waymark.edge_url, PATHS[0], live[0], "GET", "X-Forwarded-Host: unknown.example")
    assert answer.status == 200


def test_an_absolute_target_names_the_host(waymark, live):
    """The host of the target counts, not the Host field (RFC 9112, section 3.2.2)."""
    answer = get(waymark.edge_url, f"http://{live[0]}{PATHS[0]}", "unknown.example")
    assert answer.status in (200, 400)
    answer = get(waymark.edge_url, f"http://unknown.example{PATHS[0]}", live[0])
    assert answer.status in (404, 400)


def test_a_connection_serves_many_requests(waymark, live):
    host, _, body = live
    request = f"GET {PATHS[0]} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    with connect(waymark.edge_url) as connection:
        for _ in range(100):
            connection.sendall(request)
            assert read(connection).body == body


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET " + b"/" + b"x" * 9_000 + b" HTTP/1.1\r\nHost: a.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a.example\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
    ],
)
def test_requests_that_are_too_long_are_refused(waymark, request_bytes):
    assert exchange(waymark.edge_url, request_bytes).status in (400, 414, 431)


def test_the_edge_has_its_health_checks_on_another_address(waymark, live):
    for path in ["/livez", "/readyz"]:
        assert httpx.get(waymark.edge_metrics_url + path).status_code == 200
    for url in [waymark.edge_metrics_url, waymark.metrics_url]:
        metrics = httpx.get(f"{url}/metrics")
        assert metrics.status_code == 200
        assert metrics.headers["Content-Type"].startswith("text/plain")
        assert "# TYPE " in metrics.text


def test_the_edge_answers_503_before_its_first_snapshot(waymark, empty_waymark):
    """An edge with the right keys, an empty disk and no reachable API."""
    empty_waymark.arguments = ("serve", "--role", "edge")
    empty_waymark.environment["WAYMARK_SNAPSHOT_URL"] = "http://127.0.0.1:9"
    empty_waymark.state.mkdir()
    for name in ["consumer-secret", "signing-key.pub"]:
        shutil.copy(waymark.state / name, empty_waymark.state)
    empty_waymark.start(wait=False)
    answer = eventually(lambda: get(empty_waymark.edge_url, PATHS[0], "www.example.com"))
    problem(answer, 503, "not_ready")
    assert answer["retry-after"].isdigit()
    eventually(lambda: httpx.get(empty_waymark.edge_metrics_url + "/livez").status_code == 200, what="a running edge")
    assert httpx.get(empty_waymark.edge_metrics_url + "/readyz").status_code == 503


@pytest.mark.parametrize("setting", ["WAYMARK_EDGE_ADDRESS", "WAYMARK_EDGE_METRICS_ADDRESS"])
def test_an_edge_names_the_setting_of_an_address_that_cannot_be_used(waymark, setting):
    ended = waymark.cli("serve", "--role", "edge", environment={setting: "203.0.113.1:80"}, check=False)
    assert ended.returncode == 3
    assert f"{setting} is 203.0.113.1:80, which cannot be used" in ended.stderr
