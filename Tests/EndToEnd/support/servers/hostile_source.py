"""A source of the snapshot that sends the responses that a test defines, and functions to sign manifests."""

import base64
import hashlib
import http.server
import json
import queue
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit


@dataclass
class Says:
    """A response. If `pieces` is given, they are sent one at a time, without a length, instead of `body`."""

    body: bytes = b""
    status: int = 200
    fields: dict = field(default_factory=dict)
    pieces: object = None


class HostileSource(http.server.ThreadingHTTPServer):
    """Responds to each request for the manifest with the next item of `manifests`. If there is none, waits for one as
    long as the request allows. Responds to requests for blobs with a list of the bodies in `blobs`, by digest. If an
    item in `blobs` is more than a body, that item is the whole response. `asked` is the number of requests for the
    manifest. `told` is the number of the last such request that got an item. `others` lists the paths of all other GET
    requests."""

    daemon_threads = True

    def __init__(self):
        self.manifests, self.blobs, self.asked, self.told, self.others = queue.Queue(), {}, 0, 0, []
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """Ignores errors, because clients may close the connection."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != "/internal/blobs":
            return self._say(Says(status=204))
        known = {digest: self.server.blobs[digest] for digest in json.loads(body)["sha256"] if digest in self.server.blobs}
        for says in known.values():
            if says != Says(says.body):
                return self._say(says)
        heads = {digest: f"{digest} {len(says.body)}\n".encode() for digest, says in known.items()}
        self._say(Says(b"".join(heads[digest] + says.body + b"\n" for digest, says in known.items())))

    def do_GET(self):
        if self.path.startswith("/internal/manifest"):
            self.server.asked += 1
            number = self.server.asked
            try:
                says = self.server.manifests.get(timeout=int(parse_qs(urlsplit(self.path).query)["wait"][0]))
            except queue.Empty:
                return self._say(Says(status=304))
            self.server.told = number
            self._say(says)
        else:
            self.server.others.append(self.path)
            self._say(Says(status=404))

    def _say(self, says):
        self.send_response(says.status)
        for name, value in says.fields.items():
            self.send_header(name, value)
        if says.pieces is not None:
            self.close_connection = True
            self.end_headers()
            for piece in says.pieces:
                self.wfile.write(piece)
            return
        if says.status not in (204, 304) and "Content-Length" not in says.fields:
            self.send_header("Content-Length", str(len(says.body)))
        self.end_headers()
        self.wfile.write(says.body)


class Signer:
    """Signs manifests as the API does. The key is given as its seed (32 bytes)."""

    def __init__(self, seed):
        self._folder = Path(tempfile.mkdtemp(prefix="wm-key-", dir="/tmp"))
        # In PKCS #8, an Ed25519 key consists of these bytes and the seed (RFC 8410).
        key = bytes.fromhex("302e020100300506032b657004220420") + seed
        (self._folder / "key").write_bytes(key)
        public = self._openssl("pkey", "-inform", "DER", "-in", self._folder / "key", "-pubout", "-outform", "DER")
        self.id = hashlib.sha256(public[-32:]).hexdigest()[:16]

    @staticmethod
    def of(key_file):
        return Signer(base64.b64decode(Path(key_file).read_text().split()[0]))

    def signed(self, text):
        """The text with a signature line."""
        (self._folder / "text").write_bytes(text)
        arguments = ["pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", self._folder / "key"]
        signature = self._openssl(*arguments, "-in", self._folder / "text")
        return text + f"signature {self.id} {signature.hex()}\n".encode()

    def _openssl(self, *arguments):
        return subprocess.run(["openssl", *arguments], check=True, capture_output=True).stdout


@dataclass
class Live:
    """The values in a host's line of a manifest."""

    activation: int
    version: int
    body: bytes
    sha256: str = None
    size: int = None

    def line(self, host):
        sha256 = self.sha256 or hashlib.sha256(self.body).hexdigest()
        return f"{host} {self.activation} {self.version} {sha256} {self.size or len(self.body)}\n"


def manifest_text(activation, hosts, count=None, emptied="no"):
    """The text of a manifest, without a signature. `hosts` maps each host to its live file."""
    lines = [live.line(host) for host, live in sorted(hosts.items())]
    head = f"waymark-manifest 1\nactivation {activation}\nhosts {len(lines) if count is None else count}\n"
    return f"{head}emptied {emptied}\n{''.join(lines)}".encode()
