"""`waymark serve --role directory` beside the shared service."""

import subprocess

from installation import EXECUTABLE


class Keeper:
    """A directory keeper with the service's own settings, which lays files out in `root`."""

    def __init__(self, waymark, name="directory"):
        self.root = waymark.directory / name
        self.log = waymark.directory / f"{name}.log"
        self.waymark = waymark
        self.start()

    def start(self):
        environment = self.waymark.environment | {
            "WAYMARK_DIRECTORY_ROOT": str(self.root),
            "WAYMARK_SNAPSHOT_URL": self.waymark.url,
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [EXECUTABLE, "serve", "--role", "directory"],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def end(self):
        """Ends it as an init system would."""
        self.process.terminate()
        assert self.process.wait(15) == 0, self.log.read_text()[-2000:]
