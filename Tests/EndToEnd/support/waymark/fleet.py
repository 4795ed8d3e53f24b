"""A Waymark with separate processes, as in docs/operations/deployment.md. There are two APIs and two edges."""

from contextlib import contextmanager

import httpx

from consumers import DirectoryWriter, Edge
from installation import Installation, eventually, ready_cluster
from nginx import Nginx
from postgres import Cluster
from processes import Process, addresses
from publications import PATH, digest


class Fleet(Installation):
    """A worker, two APIs, two edges, a directory writer, and nginx in front of the APIs, the edges and the directory.

    `url`, `edge_url` and `directory_url` are addresses of nginx. The consumers also reach the APIs through nginx.
    """

    def __init__(self, cluster):
        super().__init__(cluster.settings())
        self.parts, self.nginxes = [], []
        try:
            self._start()
        except BaseException:
            self.remove()
            raise

    def _start(self):
        self.worker = self._part(Process(self, "worker", "worker", addresses("METRICS_ADDRESS")).start())
        self.apis = []
        for name in ["api1", "api2"]:
            # Wait for each API, because the first one creates the keys.
            api = self._part(Process(self, "api", name, addresses("ADDRESS", "METRICS_ADDRESS")).start())
            self.wait_for(api)
            self.apis.append(api)
        servers = self._servers(self.apis, "ADDRESS")
        self._nginx("api.conf", "ADDRESS", dict(zip(["api:8080", "# server api2:8080"], servers)))
        self.edges = [self._part(Edge(self, name)) for name in ["edge1", "edge2"]]
        servers = self._servers(self.edges, "EDGE_ADDRESS")
        self._nginx("edge.conf", "EDGE_ADDRESS", dict(zip(["edge:8081", "# server edge2:8081"], servers)))
        self.writer = self._part(DirectoryWriter(self, elsewhere=True))
        directory = {"/var/lib/waymark/directory": str(self.writer.root)}
        self.directory_url = self._nginx("waymark.conf", None, directory).url
        for part in self.parts:
            self.wait_for(part)

    def _part(self, part):
        self.parts.append(part)
        return part

    def _servers(self, parts, name):
        """The addresses of two processes, as the servers in an `upstream` of nginx."""
        first, second = (part.environment[f"WAYMARK_{name}"] for part in parts)
        return [first, f"server {second}"]

    def _nginx(self, configuration, name, replaced):
        address = self.environment[f"WAYMARK_{name}"] if name else None
        self.nginxes.append(Nginx(configuration, replaced, address))
        return self.nginxes[-1]

    def wait_for(self, part):
        """Waits until a process is ready."""
        if part.role == "directory":
            return part.wait_for_signals()
        name, path = {
            "api": ("ADDRESS", "/readyz"),
            "edge": ("EDGE_METRICS_ADDRESS", "/readyz"),
            "worker": ("METRICS_ADDRESS", "/metrics"),
        }[part.role]
        part.wait_for(part.url_of(name) + path)

    def from_directory(self, host):
        """The response for a host from the nginx that serves the writer's folder."""
        return httpx.get(self.directory_url + PATH, headers={"Host": host})

    def everywhere(self, host):
        """Waits until all consumers serve the live file of a host. Returns the file's activation."""
        live = self.api("GET", f"/v1/domains/{host}").json()["live"]
        asked = [lambda edge=edge: httpx.get(edge.url + PATH, headers={"Host": host}) for edge in self.edges]
        for ask in [*asked, lambda: self.from_directory(host)]:
            eventually(lambda: digest(ask().content) == live["sha256"], 60, what=f"the last version of {host}")
        return live["activation"]

    def remove(self):
        for nginx in self.nginxes:
            nginx.remove()
        for part in self.parts:
            if part.process.poll() is None:
                part.kill9()
        super().remove()


@contextmanager
def fleet_on_cluster():
    """Starts a fleet with its own PostgreSQL cluster. Yields both."""
    cluster = Cluster(like=ready_cluster())
    try:
        fleet = Fleet(cluster)
        try:
            yield fleet, cluster
        finally:
            fleet.remove()
    finally:
        cluster.remove()
