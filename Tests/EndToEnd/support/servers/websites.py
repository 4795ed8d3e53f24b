"""Runs other websites: Debian's nginx, Caddy and Apache. Each has a typical configuration, with a snippet pasted into
it unchanged."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from installation import eventually, free_port
from raw_http import connect

PAGE = "<!doctype html><title>Somebody else’s website</title>"
FILES = {
    "index.html": PAGE,
    "apple-app-site-association": '{"not": "ours"}',
    ".well-known/apple-app-site-association": '{"not": "ours"}',
    ".well-known/security.txt": "Contact: mailto:somebody@example.com\n",
    "data.json": '{"a": 1}',
}

NGINX = """
{user}
worker_processes 1;
daemon off;
pid {folder}/pid;
error_log {folder}/log;
events {{ worker_connections 64; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    gzip on;
    gzip_types *;
    gzip_min_length 1;
    gzip_proxied any;
    proxy_set_header Host $host;
    server {{
        listen 127.0.0.1:{site};
        server_name {host};
{snippet}
        root {folder}/site;
        deny 192.0.2.0/24;
        error_page 404 /index.html;
        error_page 500 502 503 504 =302 https://status.elsewhere.example/;
        expires 30d;
        add_header Cache-Control "no-transform" always;
        location / {{ try_files $uri /index.html; }}
        location ^~ /.well-known/ {{ try_files $uri =404; }}
        location ~ association {{ return 403; }}
    }}
    server {{
        listen 127.0.0.1:{redirects[0]};
        server_name {host};
{snippet}
        return 301 https://$host$request_uri;
    }}
    server {{
        listen 127.0.0.1:{redirects[1]};
        server_name {host};
{snippet}
        rewrite ^/(.*)$ https://www.elsewhere.example/$1 permanent;
    }}
}}
"""

# Each port has its own block, because no certificate is used.
CADDY = """
{{
	admin off
	auto_https off
}}
http://:{site} {{
	bind 127.0.0.1
{snippet}
	handle {{
		encode gzip
		root * {folder}/site
		try_files {{path}} /index.html
		file_server
	}}
	handle_errors {{
		redir https://status.elsewhere.example/
	}}
}}
http://:{redirects[0]} {{
	bind 127.0.0.1
{snippet}
	handle {{
		redir https://{{host}}{{uri}}
	}}
}}
http://:{redirects[1]} {{
	bind 127.0.0.1
{snippet}
	handle {{
		redir https://www.elsewhere.example{{uri}} permanent
	}}
}}
"""

APACHE = """
ServerRoot "{folder}"
PidFile "{folder}/pid"
ErrorLog "{folder}/log"
{user}
Listen 127.0.0.1:{site}
Listen 127.0.0.1:{redirects[0]}
Listen 127.0.0.1:{redirects[1]}
{modules}
ServerName {host}
ProxyPreserveHost On
TypesConfig /etc/mime.types
AddOutputFilterByType DEFLATE text/html application/json text/plain
<VirtualHost 127.0.0.1:{site}>
{snippet}
    DocumentRoot "{folder}/site"
    FallbackResource /index.html
    ErrorDocument 403 /index.html
    ErrorDocument 500 https://status.elsewhere.example/
    ErrorDocument 502 https://status.elsewhere.example/
    ErrorDocument 503 https://status.elsewhere.example/
    ErrorDocument 504 https://status.elsewhere.example/
    ExpiresActive On
    ExpiresDefault "access plus 1 month"
</VirtualHost>
<VirtualHost 127.0.0.1:{redirects[0]}>
{snippet}
    RewriteEngine on
    RewriteRule ^ https://%{{HTTP_HOST}}%{{REQUEST_URI}} [R=301,L]
</VirtualHost>
<VirtualHost 127.0.0.1:{redirects[1]}>
{snippet}
    Redirect permanent / https://www.elsewhere.example/
</VirtualHost>
"""
MODULES = (
    "mpm_event authz_core authz_host authn_core dir mime env expires filter deflate alias "
    "rewrite proxy proxy_http headers socache_shmcb ssl"
)


class Website:
    """A running web server of a kind, with one site, and two others that redirect all requests. `authority` contains
    the certificates that the server trusts instead of the system's."""

    authorities = "/etc/ssl/certs/ca-certificates.crt"

    def __init__(self, kind, host, snippet="", authority=None):
        self.kind = kind
        self.folder = Path(tempfile.mkdtemp(prefix="wm-site-", dir="/tmp"))
        self.folder.chmod(0o755)
        for name, text in FILES.items():
            path = self.folder / "site" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        ports = [free_port() for _ in range(3)]
        self.url, *self.redirecting = (f"http://127.0.0.1:{port}" for port in ports)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        if authority is not None:
            trusted = self.folder / "authority.crt"
            trusted.write_bytes(authority)
            trusted.chmod(0o644)
            environment["SSL_CERT_FILE"] = str(trusted)
            if kind != "caddy":
                assert self.authorities in snippet
            snippet = snippet.replace(self.authorities, str(trusted))
        self._configure(kind, host, snippet, ports)
        with (self.folder / "output").open("w") as output:
            self.process = subprocess.Popen(
                self._command(kind),
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                user=self._user if kind == "caddy" else None,
            )
        eventually(self._answers, 20, what=kind)

    _user = "www-data" if os.geteuid() == 0 else None

    def _configure(self, kind, host, snippet, ports):
        directive = {"nginx": "user www-data;", "apache": "User www-data\nGroup www-data"}.get(kind, "")
        text = {"nginx": NGINX, "caddy": CADDY, "apache": APACHE}[kind].format(
            folder=self.folder,
            host=host,
            snippet=snippet,
            site=ports[0],
            redirects=ports[1:],
            user=directive if self._user else "",
            modules="\n".join(
                f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in MODULES.split()
            ),
        )
        (self.folder / "configuration").write_text(text)
        if self._user:
            account = pwd.getpwnam(self._user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)

    def _command(self, kind):
        name = {"nginx": "nginx", "caddy": "caddy", "apache": "apache2"}[kind]
        program = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, f"{name} is not installed"
        file = self.folder / "configuration"
        return {
            "nginx": [program, "-p", self.folder, "-c", file, "-e", self.folder / "log"],
            "caddy": [program, "run", "--adapter", "caddyfile", "--config", file],
            "apache": [program, "-d", self.folder, "-f", file, "-D", "FOREGROUND"],
        }[kind]

    def _answers(self):
        assert self.process.poll() is None, self.log()
        for url in [self.url, *self.redirecting]:
            connect(url).close()
        return True

    def log(self):
        return "".join(
            path.read_text(errors="replace") for path in [self.folder / "output", self.folder / "log"] if path.exists()
        )

    def remove(self):
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)
