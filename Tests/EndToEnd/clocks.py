"""Clocks that are not right: that of a PostgreSQL cluster, moved by libfaketime, and those of processes."""

import os
import subprocess
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from postgres import Cluster


def _library():
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    assert found, "there is no libfaketime: install Debian's package faketime"
    return str(found[0])


def off_by(seconds, folder):
    """The environment of a process whose time of day is wrong by so many seconds; `folder` takes what it preloads."""
    library = Path(folder) / "wrong_clock.so"
    if not library.exists():
        source = Path(__file__).with_name("wrong_clock.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library), "WRONG_CLOCK": str(seconds)}


class MovedClock:
    """The clock of a cluster: it goes on by itself, and wherever the test moves it."""

    def __init__(self):
        self.directory = Path(tempfile.mkdtemp(prefix="wm-clock-", dir="/tmp"))
        self.directory.chmod(0o755)
        self.file = self.directory / "offset"
        self.move_by(0)
        self.cluster = Cluster(
            {
                "LD_PRELOAD": _library(),
                "FAKETIME_TIMESTAMP_FILE": str(self.file),
                "FAKETIME_NO_CACHE": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            }
        )

    def move_by(self, seconds):
        """Puts the clock so many seconds before or after the real one."""
        new = self.directory / "new"
        new.write_text(f"{seconds:+.3f}\n")
        new.chmod(0o644)
        os.replace(new, self.file)
        self.offset = seconds

    def move_to(self, moment):
        self.move_by((moment - datetime.now(UTC)).total_seconds())

    def now(self):
        return datetime.now(UTC) + timedelta(seconds=self.offset)

    def remove(self):
        self.cluster.remove()
        self.file.unlink()
        self.directory.rmdir()
