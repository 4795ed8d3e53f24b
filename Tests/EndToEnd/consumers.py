"""Processes that follow the snapshot beside a service: `waymark serve --role edge` and `--role directory`."""

import os
import shutil
import subprocess

from installation import EXECUTABLE, free_port


class Consumer:
    """A process of a role. One elsewhere, as on another machine, has a state of its own and copies of two files.

    `under` is a command that runs it, as a tracer does.
    """

    def __init__(self, waymark, role, name, elsewhere, environment, under=()):
        self.waymark = waymark
        self.under = under
        self.role = role
        self.log = waymark.directory / f"{name}.log"
        self.environment = waymark.environment | {"WAYMARK_SNAPSHOT_URL": waymark.url} | environment
        self.state = waymark.state
        if elsewhere:
            self.state = waymark.directory / f"{name}-state"
            self.state.mkdir()
            self.environment["WAYMARK_STATE_DIRECTORY"] = str(self.state)
            self.copy("signing-key.pub", "consumer-secret")
        self.start()

    def start(self):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.under, EXECUTABLE, "serve", "--role", self.role],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def copy(self, *names):
        """Copies files from where the API runs."""
        for name in names:
            copied = self.state / f"{name}.copied"
            shutil.copy2(self.waymark.state / name, copied)
            os.replace(copied, self.state / name)

    def said(self):
        return self.log.read_text()

    def manifest(self):
        """The lines of what it holds."""
        return (self.folder / "manifest").read_text().splitlines()

    def end(self):
        """Ends it as an init system would."""
        self.process.terminate()
        assert self.process.wait(20) == 0, self.said()[-2000:]


class Keeper(Consumer):
    """A keeper, which lays files out in `root`."""

    def __init__(self, waymark, name="directory", elsewhere=False, under=()):
        self.root = self.folder = waymark.directory / name
        super().__init__(waymark, "directory", name, elsewhere, {"WAYMARK_DIRECTORY_ROOT": str(self.root)}, under)

    def sha256(self, host):
        """The digest of the file that lies there for a host."""
        return (self.root / "hosts" / host).resolve().stem


class Edge(Consumer):
    """An edge on another machine."""

    def __init__(self, waymark, name="edge-elsewhere", under=()):
        addresses = [f"127.0.0.1:{free_port()}" for _ in range(2)]
        self.url, self.metrics_url = (f"http://{address}" for address in addresses)
        names = ["WAYMARK_EDGE_ADDRESS", "WAYMARK_EDGE_METRICS_ADDRESS"]
        super().__init__(waymark, "edge", name, True, dict(zip(names, addresses)), under)
        self.folder = self.state / "edge"
