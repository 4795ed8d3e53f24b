"""Ctrl-C stops everything cleanly, and the next start works after every kind of end."""

import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from installation import EXECUTABLE, eventually
from samples import draft


def gone(waymark, seconds=30):
    eventually(lambda: not waymark.processes(), seconds, what=f"the end of {waymark.processes()}")


@pytest.mark.destructive
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_to_the_group_stops_everything_and_the_next_start_works(fresh_waymark, number):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    os.killpg(waymark.process.pid, number)
    assert waymark.process.wait(30) in (0, 128 + number)
    gone(waymark)
    waymark.start()
    assert waymark.api("GET", f"/v1/domains/{host}").json()["live"]["version"] == 1
    assert waymark.edge(host).content == body


@pytest.mark.destructive
def test_a_second_ctrl_c_is_harmless(fresh_waymark):
    waymark = fresh_waymark
    os.killpg(waymark.process.pid, signal.SIGINT)
    time.sleep(0.05)
    try:
        os.killpg(waymark.process.pid, signal.SIGINT)
    except ProcessLookupError:
        pass
    waymark.process.wait(30)
    gone(waymark)
    waymark.start()


@pytest.mark.destructive
def test_ctrl_c_while_starting_leaves_nothing_behind(empty_waymark):
    waymark = empty_waymark
    for moment in [0.02, 0.3, 1.0]:
        waymark.start(wait=False)
        time.sleep(moment)
        os.killpg(waymark.process.pid, signal.SIGINT)
        waymark.process.wait(30)
        gone(waymark)
    waymark.start()


@pytest.mark.destructive
def test_a_start_after_kill_9_takes_over_from_the_remaining_processes(fresh_waymark):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    for _ in range(2):
        waymark.kill9()
        waymark.start()
        assert waymark.edge_after_takeover(host).content == body
        eventually(
            lambda: sum(command.endswith("serve --role edge") for command in waymark.processes().values()) == 1,
            what="one edge",
        )
    waymark.stop()
    gone(waymark)


@pytest.mark.destructive
def test_killing_everything_at_once_is_harmless(fresh_waymark):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content
    waymark.process.kill()
    for pid in waymark.processes():
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    waymark.process.wait()
    waymark.start()
    assert waymark.edge(host).content == body
    assert waymark.api("GET", f"/v1/domains/{host}").json()["state"] == "live"


@pytest.mark.destructive
def test_a_second_waymark_on_the_same_state_folder_is_refused_with_the_reason(fresh_waymark):
    second = fresh_waymark.cli(
        "serve",
        check=False,
        environment={
            "WAYMARK_ADDRESS": "127.0.0.1:0",
            "WAYMARK_METRICS_ADDRESS": "127.0.0.1:0",
            "WAYMARK_EDGE_ADDRESS": "127.0.0.1:0",
            "WAYMARK_EDGE_METRICS_ADDRESS": "127.0.0.1:0",
        },
    )
    assert second.returncode == 3
    assert "another Waymark" in second.stderr
    assert fresh_waymark.api("GET", "/readyz").status_code == 200


@pytest.mark.destructive
def test_an_address_in_use_ends_the_start_with_the_reason_and_leaves_nothing(fresh_waymark, empty_waymark):
    taken = fresh_waymark.environment["WAYMARK_ADDRESS"]
    result = empty_waymark.cli("serve", check=False, environment={"WAYMARK_ADDRESS": taken})
    assert result.returncode == 3
    assert taken in result.stderr or "in use" in result.stderr
    gone(empty_waymark)


def signs_in(waymark, link):
    assert link.startswith(waymark.url + "/sign-in#")
    me = httpx.post(f"{waymark.url}/v1/session", json={"code": link.partition("#")[2]})
    return me.status_code == 200 and len(me.json()["organizations"]) == 1


def test_the_start_writes_the_one_time_link_to_a_file_and_not_to_the_log(empty_waymark):
    waymark = empty_waymark
    file = waymark.state / "sign-in-link"
    for _ in range(2):
        waymark.log_path.write_text("")
        waymark.start()
        eventually(lambda: f"Sign in once with:   the link in {file}" in waymark.log(), what="the file's name")
        assert "/sign-in#" not in waymark.log()
        assert file.stat().st_mode & 0o777 == 0o600
        assert signs_in(waymark, file.read_text().strip())
        waymark.stop()
        # A file that others could read is replaced, not overwritten.
        file.chmod(0o644)


def test_the_start_makes_no_link_once_the_owner_has_a_password(empty_waymark):
    waymark = empty_waymark
    file = waymark.state / "sign-in-link"
    waymark.start()
    eventually(file.exists, what="the link")
    headers = {"Origin": waymark.url}
    with httpx.Client(base_url=waymark.url, headers=headers) as client:
        code = file.read_text().strip().partition("#")[2]
        assert client.post("/v1/session", json={"code": code}).status_code == 200
        answer = client.put("/v1/me/password", json={"password": "violet turnip gazebo 91"})
        assert answer.status_code == 204, answer.text
    waymark.stop()
    file.unlink()
    waymark.log_path.write_text("")
    waymark.start()
    eventually(lambda: "Sign in as:          owner@localhost" in waymark.log(), what="the greeting")
    assert not file.exists() and "Sign in once" not in waymark.log()


def test_the_start_prints_the_one_time_link_on_a_terminal(empty_waymark):
    waymark = empty_waymark
    ours, theirs = pty.openpty()
    waymark.process = subprocess.Popen(
        [EXECUTABLE, "serve"], cwd=waymark.directory, env=waymark.environment, stdout=theirs, stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    said = b""
    while b"Stop with Ctrl-C" not in said:
        said += os.read(ours, 4096)
    [link] = re.findall(r"Sign in once with:\s+(\S+)", said.decode())
    assert signs_in(waymark, link)
    assert not (waymark.state / "sign-in-link").exists()
    waymark.stop()
    os.close(ours)


@pytest.mark.destructive
def test_a_clean_stop_ends_the_edge_of_an_earlier_killed_start(fresh_waymark):
    """Even before the new edge has taken over: a suspended edge keeps its lock for 5 s."""
    waymark = fresh_waymark
    [edge] = [pid for pid, command in waymark.processes().items() if command.endswith("serve --role edge")]
    waymark.kill9()
    os.kill(edge, signal.SIGSTOP)
    waymark.start(wait=False)
    eventually(lambda: httpx.get(f"{waymark.url}/livez").status_code == 200, pause=0.01, what="the API")
    assert waymark.stop(seconds=60) == 0
    assert edge not in waymark.processes()
    gone(waymark)
    waymark.start()


@pytest.mark.destructive
def test_a_stop_while_the_database_opens_ends_the_edge_of_an_earlier_killed_start(fresh_waymark):
    waymark = fresh_waymark

    def postmaster():
        """The postmaster's process; empty if there is none."""
        path = waymark.state / "postgres" / "postmaster.pid"
        return path.read_text().partition("\n")[0] if path.exists() else ""

    before = postmaster()
    [edge] = [pid for pid, command in waymark.processes().items() if command.endswith("serve --role edge")]
    waymark.kill9()
    waymark.start(wait=False)
    eventually(lambda: postmaster() not in ("", before), pause=0.005, what="the start of the database")
    assert waymark.stop(seconds=60) == 0
    assert edge not in waymark.processes()
    gone(waymark)
    waymark.start()


@pytest.mark.destructive
def test_a_private_database_that_dies_is_restarted_while_the_edge_serves(fresh_waymark):
    waymark = fresh_waymark
    host = waymark.new_domain(draft("/x"))
    waymark.publish(host)
    body = waymark.served(host, waymark.api("GET", f"/v1/domains/{host}").json()["live"]["sha256"]).content

    def postmaster():
        """The postmaster's process; empty for a moment while the file is being written."""
        return (waymark.state / "postgres" / "postmaster.pid").read_text().partition("\n")[0]

    def is_readable():
        answer = waymark.api("GET", f"/v1/domains/{host}")
        return answer.status_code == 200 and answer.json()["live"]["version"] == 1

    for _ in range(2):
        killed = postmaster()
        os.kill(int(killed), signal.SIGKILL)
        assert waymark.edge(host).content == body
        eventually(lambda: postmaster() not in ("", killed), 60, what="another postmaster")
        eventually(is_readable, 60, what="the database")
    waymark.put_draft(host, draft("/y"))
    waymark.publish(host)
    assert "The private PostgreSQL ended" in waymark.log()


def test_the_edge_gets_no_settings_of_the_database(waymark):
    [edge] = [pid for pid, command in waymark.processes().items() if command.endswith("serve --role edge")]
    environment = Path(f"/proc/{edge}/environ").read_bytes().split(b"\0")
    names = {variable.split(b"=")[0].decode() for variable in environment}
    assert "WAYMARK_SNAPSHOT_KEY_FILE" in names and "WAYMARK_SIGNING_KEY_FILE" not in names
    assert not {name for name in names if name.startswith("PG") or "DATABASE" in name or "SETTINGS" in name}
