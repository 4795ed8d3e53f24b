"""Ten thousand clients keep their connections open, and more clients connect than a process may have descriptors."""

import resource
import time
from contextlib import ExitStack

import httpx

from installation import EXECUTABLE, eventually
from many_clients import (
    KeptConnections,
    SlowClients,
    allow_many_files,
    open_files,
    ports_connected_to,
    resident_bytes,
)
from publications import PATH
from samples import draft

MEGABYTE = 1024 * 1024


def live_host(waymark):
    host = waymark.new_domain(draft("/kept"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    [edge] = [process for process, line in waymark.processes().items() if "--role edge" in line]
    return host, body, edge


def start_with_files(waymark, soft, hard):
    """Starts the service under a shell or service manager that allows this many open files."""
    waymark.stop()
    waymark.program = ["prlimit", f"--nofile={soft}:{hard}", EXECUTABLE]
    waymark.start()


def test_every_kept_connection_gets_an_answer_to_each_request(fresh_waymark, size, figure):
    waymark, count, rounds = fresh_waymark, size(500, 10_000), size(3, 5)
    assert allow_many_files() > count
    waymark.restart({"WAYMARK_EDGE_CONNECTIONS": str(count + 100)})
    host, _, edge = live_host(waymark)
    request = f"GET {PATH} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    with KeptConnections(waymark.edge_url, count, request) as clients:
        seconds = 0
        for _ in range(rounds):
            statuses, taken = clients.ask()
            assert statuses == {"200": count}
            seconds += taken
        assert len(ports_connected_to(waymark.edge_url)) == count, "a connection was not kept"
        resident = resident_bytes(edge)
    assert resident <= 400 * MEGABYTE
    answers = f"{count * rounds} answers 200 in {seconds:.1f} s"
    figure(f"{count} connections kept, each asked {rounds} times", answers, "100 % 200")
    figure(f"the edge's memory with {count} connections", f"{resident / MEGABYTE:.0f} MiB", "≤ 400 MB")


def test_the_service_uses_the_systems_hard_limit_of_open_files(fresh_waymark):
    """The service raises the soft limit, often 1,024, to the hard limit, and stays within the hard limit."""
    waymark = fresh_waymark
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    start_with_files(waymark, 700, hard)
    _, _, edge = live_host(waymark)
    for process in [waymark.process.pid, edge]:
        assert resource.prlimit(process, resource.RLIMIT_NOFILE) == (hard, hard)


def test_the_process_keeps_descriptors_for_itself_if_clients_use_up_the_rest(fresh_waymark, figure):
    """On a system that allows few files, the process keeps some for itself, and clients get the rest. The edge refuses
    further clients; at the API they wait. Open connections are served, and nothing in the process fails."""
    waymark, allowed = fresh_waymark, 600
    start_with_files(waymark, allowed, allowed)
    host, _, edge = live_host(waymark)
    processes = {waymark.url: waymark.process.pid, waymark.edge_url: edge}
    token = {"Authorization": f"Bearer {waymark.token()}"}
    ask = {waymark.url: ("/v1/teams", token), waymark.edge_url: (PATH, {"Host": host})}
    for url, process in processes.items():
        path, headers = ask[url]
        with httpx.Client(base_url=url, headers=headers, timeout=30) as kept, ExitStack() as stack:
            assert kept.get(path).status_code == 200
            clients = stack.enter_context(SlowClients(url, allowed + 200, b"GET / HTTP/1.1\r\nHost: a\r\nX: ", b"x"))
            clients.connected()
            eventually(lambda: open_files(process) > allowed // 2, what="accepted clients")
            highest = 0
            for _ in range(20):
                time.sleep(0.1)
                highest = max(highest, open_files(process))
                assert kept.get(path).status_code == 200
            assert allowed // 2 < highest < allowed, f"{highest} open files"
        eventually(lambda: httpx.get(url + path, headers=headers, timeout=2).status_code == 200, 60, what="an answer")
        where = "edge" if process == edge else "API"
        what = f"{allowed + 200} clients, {allowed} files allowed, {where}"
        figure(what, f"{highest} open, continued to serve", "continues to serve")
    waymark.put_draft(host, draft("/after"))
    waymark.publish(host)
    assert "Too many open files" not in waymark.log() and "descriptor" not in waymark.log()
