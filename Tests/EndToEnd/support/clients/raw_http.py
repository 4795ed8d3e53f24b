"""Sends any bytes as a request, including those that a correct client would not send."""

import socket
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass
class Answer:
    status: int
    fields: list
    body: bytes

    def all(self, name):
        return [value for key, value in self.fields if key == name.lower()]

    def __getitem__(self, name):
        [value] = self.all(name)
        return value


def connect(url, timeout=10):
    address = urlsplit(url)
    return socket.create_connection((address.hostname, address.port), timeout)


def exchange(url, request, has_body=True, timeout=10):
    """Sends bytes and reads one response. For a response to HEAD, set `has_body` to false."""
    with connect(url, timeout) as connection:
        try:
            connection.sendall(request)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return read(connection, has_body)


def read(connection, has_body=True):
    """Reads one response. Its length comes from `Content-Length`, its chunks, or the end of the connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(connection, data)
    head, _, rest = data.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    answer = Answer(int(status.split()[1]), fields, b"")
    if not has_body or answer.status in (204, 304) or answer.status < 200:
        answer.body = rest
    elif "chunked" in "".join(answer.all("transfer-encoding")):
        answer.body = _chunks(connection, rest)
    elif not answer.all("content-length"):
        while chunk := connection.recv(65_536):
            rest += chunk
        answer.body = rest
    else:
        length = int(answer["content-length"])
        while len(rest) < length:
            rest += _more(connection, rest)
        answer.body = rest
    return answer


def get(url, path, host, method="GET", *fields):
    """Sends a request with exactly one Host field, and closes the connection after the response."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *fields, "Connection: close", "", ""]
    return exchange(url, "\r\n".join(lines).encode("latin-1"), has_body=method != "HEAD")


def _more(connection, data):
    chunk = connection.recv(65_536)
    if not chunk:
        raise ConnectionError(f"the connection ended after {data[-200:]!r}")
    return chunk


def _chunks(connection, rest):
    body = b""
    while True:
        while b"\r\n" not in rest:
            rest += _more(connection, rest)
        size, _, rest = rest.partition(b"\r\n")
        size = int(size.split(b";")[0], 16)
        while len(rest) < size + 2:
            rest += _more(connection, rest)
        if size == 0:
            return body
        body += rest[:size]
        rest = rest[size + 2 :]
