"""An edge whose API is unavailable."""

import os
import signal

import pytest

from consumers import Edge
from installation import eventually
from processes import processor_seconds
from samples import draft


@pytest.mark.destructive
def test_the_edge_serves_while_the_api_is_dead_and_starts_from_its_disk(fresh_waymark):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    waymark.kill9()
    assert waymark.edge(host).content == body
    edges = [pid for pid, command in waymark.processes().items() if command.endswith("serve --role edge")]
    assert len(edges) == 1
    os.kill(edges[0], signal.SIGKILL)
    eventually(lambda: edges[0] not in waymark.processes(), what="the edge's end")
    alone = waymark.arguments
    waymark.arguments = ("serve", "--role", "edge")
    waymark.start(wait=False)
    assert eventually(lambda: waymark.edge(host), pause=0.02).content == body
    # Processor time, which does not depend on other processes.
    assert processor_seconds(waymark.process.pid) < 3
    waymark.stop()
    waymark.arguments = alone
    waymark.start()
    assert waymark.edge(host).content == body


@pytest.mark.destructive
def test_an_edge_that_dies_is_restarted(fresh_waymark):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    for pid, command in waymark.processes().items():
        if command.endswith("serve --role edge"):
            os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: waymark.edge(host)).content == body
    assert waymark.api("GET", "/readyz").status_code == 200


@pytest.mark.destructive
@pytest.mark.timeout(180)
def test_an_edge_that_hangs_is_restarted(fresh_waymark):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    eventually(lambda: "The edge is up." in waymark.log(), 30, what="the first request to the edge")
    [edge] = [pid for pid, command in waymark.processes().items() if command.endswith("serve --role edge")]
    os.kill(edge, signal.SIGSTOP)
    eventually(lambda: edge not in waymark.processes(), 120, what="the end of the edge that hangs")
    assert eventually(lambda: waymark.edge(host)).content == body
    assert "The edge does not answer." in waymark.log()


def test_a_hanging_edge_is_killed_by_the_edge_that_takes_over(waymark):
    edge = Edge(waymark, "hanging")
    hanging = edge.process
    try:
        edge.wait_for(f"{edge.metrics_url}/livez")
        hanging.send_signal(signal.SIGSTOP)
        edge.start()
        assert hanging.wait(90) == -signal.SIGKILL
        edge.wait_for(f"{edge.metrics_url}/livez")
    finally:
        hanging.kill()
        edge.kill9()
