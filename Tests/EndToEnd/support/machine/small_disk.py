"""Small disks that a test can fill. Only this process and its children can see them."""

from contextlib import contextmanager

from own_mounts import mounted


class SmallDisk:
    def __init__(self, folder):
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self, left=0):
        """Fills the disk, except for `left` bytes."""
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
    """Mounts a file system in memory at a folder, which is created if missing. `megabytes` is its size in MiB."""
    folder.mkdir(parents=True, exist_ok=True)
    options = f"size={megabytes}m,mode=755" + (f",uid={owner.pw_uid},gid={owner.pw_gid}" if owner else "")
    with mounted(folder, "-t", "tmpfs", "-o", options, "waymark-test"):
        yield SmallDisk(folder)
