"""Runs one role of Waymark in its own process: `waymark serve --role …`."""

import os
import signal
import subprocess
from pathlib import Path

import httpx

from installation import EXECUTABLE, eventually, free_port


def addresses(*names):
    """Settings with these names, each with a free address."""
    return {f"WAYMARK_{name}": f"127.0.0.1:{free_port()}" for name in names}


def processor_seconds(process):
    """The processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


class Process:
    """A process with one role. It has the settings of an installation and additional ones. `start` starts it.

    `under` is a command that runs the process, such as a tracer.
    """

    def __init__(self, waymark, role, name, environment, executable=EXECUTABLE, under=()):
        self.role, self.name = role, name
        self.command = [*under, executable, "serve", "--role", role]
        self.log = waymark.directory / f"{name}.log"
        self.environment = waymark.environment | environment
        self.process = None

    def start(self, fault=""):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                env=self.environment | {"WAYMARK_FAULT": fault},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
        return self

    def url_of(self, name):
        return f"http://{self.environment[f'WAYMARK_{name}']}"

    def wait_for(self, url, seconds=60, pause=0.05):
        """Waits until a URL of the process returns 200."""

        def answers():
            assert self.process.poll() is None, f"{self.name} ended:\n{self.said()[-2000:]}"
            return httpx.get(url).status_code == 200

        eventually(answers, seconds, pause, f"a 200 of {self.name}")

    def wait_for_signals(self, seconds=60):
        """Waits until the process handles signals. A role without a listener is then ready."""

        def heeds():
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            masks = [int(line.split()[1], 16) for line in status.splitlines() if line.startswith(("SigIgn", "SigCgt"))]
            return any(mask >> (signal.SIGTERM - 1) & 1 for mask in masks)

        eventually(heeds, seconds, what=f"a running {self.name}")

    def processor_seconds(self):
        return processor_seconds(self.process.pid)

    def said(self):
        return self.log.read_text()

    def kill9(self):
        """Kills the process, without a clean stop."""
        self.process.kill()
        self.process.wait()

    def end(self):
        """Stops the process with SIGTERM, as an init system does."""
        self.process.terminate()
        assert self.process.wait(60) == 0, self.said()[-2000:]
