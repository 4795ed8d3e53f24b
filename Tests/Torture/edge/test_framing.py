"""A malformed or ambiguous request is refused and ends its connection. A request hidden after it is never answered."""

import re
import time

import httpx
import pytest

from bad_requests import BAD_REQUESTS, CHUNKED, CHUNKS, bad_request
from installation import eventually
from nginx import Nginx
from publications import PATH
from raw_http import connect
from samples import draft

assert len(BAD_REQUESTS) >= 60

# The API does not distinguish hosts, so it accepts the path of an absolute target with any host.
WELL_FRAMED_FOR_THE_API = {"absolute form with a user", "absolute form of another scheme"}


@pytest.fixture(scope="module")
def live(waymark):
    host = waymark.new_domain(draft("/framing"))
    waymark.publish(host)
    waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])
    return host


@pytest.fixture(scope="module")
def nginx(waymark):
    server = Nginx("edge.conf", {"server edge:8081 ": f"server {waymark.environment['WAYMARK_EDGE_ADDRESS']} "})
    yield server
    server.remove()


def answers(url, sent, timeout=25):
    """The heads of all answers until the server ends the connection; `TimeoutError` if it does not."""
    received = b""
    with connect(url, timeout) as connection:
        try:
            connection.sendall(sent)
        except OSError:
            pass
        try:
            while part := connection.recv(65_536):
                received += part
        except ConnectionResetError:
            pass
    return re.findall(rb"HTTP/1\.[01] \d{3} .*?\r\n\r\n", received, re.DOTALL)


def statuses(heads):
    return [int(head[9:12]) for head in heads]


def good(host, path):
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


@pytest.mark.parametrize("name", BAD_REQUESTS)
def test_a_bad_request_is_refused_and_ends_its_connection(waymark, live, name):
    servers = [(waymark.edge_url, live, PATH, PATH), (waymark.url, "localhost", "/v1/lint", "/livez")]
    for url, host, path, behind in servers[: 1 if name in WELL_FRAMED_FOR_THE_API else 2]:
        refused = statuses(answers(url, bad_request(name, host, path) + good(host, behind)))
        assert len(refused) == 1 and 400 <= refused[0] < 600, f"{url} answered {refused}"


# RFC 9112, section 6.1: HTTP/1.0 has no transfer codings, and a server that cannot decode a coding answers 501.
EXACT = {
    "HTTP/1.0 with chunks": 400,
    "HTTP/1.0 with chunks, kept open": 400,
    "gzip, then chunked": 501,
    "gzip, then chunked, in two fields": 501,
    "two slashes before the path": 400,
    "two slashes and a host": 400,
    "absolute form with two slashes": 400,
}


@pytest.mark.parametrize("name", EXACT)
def test_ambiguous_codings_and_slashes_are_refused(waymark, live, name):
    for url, host, path in [(waymark.edge_url, live, PATH), (waymark.url, "localhost", "/v1/lint")]:
        heads = answers(url, bad_request(name, host, path) + good(host, path))
        assert statuses(heads) == [EXACT[name]], url
        assert b"connection: close" in heads[0].lower(), url


def test_two_slashes_do_not_bypass_a_blocked_path(waymark, live):
    secret = (waymark.state / "consumer-secret").read_text().split()[0]
    for path in ("//internal/manifest", "/internal//manifest", "///internal/manifest", "//livez"):
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n\r\n"
        assert statuses(answers(waymark.url, request.encode())) == [400], path


# RFC 9112, sections 7.1.1 and 7.1.2: unknown extensions and trailers are ignored.
CARRIED = {
    "an extension": b"1;name\r\nx\r\n0\r\n\r\n",
    "an extension with a value in quotes": b'1;name="a;b"\r\nx\r\n0;last\r\n\r\n',
    "an extension of 100 kB": b"1;name=" + b"y" * 100_000 + b"\r\nx\r\n0\r\n\r\n",
    "100,000 chunks of one byte with an extension": b"1;a=b\r\n \r\n" * 100_000 + b"0\r\n\r\n",
    "a trailer": b"1\r\nx\r\n0\r\nX: y\r\n\r\n",
    "a Host for a trailer": b"1\r\nx\r\n0\r\nHost: other.example\r\n\r\n",
    "a coding for a trailer": b"1\r\nx\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "a length for a trailer": b"1\r\nx\r\n0\r\nContent-Length: 40\r\n\r\n",
}


@pytest.mark.parametrize("name", CARRIED)
def test_extensions_and_trailers_of_chunks_have_no_effect(waymark, live, name):
    """They are ignored, and this request and the next are answered as without them; or the request is refused and ends
    the connection."""
    servers = [(waymark.edge_url, live, b"GET", PATH, PATH), (waymark.url, "localhost", b"POST", "/v1/lint", "/livez")]
    for url, host, method, path, behind in servers:
        head = CHUNKED.replace(b"POST", method).replace(b"%P", path.encode()).replace(b"%H", host.encode())
        end = good(host, behind).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        assert statuses(answers(url, head + CHUNKS + end)) == [200, 200]
        seen = statuses(answers(url, head + CARRIED[name] + end))
        assert seen == [200, 200] or (len(seen) == 1 and 400 <= seen[0] < 500), f"{url} answered {seen}"


def test_nginx_and_the_edge_see_the_same_requests(waymark, live, nginx):
    """nginx changes some of the requests. But nginx and the edge see the same number of requests: the edge sends as
    many answers as the clients get."""

    def counted():
        text = httpx.get(f"{waymark.edge_metrics_url}/metrics").text
        return sum(float(count) for count in re.findall(r"^waymark_edge_responses_total\{.*\} (\S+)$", text, re.M))

    def answered():
        """The count when it no longer changes, because the edge counts a moment after it has answered."""
        last = None
        while (now := counted()) != last:
            last = now
            time.sleep(0.5)
        return now

    before, reached = answered(), 0
    # An HTTP/0.9 answer has no head, so it cannot be counted.
    for name in BAD_REQUESTS.keys() - {"HTTP/0.9"}:
        with_end = good(live, PATH).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        heads = answers(nginx.url, bad_request(name, live, PATH) + with_end)
        seen = statuses(heads)
        assert len(seen) <= 2, f"{name}: {seen}"
        reached += sum(b"waymark-version:" in head.lower() or b"application/problem+json" in head for head in heads)
    eventually(lambda: counted() - before >= reached, what="the last answers in the count")
    assert answered() - before == reached > 0
