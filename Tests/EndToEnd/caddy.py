"""Debian's Caddy with a configuration of deploy/caddy, in a folder of its own: only address and directory differ."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from installation import REPOSITORY, eventually, free_port
from raw_http import connect


class Caddy:
    """A running Caddy; `replaced` gives the operator's values for texts of the configuration."""

    def __init__(self, configuration, replaced):
        self.folder = Path(tempfile.mkdtemp(prefix="wm-caddy-", dir="/tmp"))
        self.folder.chmod(0o755)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        text = (REPOSITORY / "deploy/caddy" / configuration).read_text()
        # The administration's port is one for the whole machine.
        own = {":80 {": f":{port} {{\n\tbind 127.0.0.1", "{\n\t# With names": "{\n\tadmin off\n\t# With names"}
        for old, new in {**own, **replaced}.items():
            assert old in text, f"{configuration} has no {old!r}"
            text = text.replace(old, new)
        (self.folder / "Caddyfile").write_text(text)
        program = shutil.which("caddy")
        assert program, "Caddy is not installed (apt-get install caddy)"
        user = None
        if os.geteuid() == 0:
            user = "www-data"
            account = pwd.getpwnam(user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                [program, "run", "--adapter", "caddyfile", "--config", self.folder / "Caddyfile"],
                cwd=self.folder,
                user=user,
                env={"PATH": os.environ["PATH"], "HOME": str(self.folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        eventually(self._answers, what="Caddy")

    def _answers(self):
        assert self.process.poll() is None, self.log()
        connect(self.url).close()
        return True

    def log(self):
        return (self.folder / "log").read_text()

    def remove(self):
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
