"""Runs Debian's nginx with a configuration from deploy/nginx. Only addresses and folders are changed."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from installation import REPOSITORY, eventually, free_port

MAIN = """
{user}
worker_processes 2;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


class Nginx:
    """A running nginx. `replaced` maps texts in the configuration to values that an operator would set. `address` is
    the address on which nginx listens."""

    def __init__(self, configuration, replaced, address=None):
        self.folder = Path(tempfile.mkdtemp(prefix="wm-nginx-", dir="/tmp"))
        self.folder.chmod(0o755)
        address = address or f"127.0.0.1:{free_port()}"
        self.url = f"http://{address}"
        text = (REPOSITORY / "deploy/nginx" / configuration).read_text()
        for old, new in {"listen 80 ": f"listen {address} ", **replaced}.items():
            assert old in text, f"{configuration} has no {old!r}"
            text = text.replace(old, new)
        (self.folder / "site.conf").write_text(text)
        user = "user www-data;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(MAIN.format(user=user, folder=self.folder))
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "nginx is not installed (apt-get install nginx-light)"
        arguments = [program, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", self.folder / "error.log"]
        subprocess.run([*arguments, "-t"], check=True, capture_output=True)
        self.process = subprocess.Popen([*arguments, "-g", "daemon off;"], stdin=subprocess.DEVNULL)
        eventually(lambda: (self.folder / "pid").exists() and (self.folder / "pid").read_text().strip(), what="nginx")

    def errors(self):
        return (self.folder / "error.log").read_text()

    def remove(self):
        self.process.terminate()
        self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)
