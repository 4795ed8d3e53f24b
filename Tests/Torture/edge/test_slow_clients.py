"""Very slow clients are disconnected within 30 seconds, and do not affect other clients."""

import time
from contextlib import ExitStack

from installation import eventually
from load import Load
from many_clients import SlowClients, allow_many_files, open_files, ports_connected_to
from publications import PATH, edge_load
from samples import draft

SECONDS = 30
# All connections are checked twice a second.
LOOK = 0.5


def kinds(path, host):
    """The bytes that slow clients send immediately, those that they send one by one, and whether they read."""
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\n".encode()
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    get = f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
    return {
        "slow headers": dict(begin=b"GET / HTTP/1.1\r\nHost: a\r\nX: ", drip=b"x"),
        "bodies of 1 B/s": dict(begin=head + b"Content-Length: 1000\r\n\r\n", drip=b" "),
        "chunk extensions of 1 B/s": dict(begin=chunked + b"1;a", drip=b"x"),
        "trailers of 1 B/s": dict(begin=chunked + b"0\r\nX: ", drip=b"x"),
        "stalled bodies": dict(begin=chunked + b"5\r\n"),
        # Answers of megabytes, which do not fit into any buffer on the way.
        "slow readers": dict(begin=get * 40, reads=True),
    }


def wait_for_all(urls, slow, maximum):
    """Waits until every slow client is disconnected, within this many seconds. Returns the longest connection time of
    each kind."""
    connected = {name: clients.connected() for name, clients in slow.items()}
    longest = dict.fromkeys(connected, 0.0)
    while any(connected.values()):
        time.sleep(LOOK)
        now = time.monotonic()
        alive = {url: ports_connected_to(url) for url in urls}
        for (url, kind), clients in connected.items():
            for port in [port for port in clients if port not in alive[url]]:
                longest[url, kind] = max(longest[url, kind], now - clients.pop(port))
            for port, since in clients.items():
                assert now - since <= maximum, f"{kind} at {url}: {len(clients)} after {now - since:.1f} s"
    return longest


def latencies(load):
    seconds = sorted(seen.seconds for seen in load.seen)
    return f"p50 {seconds[len(seconds) // 2] * 1e3:.0f} ms, p99 {seconds[len(seconds) * 99 // 100] * 1e3:.0f} ms"


def test_slow_clients_are_disconnected_and_good_clients_are_not_affected(fresh_waymark, size, limit, figure):
    waymark, count = fresh_waymark, size(100, 2_000)
    allow_many_files()
    # Large because of a few long rules: on a busy machine, the gate would need too long for thousands of rules.
    host = waymark.new_domain(draft(*(f"/{number}/" + "x" * 1_000 for number in range(110))))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    assert len(body) > 100_000
    [edge] = [process for process, line in waymark.processes().items() if "--role edge" in line]
    before = {process: open_files(process) for process in [waymark.process.pid, edge]}
    ports = {waymark.url: kinds("/v1/lint", "a"), waymark.edge_url: kinds(PATH, host)}
    ports[waymark.url]["slow readers"]["begin"] = b"GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 40
    timeout = limit(10)
    live, pages = (Load(waymark.url + path, timeout=timeout) for path in ("/livez", "/sign-in"))
    with edge_load(waymark, host, timeout=timeout) as files, live, pages:
        names = list(ports[waymark.url])
        longest = {}
        for wave in size([names], [[name] for name in names]):
            with ExitStack() as stack:
                slow = {
                    (url, kind): stack.enter_context(SlowClients(url, count, **behaviours[kind]))
                    for url, behaviours in ports.items()
                    for kind in wave
                }
                longest |= wait_for_all(ports, slow, limit(SECONDS + LOOK))
    assert {(seen.status, seen.body) for seen in files.seen} == {(200, body)} and files.failures == []
    for load in (live, pages):
        assert {seen.status for seen in load.seen} == {200} and load.failures == []
    for process, number in before.items():
        eventually(lambda: open_files(process) <= number + 20, 30, what="as few open files as before")
    for (url, kind), seconds in longest.items():
        where = "edge" if url == waymark.edge_url else "API"
        figure(f"{count} {kind}, {where}", f"all ended after {seconds:.1f} s", f"≤ {SECONDS} s")
    for name, load in {"files": files, "pages": pages}.items():
        figure(f"good requests for {name} meanwhile", f"{len(load.seen)}, all 200, {latencies(load)}", "all 200")


