"""Runs the built Waymark with its own state folder and database."""

import atexit
import itertools
import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import httpx
import pytest

from postgres import Cluster

REPOSITORY = Path(__file__).resolve().parents[4]
EXECUTABLE = Path(os.environ.get("WAYMARK_EXECUTABLE", REPOSITORY / ".build/debug/waymark"))
# The folder that contains `public/`. It is the repository, or the output of `Scripts/bundle-pages`.
DASHBOARD = Path(os.environ.get("WAYMARK_DASHBOARD", REPOSITORY))
# The release build, for measurements at full size.
RELEASE_EXECUTABLE = Path(os.environ.get("WAYMARK_RELEASE_EXECUTABLE", REPOSITORY / ".build/release/waymark"))

_numbers = itertools.count(1)


# The ports for tests. They are below the ports that the kernel uses for outgoing connections. No port is used twice. In
# a parallel run (pytest-xdist) with n workers, each worker uses every nth port.
_first, _last = map(int, os.environ.get("WAYMARK_TEST_PORTS", "10000-31999").split("-"))
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
_own = range(_first + _worker, _last + 1, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
_ports = random.sample(_own, len(_own))


def free_port():
    """A free port of this machine."""
    while _ports:
        port = _ports.pop()
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no port is free")


def eventually(check, seconds=30.0, pause=0.05, what="the expected state"):
    """Calls `check` until its result is true, and returns the result. Connection errors count as false."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            if answer := check():
                return answer
        except (httpx.TransportError, OSError):
            pass
        if time.monotonic() > deadline:
            raise AssertionError(f"timed out after {seconds} s waiting for {what}")
        time.sleep(pause)


class Installation:
    """A `waymark serve` on free ports, and commands with the same settings."""

    def __init__(self, environment=None, arguments=("serve",), organization="acme", like=None):
        self.directory = Path(tempfile.mkdtemp(prefix="wm-", dir="/tmp"))
        self.directory.chmod(0o755)
        self.state = self.directory / "state"
        self.log_path = self.directory / "log"
        self.program = [EXECUTABLE]
        self.arguments = arguments
        self.organization = organization
        ports = [free_port() for _ in range(4)]
        names = ["ADDRESS", "EDGE_ADDRESS", "METRICS_ADDRESS", "EDGE_METRICS_ADDRESS"]
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "LANG": "C.UTF-8",
            "WAYMARK_STATE_DIRECTORY": str(self.state),
            "WAYMARK_PUBLIC_DIRECTORY": str(DASHBOARD / "public"),
            "WAYMARK_CONTRACT_DIRECTORY": str(REPOSITORY / "contract"),
            "WAYMARK_MIGRATIONS_DIRECTORY": str(REPOSITORY / "migrations"),
            **{f"WAYMARK_{name}": f"127.0.0.1:{port}" for name, port in zip(names, ports)},
            # All tests sign in from one address.
            "WAYMARK_RATE_LIMIT_SIGN_IN": "0",
            **(environment or {}),
        }
        self.url, self.edge_url, self.metrics_url, self.edge_metrics_url = (
            f"http://{self.environment[f'WAYMARK_{name}']}" for name in names
        )
        self.client = httpx.Client(base_url=self.url, timeout=60, verify=False)
        self.process = None
        self._tokens = {}
        self._sessions = {}
        if like is not None:
            subprocess.run(["cp", "-a", like.state, self.state], check=True)
            self._tokens |= like._tokens

    # Processes

    def start(self, wait=True, environment=None):
        """Starts the service in its own process session."""
        log = self.log_path.open("ab")
        self.process = subprocess.Popen(
            [*self.program, *self.arguments],
            cwd=self.directory,
            env=self.environment | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            # If the tests run as a background job of a shell, they ignore SIGINT. The service must not inherit this.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        log.close()
        if wait:
            self.wait_until_ready()
            self._turn_off_fsync()
        return self

    def _turn_off_fsync(self):
        """Turns off fsync of the private database, if there is one. Tests kill processes, but not the machine."""
        settings, server = self.state / "postgres/postgresql.conf", self.state / "postgres/postmaster.pid"
        if server.exists() and "fsync = off" not in settings.read_text():
            with settings.open("a") as file:
                file.write("fsync = off\n")
            os.kill(int(server.read_text().split()[0]), signal.SIGHUP)

    def wait_until_ready(self, seconds=60):
        def ready():
            if self.process.poll() is not None:
                raise AssertionError(f"waymark ended with {self.process.returncode}:\n{self.log()[-4000:]}")
            return self.client.get("/readyz").status_code == 200

        eventually(ready, seconds, what="a ready API")
        if "--role" in self.arguments:
            return
        eventually(
            lambda: httpx.get(f"{self.edge_metrics_url}/readyz", verify=False).status_code == 200,
            60,
            what="a ready edge",
        )

    def stop(self, number=signal.SIGTERM, seconds=30):
        """Stops the service with a signal, and returns its exit code."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(seconds)
        self.process = None
        return code

    def kill9(self):
        """Kills the main process of the service, without a clean stop. Its child processes are not killed."""
        self.process.kill()
        self.process.wait()
        self.process = None

    def restart(self, environment=None):
        self.stop()
        return self.start(environment=environment)

    def processes(self):
        """The running processes of this installation, by ID, with their commands. They are found by the state folder in
        their settings, command or working directory."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                    continue
                here = os.readlink(entry / "cwd").startswith(str(self.state))
                ours = f"WAYMARK_STATE_DIRECTORY={self.state}\0".encode() in (entry / "environ").read_bytes()
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                if here or ours or str(self.state) in command:
                    found[int(entry.name)] = command
            except (OSError, ValueError):
                continue
        return found

    def remove(self):
        """Ends all processes of the installation and removes its folder."""
        if self.process is not None:
            try:
                self.stop(seconds=20)
            except subprocess.TimeoutExpired:
                self.kill9()
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in self.processes():
                try:
                    os.kill(process, number)
                except ProcessLookupError:
                    pass
            if not self.processes():
                break
            time.sleep(1)
        self.client.close()
        # A database has a thousand files. Remove them in the background, so that no test waits for this.
        subprocess.Popen(["rm", "-rf", self.directory])

    def log(self):
        return self.log_path.read_text(errors="replace") if self.log_path.exists() else ""

    # The command line

    def cli(self, *arguments, check=True, input=None, environment=None, timeout=120):
        """Runs a command with the installation's settings."""
        result = subprocess.run(
            [EXECUTABLE, *map(str, arguments)],
            cwd=self.directory,
            env=self.environment | (environment or {}),
            input=input,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        if check and result.returncode != 0:
            raise AssertionError(f"waymark {' '.join(map(str, arguments))} gave {result.returncode}:\n{result.stderr}")
        return result

    def create_organization(self, slug=None, owner=None):
        """Creates an organization with its first owner, and returns its slug."""
        slug = slug or f"org-{next(_numbers)}"
        self.cli("organization", "create", slug, "--name", slug.title(), "--owner", owner or f"owner@{slug}.example")
        return slug

    def token(self, role="owner", organization=None):
        """An API token of an organization. Each role's token is created only once."""
        key = (organization or self.organization, role)
        if key not in self._tokens:
            result = self.cli("token", "create", "--organization", key[0], "--role", role, "--name", f"test-{role}")
            self._tokens[key] = re.search(r"wm_[a-z2-7]{40}", result.stdout).group()
        return self._tokens[key]

    def sign_in_link(self, organization=None):
        """Creates a one-time sign-in link for the organization's owner."""
        email = f"owner@{organization or self.organization}.example"
        return re.search(r"http\S+/sign-in#\S+", self.cli("user", "sign-in-link", email).stdout).group()

    def sign_in(self, organization=None):
        """Signs the organization's owner in, and returns the session's cookies."""
        code = self.sign_in_link(organization).partition("#")[2]
        answer = self.client.post("/v1/session", json={"code": code})
        assert answer.status_code == 200, answer.text
        cookies = dict(answer.cookies)
        self.client.cookies.clear()
        return cookies

    def session(self, role="owner", organization=None):
        """The header fields of a signed-in member of an organization. Each role's member signs in once in eight minutes,
        so the session still counts as confirmed."""
        key = (organization or self.organization, role)
        known, since = self._sessions.get(key, (None, 0))
        if time.monotonic() - since > 480:
            email = f"session-{role}@{key[0]}.example"
            added = ("user", "sign-in-link", email) if known else (
                "user", "add", email, "--organization", key[0], "--role", role)
            link = self.cli(*added).stdout.strip()
            answer = self.client.post("/v1/session", json={"code": link.rpartition("#")[2]})
            assert answer.status_code == 200, answer.text
            [(cookie, secret)] = dict(answer.cookies).items()
            self.client.cookies.clear()
            known = {"Cookie": f"{cookie}={secret}", "Sec-Fetch-Site": "same-origin"}
            self._sessions[key] = (known, time.monotonic())
        return known

    # The API

    def api(self, method, path, json=None, headers=None, token=None, **more):
        """Sends a request with the given token, or with the owner's by default. `token=False` sends no token."""
        headers = dict(headers or {})
        if token is not False:
            headers.setdefault("Authorization", f"Bearer {token or self.token()}")
        if json is not None:
            more["json"] = json
        answer = self.client.request(method, path, headers=headers, **more)
        self.client.cookies.clear()
        return answer

    def new_host(self, stem="site"):
        """A new host with a reserved name. An installation with a private database verifies it automatically."""
        return f"{stem}-{next(_numbers)}.example"

    def new_domain(self, draft=None, token=None, host=None, **fields):
        """Creates a domain, with a draft if given, and returns its host."""
        host = host or self.new_host()
        answer = self.api("POST", "/v1/domains", {"host": host, **fields}, token=token)
        assert answer.status_code == 201, answer.text
        if draft is not None:
            self.put_draft(host, draft, token=token)
        return host

    def put_draft(self, host, draft, token=None):
        answer = self.api("PUT", f"/v1/domains/{host}/draft", draft, {"If-Match": "*"}, token=token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def publish(self, host, token=None, **fields):
        """Publishes the draft or a version, and waits until it is live."""
        answer = self.api("POST", f"/v1/domains/{host}/publications?wait=30", fields, token=token)
        assert answer.status_code == 202, answer.text
        assert answer.json()["state"] == "live", answer.text
        return answer.json()

    def publish_again(self, host, token=None, **fields):
        """Publishes with an override, so that a file is published even if it is already live."""
        return self.publish(host, token, **{"override": True, "reason": "once more", **fields})

    def release(self, body, token=None, state="live", seconds=60):
        """Creates a release and waits until it has ended in the given state."""
        answer = self.api("POST", "/v1/releases", body, token=token)
        assert answer.status_code == 202, answer.text
        return self.ended_release(answer.json()["id"], token, state, seconds)

    def ended_release(self, id, token=None, state="live", seconds=60):
        """Waits until a release has ended, checks its state, and returns it."""

        def ended():
            release = self.api("GET", f"/v1/releases/{id}", token=token).json()
            return release if release["endedAt"] else None

        release = eventually(ended, seconds, what="the end of the release")
        assert release["state"] == state, release
        return release

    def edge(self, host, path="/.well-known/apple-app-site-association", method="GET", headers=None):
        """The edge's response for a host. By default, it has no content coding."""
        headers = {"Host": host, "Accept-Encoding": "identity", **(headers or {})}
        return httpx.request(method, self.edge_url + path, headers=headers, verify=False, timeout=30)

    def edge_after_takeover(self, host):
        """The edge's response for a host, just after a new edge has taken over. Retries once, because a connection in
        the old edge's queue may be reset or closed before its request was read."""
        try:
            return self.edge(host)
        except (httpx.ReadError, httpx.RemoteProtocolError):
            return self.edge(host)

    def served(self, host, sha256, seconds=30):
        """Waits until the edge serves the file with this digest for a host, and returns the response."""

        def answer():
            got = self.edge(host)
            return got if got.status_code == 200 and got.headers["ETag"] == f'"{sha256}"' else None

        return eventually(answer, seconds, what=f"{sha256[:12]} on the edge for {host}")


@contextmanager
def installed(like=None):
    """Starts a Waymark: a new one with its first organization, or a copy of the stopped installation `like`."""
    if not EXECUTABLE.exists():
        pytest.exit(f"there is no {EXECUTABLE}: build it, or name it by WAYMARK_EXECUTABLE", returncode=3)
    installation = Installation(like=like)
    try:
        installation.start()
        if like is None:
            installation.create_organization(installation.organization)
        yield installation
    finally:
        installation.remove()


@cache
def ready_cluster():
    """Creates a PostgreSQL cluster with Waymark's database and the organization acme, and stops it. This happens only
    once. Other clusters start as copies of it."""
    cluster = Cluster()
    atexit.register(cluster.remove)
    waymark = Installation(cluster.settings())
    try:
        waymark.cli("database", "prepare", "--url", cluster.url("postgres", "postgres"))
        waymark.cli("migrate")
        waymark.create_organization(waymark.organization)
    finally:
        waymark.remove()
    cluster.stop("fast")
    return cluster


@contextmanager
def installed_on_cluster(arguments=("serve",), cluster=None):
    """Starts a Waymark with its own PostgreSQL cluster, and yields both. The test may stop the cluster. If `cluster` is
    not given, it is a new copy of the prepared one."""
    cluster = cluster or Cluster(like=ready_cluster())
    waymark = Installation(cluster.settings(), arguments)
    try:
        waymark.start()
        yield waymark, cluster
    except BaseException:
        print(waymark.log()[-6000:])
        raise
    finally:
        waymark.remove()
        cluster.remove()
