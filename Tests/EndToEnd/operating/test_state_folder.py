"""Other users cannot read the state folder, and an edge shares its port only with edges of the same folder."""

import os
import stat
import subprocess

import httpx
import pytest

from installation import EXECUTABLE, Installation, eventually
from processes import addresses


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.destructive
def test_other_users_can_traverse_the_state_folder_but_not_read_the_edges_folder(fresh_waymark):
    waymark = fresh_waymark
    assert (mode(waymark.state), mode(waymark.state / "edge")) == (0o711, 0o700)
    for private in ("signing-key", "consumer-secret"):
        assert mode(waymark.state / private) == 0o600
    if os.geteuid() == 0:
        # Every user who knows the name can read the public keys.
        for path, may in (("signing-key.pub", True), ("edge/manifest", False), ("signing-key", False), (".", False)):
            program = ["ls"] if path == "." else ["cat"]
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *program, waymark.state / path]
            assert (subprocess.run(command, capture_output=True).returncode == 0) == may, path
    # A folder of an older version gets its mode at the next start.
    waymark.stop()
    waymark.state.chmod(0o755)
    (waymark.state / "edge").chmod(0o755)
    waymark.start()
    assert (mode(waymark.state), mode(waymark.state / "edge")) == (0o711, 0o700)


@pytest.mark.destructive
def test_two_installations_do_not_share_the_port_of_an_edge(fresh_waymark, template):
    """The kernel would give each a part of the connections, so only some answers would know a host."""
    other = Installation(like=template)
    try:
        for name in ("WAYMARK_EDGE_ADDRESS", "WAYMARK_EDGE_METRICS_ADDRESS"):
            taken = fresh_waymark.environment[name]
            everywhere = f"0.0.0.0:{taken.rpartition(':')[2]}"
            for address in (taken, everywhere):
                for arguments in (("serve",), ("serve", "--role", "edge")):
                    refused = other.cli(*arguments, environment={name: address}, check=False)
                    assert refused.returncode == 3, arguments
                    assert f"{name} is {address}, which cannot be used" in refused.stderr
                    assert f"another process uses it, which is not an edge of {other.state}" in refused.stderr
        assert not other.processes()
    finally:
        other.remove()


@pytest.mark.destructive
def test_an_edge_takes_over_from_an_edge_of_the_same_state_folder(fresh_waymark):
    waymark = fresh_waymark
    settings = waymark.environment | addresses("ADDRESS", "METRICS_ADDRESS")

    def edges():
        return {pid for pid, command in waymark.processes().items() if command.endswith("serve --role edge")}

    [old] = edges()
    with (waymark.directory / "second").open("w") as log:
        new = subprocess.Popen([EXECUTABLE, "serve", "--role", "edge"], env=settings, stdout=log, stderr=log)
    try:
        eventually(lambda: old not in edges(), what="the end of the previous edge")
        assert new.poll() is None and httpx.get(f"{waymark.edge_metrics_url}/livez").status_code == 200
    finally:
        new.terminate()
        new.wait(30)


@pytest.mark.destructive
def test_state_folders_with_the_same_relative_path_are_different(template):
    """An edge must not share its port with the other one, or be ended by the other's clean stop."""
    relative = {"WAYMARK_STATE_DIRECTORY": "state"}
    first, second = (Installation(relative, ("serve", "--role", "edge"), like=template) for _ in range(2))
    try:
        first.start(wait=False)
        eventually(lambda: httpx.get(first.edge_url).status_code, what="an answer of the first edge")
        taken = {"WAYMARK_EDGE_ADDRESS": first.environment["WAYMARK_EDGE_ADDRESS"]}
        refused = second.cli("serve", "--role", "edge", environment=taken, check=False)
        assert refused.returncode == 3 and "which is not an edge of state" in refused.stderr
    finally:
        first.remove()
        second.remove()
