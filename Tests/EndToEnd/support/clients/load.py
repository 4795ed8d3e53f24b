"""Sends requests in the background, and records each response."""

import http.client
import threading
import time
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit


@dataclass
class Seen:
    at: float
    seconds: float
    status: int
    body: bytes
    headers: dict = field(default_factory=dict)


class Failure(NamedTuple):
    at: float
    ended: float
    error: str


class Meanwhile:
    """Calls `_once` repeatedly in its own thread while a `with` block runs."""

    def __init__(self, pause=0.0):
        self._pause = pause
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()

    def _run(self):
        while not self._over.is_set():
            self._once()
            time.sleep(self._pause)


class Load(Meanwhile):
    """Requests a URL repeatedly, each time with a new connection. `seen` and `failures` contain the results."""

    def __init__(self, url, headers=None, pause=0.002, timeout=10):
        super().__init__(pause)
        self.seen, self.failures = [], []
        self._address, self._headers, self._timeout = urlsplit(url), headers or {}, timeout

    def since(self, moment):
        return [seen for seen in self.seen if seen.at >= moment]

    def _once(self):
        start = time.monotonic()
        try:
            status, body, headers = self._ask()
            self.seen.append(Seen(start, time.monotonic() - start, status, body, headers))
        except (OSError, http.client.HTTPException) as error:
            self.failures.append(Failure(start, time.monotonic(), repr(error)))

    def _ask(self):
        connection = http.client.HTTPConnection(self._address.netloc, timeout=self._timeout)
        try:
            connection.request("GET", self._address.path, headers=self._headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()
