"""What is malformed or ambiguous is refused and ends its connection: nothing hidden behind it is ever answered."""

import re

import httpx
import pytest

from bad_requests import BAD_REQUESTS, bad_request
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


def test_nothing_is_hidden_between_nginx_and_the_edge(waymark, live, nginx):
    """nginx takes some of them in its own way. What it passes on, it and the edge see as the same requests: the edge
    gives as many answers as reach the clients."""

    def answered():
        text = httpx.get(f"{waymark.edge_metrics_url}/metrics").text
        return sum(float(count) for count in re.findall(r"^waymark_edge_responses_total\{.*\} (\S+)$", text, re.M))

    before, reached = answered(), 0
    # An answer of HTTP/0.9 has no head by which it could be counted.
    for name in BAD_REQUESTS.keys() - {"HTTP/0.9"}:
        with_end = good(live, PATH).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        heads = answers(nginx.url, bad_request(name, live, PATH) + with_end)
        seen = statuses(heads)
        assert len(seen) <= 2, f"{name}: {seen}"
        reached += sum(b"waymark-version:" in head.lower() or b"application/problem+json" in head for head in heads)
    eventually(lambda: answered() - before >= reached, 5, what="the edge's count")
    assert answered() - before == reached > 0
