"""Ten thousand clients that keep their connections, and a process that has no file descriptors left."""

import resource
import time
from contextlib import ExitStack

import httpx

from installation import eventually
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


def processor_seconds(process):
    with open(f"/proc/{process}/stat") as text:
        fields = text.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


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
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    waymark.stop()
    resource.setrlimit(resource.RLIMIT_NOFILE, (700, hard))
    try:
        waymark.start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    _, _, edge = live_host(waymark)
    for process in [waymark.process.pid, edge]:
        assert resource.prlimit(process, resource.RLIMIT_NOFILE) == (hard, hard)


def test_without_file_descriptors_a_process_waits_and_goes_on(fresh_waymark, figure):
    """EMFILE at each listener: connections that are there are served, the process neither ends nor spins, and accepts
    again as soon as it can."""
    waymark = fresh_waymark
    host, body, edge = live_host(waymark)
    processes = {waymark.url: waymark.process.pid, waymark.edge_url: edge}
    kept = {waymark.url: httpx.Client(base_url=waymark.url), waymark.edge_url: httpx.Client(base_url=waymark.edge_url)}
    ask = {waymark.url: ("/livez", {}), waymark.edge_url: (PATH, {"Host": host})}
    metrics = {waymark.url: waymark.metrics_url, waymark.edge_url: waymark.edge_metrics_url}
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    for url, process in processes.items():
        path, headers = ask[url]
        assert kept[url].get(path, headers=headers).status_code == 200
        resource.prlimit(process, resource.RLIMIT_NOFILE, (open_files(process) + 1, hard))
        with ExitStack() as stack:
            for where in (url, metrics[url]):
                waiting = stack.enter_context(SlowClients(where, 20, b""))
                waiting.connected()
            time.sleep(0.5)
            before = processor_seconds(process)
            time.sleep(2)
            spent = processor_seconds(process) - before
            assert kept[url].get(path, headers=headers).status_code == 200
            assert spent <= 1, f"{spent} s of processor time in 2 s"
        resource.prlimit(process, resource.RLIMIT_NOFILE, (hard, hard))
        for where, asked in [(url, path), (metrics[url], "/metrics")]:
            eventually(
                lambda: httpx.get(where + asked, headers=headers, timeout=2).status_code == 200, 5, what="an answer"
            )
        where = "edge" if process == edge else "API"
        figure(f"no file descriptors for 2.5 s, {where}", f"served on, {spent:.2f} s of processor time", "served on")
    assert waymark.process.poll() is None
    waymark.put_draft(host, draft("/after"))
    waymark.publish(host)
