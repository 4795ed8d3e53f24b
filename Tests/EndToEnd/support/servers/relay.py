"""A TCP relay that records which side ends a connection first."""

import socket
import threading
from collections import Counter


class Relay:
    """Forwards connections to an address. `open` is the number of open connections. `ended_by` counts the closed ones
    by the side that ended first."""

    def __init__(self, target):
        self._target = target.rsplit(":", 1)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._lock = threading.Lock()
        self.open = 0
        self.ended_by = Counter()

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Without the shutdown, the accepting thread would wait indefinitely.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection((self._target[0], int(self._target[1])))
            with self._lock:
                self.open += 1
            ended = []
            for name, source, target in (("client", client, server), ("server", server, client)):
                threading.Thread(target=self._pass_on, args=(name, source, target, ended), daemon=True).start()

    def _pass_on(self, name, source, target, ended):
        try:
            while data := source.recv(65_536):
                target.sendall(data)
        except OSError:
            pass
        with self._lock:
            ended.append(name)
            if len(ended) == 1:
                self.ended_by[name] += 1
            else:
                self.open -= 1
                source.close()
                target.close()
                return
        try:
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass
