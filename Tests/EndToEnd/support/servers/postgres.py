"""Runs a PostgreSQL cluster for a test, as an operator would run it for Waymark."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path


class Cluster:
    """A cluster that listens on a Unix socket and trusts every client. If the tests run as root, it runs as `postgres`.
    It is empty at first, or a copy of the stopped cluster `like`."""

    def __init__(self, environment=None, like=None):
        self.environment = environment or {}
        self.directory = Path(tempfile.mkdtemp(prefix="wm-pg-", dir="/tmp"))
        self.data = self.directory / "data"
        self.binaries = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        # Use the program itself, because Debian's wrapper script is slow and tests run psql often.
        self.psql = self.binaries / "psql"
        self.user = None
        if os.geteuid() == 0:
            self.user = "postgres"
            account = pwd.getpwnam(self.user)
            os.chown(self.directory, account.pw_uid, account.pw_gid)
        self.directory.chmod(0o755)
        if like is None:
            self._initialize()
        else:
            subprocess.run(["cp", "-a", like.data, self.data], check=True)
        self.start()

    def _initialize(self):
        self._run(
            "initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"
        )
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write("listen_addresses = ''\nfsync = off\n")

    def start(self):
        # Set the socket's folder here, because copies of the cluster have the same settings file.
        self._run(
            "pg_ctl", "-D", self.data, "-l", self.directory / "log", "-o", f"-k {self.directory}", "-w", "start"
        )

    def stop(self, mode="immediate"):
        self._run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    def url(self, role, database="waymark"):
        return f"postgresql:///{database}?host={self.directory}&user={role}"

    def settings(self):
        """Waymark's settings for this cluster."""
        return {
            "WAYMARK_DATABASE_URL": self.url("waymark_runtime"),
            "WAYMARK_OWNER_DATABASE_URL": self.url("waymark_owner"),
        }

    def sql(self, statement, role="postgres", database="waymark"):
        result = subprocess.run(
            [self.psql, "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, self.url(role, database)],
            capture_output=True,
            text=True,
            check=True,
        )
        return result.stdout.strip()

    def signal_all(self, number):
        """Sends a signal to the postmaster and all its child processes."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for process in [postmaster, *map(int, children)]:
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def remove(self):
        if (self.data / "postmaster.pid").exists():
            self.signal_all(signal.SIGCONT)
            self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _run(self, program, *arguments):
        # Write the output to a file. The server that pg_ctl starts would keep a pipe open.
        with (self.directory / f"{program}.out").open("w+") as output:
            result = subprocess.run(
                [self.binaries / program, *arguments],
                user=self.user,
                cwd="/",
                env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
            output.seek(0)
            assert result.returncode == 0, f"{program} gave {result.returncode}: {output.read()}"


class Session:
    """One connection to a cluster. Tests with many queries use it, because a new connection for each is slow."""

    def __init__(self, cluster, role="postgres", database="waymark"):
        self.process = subprocess.Popen(
            [cluster.psql, "-X", "-A", "-t", "-q", "-F", "\t", "-v", "ON_ERROR_STOP=1", cluster.url(role, database)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def ask(self, statement):
        """Runs a statement, and returns its rows as lists of texts."""
        self.process.stdin.write(f"{statement};\n\\echo --end--\n")
        self.process.stdin.flush()
        rows = []
        while (line := self.process.stdout.readline()) != "--end--\n":
            assert line, f"psql ended at: {statement}"
            rows.append(line.rstrip("\n").split("\t"))
        return rows

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()
