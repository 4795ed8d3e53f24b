"""Thousands of clients in a separate process, so that they do not slow down the measuring process."""

import multiprocessing
import resource
import selectors
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

ESTABLISHED, CLOSE_WAIT = "01", "08"


def allow_many_files():
    """Raises the limit of open files to the hard limit, for this process and its children. Returns the limit."""
    maximum = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))
    return maximum


def address(url):
    parts = urlsplit(url)
    return parts.hostname, parts.port


def ports_connected_to(url):
    """The ports of clients whose connections to a server are open on the server's side, from the kernel's table."""
    suffix = f":{address(url)[1]:04X}"
    ports = set()
    with open("/proc/net/tcp") as table:
        next(table)
        for line in table:
            _, local, remote, state = line.split(maxsplit=4)[:4]
            if local.endswith(suffix) and state in (ESTABLISHED, CLOSE_WAIT):
                ports.add(int(remote[-4:], 16))
    return ports


def open_files(process):
    return sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())


def resident_bytes(process):
    [line] = [line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) * 1024


class SlowClients:
    """`count` connections that send `begin`, and then one byte of `drip` per second. If `reads` is true, they also read
    one byte per second. `connected` returns the local port of each connection and the time when it was opened. The
    clients' receive buffer is as small as possible, so that unread bytes stay at the server.
    """

    def __init__(self, url, count, begin, drip=b"", reads=False):
        context = multiprocessing.get_context("fork")
        self._told, telling = context.Pipe(duplex=False)
        arguments = (telling, address(url), count, begin, drip, reads)
        self._process = context.Process(target=_run_slowly, args=arguments, daemon=True)
        self._process.start()

    def connected(self, seconds=60):
        assert self._told.poll(seconds), "the slow clients did not get their connections"
        return self._told.recv()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.join()


def _run_slowly(telling, where, count, begin, drip, reads):
    allow_many_files()
    clients, connected = [], {}
    for _ in range(count):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.settimeout(30)
        client.connect(where)
        connected[client.getsockname()[1]] = time.monotonic()
        client.setblocking(False)
        try:
            client.send(begin)
        except OSError:
            pass
        clients.append(client)
    telling.send(connected)
    place = 0
    while True:
        started = time.monotonic()
        for client in clients:
            try:
                if drip:
                    client.send(drip[place : place + 1])
                if reads:
                    client.recv(1)
            except OSError:
                pass
        place = (place + 1) % max(1, len(drip))
        time.sleep(max(0, 1 - (time.monotonic() - started)))


class KeptConnections:
    """`count` connections that stay open. `ask` sends a request on each of them."""

    def __init__(self, url, count, request):
        context = multiprocessing.get_context("fork")
        self._pipe, other = context.Pipe()
        arguments = (other, address(url), count, request)
        self._process = context.Process(target=_run_kept, args=arguments, daemon=True)
        self._process.start()

    def ask(self, seconds=120):
        """Sends a request on each connection, 200 at a time. Returns the number of responses with each status, and the
        time in seconds."""
        self._pipe.send("ask")
        assert self._pipe.poll(seconds), "not every connection was answered"
        return self._pipe.recv()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.join()


def _run_kept(pipe, where, count, request):
    allow_many_files()
    clients = []
    while True:
        pipe.recv()
        started = time.monotonic()
        while len(clients) < count:
            client = socket.create_connection(where, 30)
            client.setblocking(False)
            clients.append(client)
        statuses = {}
        for start in range(0, count, 200):
            for status in _ask_at_once(clients[start : start + 200], request):
                statuses[status] = statuses.get(status, 0) + 1
        pipe.send((statuses, time.monotonic() - started))


def _ask_at_once(clients, request):
    """Sends a request on each connection and reads the whole responses. Returns their statuses. An error counts as a
    status."""
    waiting = selectors.DefaultSelector()
    received = {client: b"" for client in clients}
    statuses = []
    for client in clients:
        try:
            client.send(request)
            waiting.register(client, selectors.EVENT_READ)
        except OSError as error:
            statuses.append(repr(error))
    while waiting.get_map():
        ready = waiting.select(20)
        if not ready:
            return statuses + ["no answer"] * len(waiting.get_map())
        for key, _ in ready:
            client = key.fileobj
            try:
                part = client.recv(65_536)
            except OSError as error:
                part = b""
                received[client] = repr(error).encode()
            received[client] += part
            if not part or _is_whole(received[client]):
                waiting.unregister(client)
                statuses.append(received[client][9:12].decode() if part else f"ended: {received[client][:60]!r}")
    return statuses


def _is_whole(answer):
    head, end, body = answer.partition(b"\r\n\r\n")
    if not end:
        return False
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return len(lengths) == 1 and len(body) >= int(lengths[0].split(b":")[1])
