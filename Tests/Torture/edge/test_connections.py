"""Ten thousand clients that keep their connections, and more clients than a process may have descriptors."""

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
    """Starts the service where a shell or a service manager allows it so many open files."""
    waymark.stop()
    waymark.program = ["prlimit", f"--nofile={soft}:{hard}", EXECUTABLE]
    waymark.start()


def test_kept_connections_are_all_answered_each_time(fresh_waymark, size, figure):
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


def test_the_service_allows_itself_as_many_files_as_the_system_lets_it(fresh_waymark):
    """A shell's or a service manager's soft limit of 1,024 is no limit of ours; the hard one is, and it is kept to."""
    waymark = fresh_waymark
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    start_with_files(waymark, 700, hard)
    _, _, edge = live_host(waymark)
    for process in [waymark.process.pid, edge]:
        assert resource.prlimit(process, resource.RLIMIT_NOFILE) == (hard, hard)


def test_more_clients_than_descriptors_leave_the_process_its_own(fresh_waymark, figure):
    """A system that allows few files: clients get what is left beside the process's own needs. Those beyond are turned
    away by the edge and wait for the API; connections that are there are served, and nothing of the process fails."""
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
            eventually(lambda: open_files(process) > allowed // 2, what="clients that are let in")
            most = 0
            for _ in range(20):
                time.sleep(0.1)
                most = max(most, open_files(process))
                assert kept.get(path).status_code == 200
            assert allowed // 2 < most < allowed, f"{most} open files"
        eventually(lambda: httpx.get(url + path, headers=headers, timeout=2).status_code == 200, 60, what="an answer")
        where = "edge" if process == edge else "API"
        figure(f"{allowed + 200} clients, {allowed} files allowed, {where}", f"{most} open, served on", "served on")
    waymark.put_draft(host, draft("/after"))
    waymark.publish(host)
    assert "Too many open files" not in waymark.log() and "descriptor" not in waymark.log()
