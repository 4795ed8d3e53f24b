"""Processes that follow the snapshot beside a service: `waymark serve --role edge` and `--role directory`."""

import os
import shutil

from processes import Process, addresses


class Consumer(Process):
    """One elsewhere, as on another machine, has a state of its own and copies of two files."""

    def __init__(self, waymark, role, name, elsewhere, environment):
        super().__init__(waymark, role, name, {"WAYMARK_SNAPSHOT_URL": waymark.url} | environment)
        self.waymark = waymark
        self.state = waymark.state
        if elsewhere:
            self.state = waymark.directory / f"{name}-state"
            self.state.mkdir()
            self.environment["WAYMARK_STATE_DIRECTORY"] = str(self.state)
            self.copy("signing-key.pub", "consumer-secret")
        self.start()

    def copy(self, *names):
        """Copies files from where the API runs."""
        for name in names:
            copied = self.state / f"{name}.copied"
            shutil.copy2(self.waymark.state / name, copied)
            os.replace(copied, self.state / name)

    def manifest(self):
        """The lines of what it holds."""
        return (self.folder / "manifest").read_text().splitlines()


class Keeper(Consumer):
    """A keeper, which lays files out in `root`."""

    def __init__(self, waymark, name="directory", elsewhere=False):
        self.root = self.folder = waymark.directory / name
        super().__init__(waymark, "directory", name, elsewhere, {"WAYMARK_DIRECTORY_ROOT": str(self.root)})

    def sha256(self, host):
        """The digest of the file that lies there for a host."""
        return (self.root / "hosts" / host).resolve().stem


class Edge(Consumer):
    """An edge on another machine."""

    def __init__(self, waymark, name="edge-elsewhere"):
        super().__init__(waymark, "edge", name, True, addresses("EDGE_ADDRESS", "EDGE_METRICS_ADDRESS"))
        self.url, self.metrics_url = self.url_of("EDGE_ADDRESS"), self.url_of("EDGE_METRICS_ADDRESS")
        self.folder = self.state / "edge"
