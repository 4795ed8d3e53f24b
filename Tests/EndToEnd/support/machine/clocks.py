"""Sets a wrong clock for a PostgreSQL cluster (with libfaketime) or for a single process."""

import os
import subprocess
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from installation import ready_cluster
from postgres import Cluster


def _library():
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))
    assert found, "there is no libfaketime: install Debian's package faketime"
    return str(found[0])


def keep_clear_of(*times, seconds=120):
    """Waits if one of the given times of day (zone, hour, minute) is less than `seconds` away, until it has passed. If
    such a time passed during a test of days or schedules, it could change the result."""
    for zone, hour, minute in times:
        now = datetime.now(ZoneInfo(zone))
        ahead = now.replace(hour=hour, minute=minute, second=0, microsecond=0) - now
        if ahead < timedelta():
            ahead += timedelta(days=1)
        if ahead <= timedelta(seconds=seconds):
            time.sleep(ahead.total_seconds() + 2)


def off_by(seconds, folder):
    """Environment variables that make a process's clock wrong by `seconds`. They preload a library, which is built in
    `folder` if necessary."""
    library = Path(folder) / "wrong_clock.so"
    if not library.exists():
        source = Path(__file__).with_name("wrong_clock.c")
        subprocess.run(["clang", "-shared", "-fPIC", "-o", library, source], check=True)
    return {"LD_PRELOAD": str(library), "WRONG_CLOCK": str(seconds)}


class MovedClock:
    """A cluster with its own clock. The clock runs normally, and a test can set it."""

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
            },
            like=ready_cluster(),
        )

    def move_by(self, seconds):
        """Sets the clock to the real time plus `seconds`, which may be negative."""
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
