"""What is malformed or ambiguous is refused and ends its connection: nothing hidden behind it is ever answered."""

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

# The API has no hosts to tell apart: it takes the path of an absolute target, whatever stands before it.
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
    """The heads of all answers until the server ends the connection; `TimeoutError` where it does not."""
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
def test_a_bad_request_is_refused_alone_by_edge_and_api(waymark, live, name):
    servers = [(waymark.edge_url, live, PATH, PATH), (waymark.url, "localhost", "/v1/lint", "/livez")]
    for url, host, path, behind in servers[: 1 if name in WELL_FRAMED_FOR_THE_API else 2]:
        refused = statuses(answers(url, bad_request(name, host, path) + good(host, behind)))
        assert len(refused) == 1 and 400 <= refused[0] < 600, f"{url} answered {refused}"


# RFC 9112, section 6.1: HTTP/1.0 has no transfer codings, and who does not decode one says so by 501.
EXACT = {
    "HTTP/1.0 with chunks": 400,
    "HTTP/1.0 with chunks, to go on": 400,
    "gzip, then chunked": 501,
    "gzip, then chunked, in two fields": 501,
    "two slashes before the path": 400,
    "two slashes and a host": 400,
    "absolute form with two slashes": 400,
}


@pytest.mark.parametrize("name", EXACT)
def test_codings_and_slashes_that_two_readers_could_take_otherwise_are_refused(waymark, live, name):
    for url, host, path in [(waymark.edge_url, live, PATH), (waymark.url, "localhost", "/v1/lint")]:
        heads = answers(url, bad_request(name, host, path) + good(host, path))
        assert statuses(heads) == [EXACT[name]], url
        assert b"connection: close" in heads[0].lower(), url


def test_two_slashes_are_no_way_round_a_closed_path(waymark, live):
    secret = (waymark.state / "consumer-secret").read_text().split()[0]
    for path in ("//internal/manifest", "/internal//manifest", "///internal/manifest", "//livez"):
        request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n\r\n"
        assert statuses(answers(waymark.url, request.encode())) == [400], path


# RFC 9112, sections 7.1.1 and 7.1.2: whoever does not know an extension or a trailer passes it over.
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
def test_what_chunks_carry_besides_their_bytes_means_nothing(waymark, live, name):
    """It is passed over, and this request and the one behind it are answered as without it, or it is refused and ends the
    connection."""
    servers = [(waymark.edge_url, live, b"GET", PATH, PATH), (waymark.url, "localhost", b"POST", "/v1/lint", "/livez")]
    for url, host, method, path, behind in servers:
        head = CHUNKED.replace(b"POST", method).replace(b"%P", path.encode()).replace(b"%H", host.encode())
        end = good(host, behind).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        assert statuses(answers(url, head + CHUNKS + end)) == [200, 200]
        seen = statuses(answers(url, head + CARRIED[name] + end))
        assert seen == [200, 200] or (len(seen) == 1 and 400 <= seen[0] < 500), f"{url} answered {seen}"


def test_nothing_is_hidden_between_nginx_and_the_edge(waymark, live, nginx):
    """nginx takes some of them in its own way. What it passes on, it and the edge see as the same requests: the edge
    gives as many answers as reach the clients."""

    def counted():
        text = httpx.get(f"{waymark.edge_metrics_url}/metrics").text
        return sum(float(count) for count in re.findall(r"^waymark_edge_responses_total\{.*\} (\S+)$", text, re.M))

    def answered():
        """The count once it stands still: the edge counts a moment after it has answered."""
        last = None
        while (now := counted()) != last:
            last = now
            time.sleep(0.5)
        return now

    before, reached = answered(), 0
    # An answer of HTTP/0.9 has no head by which it could be counted.
    for name in BAD_REQUESTS.keys() - {"HTTP/0.9"}:
        with_end = good(live, PATH).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        heads = answers(nginx.url, bad_request(name, live, PATH) + with_end)
        seen = statuses(heads)
        assert len(seen) <= 2, f"{name}: {seen}"
        reached += sum(b"waymark-version:" in head.lower() or b"application/problem+json" in head for head in heads)
    eventually(lambda: counted() - before >= reached, what="the last answers in the count")
    assert answered() - before == reached > 0
