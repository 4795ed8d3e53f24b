"""Hosts whose CNAME points to Waymark: Debian's Caddy gets a certificate for each served host, and for no other. In
this test, Caddy's own authority signs. The rest is deploy/caddy/on-demand.caddyfile."""

import subprocess

import httpx
import pytest

from caddy import Caddy
from installation import eventually
from raw_http import get
from samples import draft

PATH = "/.well-known/apple-app-site-association"


@pytest.fixture
def in_front():
    """A function that starts Caddy in front of a Waymark."""
    started = []

    def start(waymark):
        started.append(
            Caddy(
                "on-demand.caddyfile",
                {
                    "edge:8081": waymark.environment["WAYMARK_EDGE_ADDRESS"],
                    "edge:8083": waymark.environment["WAYMARK_EDGE_METRICS_ADDRESS"],
                    "https:// {": "https:// {\n\tbind 127.0.0.1",
                    "\t\ton_demand\n": "\t\tissuer internal\n\t\ton_demand\n",
                },
            )
        )
        return started[-1]

    yield start
    for caddy in started:
        caddy.remove()


def fetch(caddy, host):
    """The answer of a host to curl over https, with only Caddy's own authority trusted; None without a connection."""
    address = f"{host}:{caddy.https_port}:127.0.0.1"
    root = caddy.folder / ".local/share/caddy/pki/authorities/local/root.crt"
    command = ["curl", "-si", "--cacert", root, "--resolve", address, f"https://{host}:{caddy.https_port}{PATH}"]
    result = subprocess.run(command, capture_output=True, timeout=60)
    if result.returncode != 0:
        return None
    head, _, body = result.stdout.partition(b"\r\n\r\n")
    return int(head.split()[1]), head, body


def certificates(caddy):
    """The hosts for which Caddy has certificates."""
    return {path.stem for path in (caddy.folder / ".local/share/caddy/certificates").rglob("*.crt")}


def test_a_host_that_is_served_gets_a_certificate_and_its_file(waymark, in_front):
    host = waymark.new_domain(draft("/on-demand"), host="on-demand.example")
    alias = waymark.new_domain(host="on-demand-alias.example", aliasOf=host)
    waiting = waymark.new_domain(draft("/unpublished"), host="on-demand-unpublished.example")
    waymark.publish(host)
    sha256 = waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]
    body = waymark.served(host, sha256).content
    waymark.served(alias, sha256)
    caddy = in_front(waymark)

    for name in [host, alias]:
        status, head, found = eventually(lambda: fetch(caddy, name), 60, what=f"https for {name}")
        assert (status, found) == (200, body)
        assert b"location:" not in head.lower()
        assert get(caddy.url, PATH, name).body == body, "http answers as well"
    for name in [waiting, "nobody.example", "on-demand.example.evil.example"]:
        assert fetch(caddy, name) is None
    assert certificates(caddy) == {host, alias}

    waymark.publish(waiting)
    assert eventually(lambda: fetch(caddy, waiting), 60, what="https once it is published")[0] == 200


def test_the_edge_answers_caddys_request_without_api_and_database(external, in_front):
    waymark, cluster = external
    host = waymark.new_domain(draft("/alone"), host="www.waymark-tests.com")
    waymark.cli("domain", "verify", host, "--organization", waymark.organization)
    waymark.publish(host)
    waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"])
    cluster.stop()
    waymark.kill9()
    url = f"{waymark.edge_metrics_url}/internal/served"
    assert httpx.get(url, params={"domain": host}).status_code == 200
    assert httpx.get(url, params={"domain": "nobody.example"}).status_code == 404
    assert httpx.get(url, params={"domain": "a b"}).status_code == 400
    caddy = in_front(waymark)
    assert eventually(lambda: fetch(caddy, host), 60, what="https")[0] == 200
