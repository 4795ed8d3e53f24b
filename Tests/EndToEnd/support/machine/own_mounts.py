"""Mounts that only this process and its children can see."""

import ctypes
import os
import subprocess
from contextlib import contextmanager

import pytest

CLONE_NEWNS = 0x20000
_is_private = False


@contextmanager
def mounted(at, *arguments):
    """Mounts a file system at a folder during a `with` block. Skips the test if the system does not permit this."""
    _be_private()
    subprocess.run(["mount", *arguments, at], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", at], check=True)


def _be_private():
    global _is_private
    if _is_private:
        return
    if os.geteuid() != 0 or ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
        pytest.skip("private mounts require root and CAP_SYS_ADMIN")
    made = subprocess.run(["mount", "--make-rprivate", "/"], capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip(f"private mounts are not permitted here: {made.stderr.strip()}")
    _is_private = True
