"""Runs Debian's Caddy with a configuration from deploy/caddy. Only addresses, ports and folders are changed."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from installation import REPOSITORY, eventually, free_port
from raw_http import connect


class Caddy:
    """A running Caddy. `replaced` maps texts in the configuration to values that an operator would set. `https` is a
    host for which Caddy terminates TLS."""

    def __init__(self, configuration, replaced, https=None):
        self.folder = Path(tempfile.mkdtemp(prefix="wm-caddy-", dir="/tmp"))
        self.folder.chmod(0o755)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        text = (REPOSITORY / "deploy/caddy" / configuration).read_text()
        # Do not use the default ports (80, 443, administration API), because other tests may run at the same time.
        self.https_port = free_port()
        hosts, tls = (f", https://{https}", "\n\ttls internal") if https else ("", "")
        options = f"admin off\n\tskip_install_trust\n\thttp_port {port}\n\thttps_port {self.https_port}\n\t"
        own = {
            "\tauto_https": f"\t{options}auto_https",
            "\n:80 {": f"\n:{port}{hosts} {{\n\tbind 127.0.0.1{tls}",
        }
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
