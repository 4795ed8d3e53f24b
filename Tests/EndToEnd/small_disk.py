"""Disks that fill up: folders of a few megabytes that only this process and those that it starts can see."""

import ctypes
import os
import subprocess
from contextlib import contextmanager

import pytest

CLONE_NEWNS = 0x20000
_is_private = False


def _own_mounts():
    """Gives this process mounts of its own; skips the test where the system does not permit it."""
    global _is_private
    if _is_private:
        return
    if os.geteuid() != 0 or ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        pytest.skip("mounting a small disk takes root and CAP_SYS_ADMIN")
    made = subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip(f"a mount of one's own is not permitted here: {made.stderr.strip()}")
    _is_private = True


class SmallDisk:
    def __init__(self, folder):
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self, left=0):
        """Takes all the room there is, but for so many bytes."""
        with self._filler.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(65_536)) == 65_536:
                    pass
            except OSError:
                pass
            if left:
                file.truncate(max(0, file.tell() - left))

    def make_room(self):
        self._filler.unlink()


@contextmanager
def small_disk(folder, megabytes, owner=None):
    """A file system of so many MiB in memory at a folder, which may not exist yet."""
    _own_mounts()
    folder.mkdir(parents=True, exist_ok=True)
    options = f"size={megabytes}m,mode=755" + (f",uid={owner.pw_uid},gid={owner.pw_gid}" if owner else "")
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "waymark-test", folder], check=True)
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
