"""`waymark publish` with the API: its output and exit codes."""

import json
import os
import socket
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from installation import EXECUTABLE, eventually, free_port
from samples import APP, OTHER_APP, draft


def publish(waymark, *arguments, token=None, **environment):
    return subprocess.run(
        [EXECUTABLE, "publish", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env={
            "LANG": "C.UTF-8",
            "WAYMARK_URL": waymark.url,
            "WAYMARK_TOKEN": token or waymark.token("publisher"),
            **environment,
        },
    )


def later(seconds):
    return (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_it_publishes_waits_and_shows_each_step(waymark):
    host = waymark.new_domain(draft("/1"))
    result = publish(waymark, host, "--wait", "--message", "by hand")
    assert (result.returncode, result.stdout) == (0, f"{host}: version 1 is live\n")
    told = [line.split("  ", 1)[1] for line in result.stderr.splitlines()]
    assert told == ["version 1 created", "attempt 1", "live"]
    assert "\x1b" not in result.stderr
    [found] = waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"]
    assert (found["message"], found["requestedBy"]["name"]) == ("by hand", "test-publisher")


def test_it_schedules_without_waiting_and_prints_json(waymark):
    host = waymark.new_domain(draft("/1"))
    waymark.publish(host)
    at, back = later(3600), later(7200)
    arguments = [host, "--version", 1, "--at", at, "--revert-at", back, "--zone", "Europe/Berlin", "--json"]
    result = publish(waymark, *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    made = json.loads(result.stdout)
    assert (made["state"], made["at"], made["zone"], made["version"]) == ("scheduled", at, "Europe/Berlin", 1)
    assert made["revertedBy"] is not None
    shown = publish(waymark, host, "--version", 1).stdout
    follow = f"waymark events --follow --kind publication --host {host}"
    # The version may be live before the answer.
    assert shown in (
        f"{host}: version 1 is being published; follow it with `{follow}`\n",
        f"{host}: version 1 is live\n",
    )
    shown = publish(waymark, host, "--at", later(3600)).stdout
    assert shown.startswith(f"{host}: version 2 is scheduled for 20")


def test_it_waits_for_a_scheduled_publication(waymark):
    host = waymark.new_domain(draft("/1"))
    result = publish(waymark, host, "--at", later(10), "--wait")
    assert (result.returncode, result.stdout) == (0, f"{host}: version 1 is live\n")
    assert ", due at 20" in result.stderr


def test_a_refusal_of_the_gate_is_1_with_the_reasons(waymark):
    host = waymark.new_domain({"entries": [{"apps": ["malformed"], "rules": []}]})
    result = publish(waymark, host, "--wait")
    assert (result.returncode, result.stdout) == (1, "")
    assert "No version was saved or published: " in result.stderr and "WM0" in result.stderr
    told = json.loads(publish(waymark, host, "--json").stdout)
    assert (told["code"], told["report"]["passed"]) == ("gate_refused", False)


def test_an_override_requires_a_reason_and_publishes(waymark):
    host = waymark.new_domain(draft("/1", apps=[APP, OTHER_APP]))
    waymark.publish(host)
    waymark.put_draft(host, draft("/1"))
    assert publish(waymark, host, "--wait").returncode == 1
    assert publish(waymark, host, "--override").returncode == 2
    result = publish(waymark, host, "--override", "--reason", "the app is retired", "--wait")
    assert (result.returncode, result.stdout) == (0, f"{host}: version 2 is live\n")


def test_an_ending_other_than_live_is_1_with_its_cause(waymark):
    host = waymark.new_domain(draft("/1"))
    command = subprocess.Popen(
        [EXECUTABLE, "publish", host, "--at", later(3600), "--wait"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={"WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("publisher")},
    )
    assert "version 1 created" in command.stderr.readline()
    [found] = waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"]
    waymark.api("DELETE", f"/v1/domains/{host}/publications/{found['id']}", params={"reason": "not today"})
    stdout, stderr = command.communicate(timeout=60)
    assert (command.returncode, stdout) == (
        1,
        f"{host}: version 1 was cancelled by test-owner: not today\n",
    )
    assert stderr.splitlines()[-1].endswith("  cancelled by test-owner: not today")


@pytest.mark.parametrize(
    ("arguments", "environment", "code", "words"),
    [
        (["absent.example"], {}, 3, "There is no domain absent.example"),
        (["absent.example"], {"WAYMARK_TOKEN": "wm_wrong"}, 3, "token"),
        (["absent.example"], {"WAYMARK_TOKEN": ""}, 3, "WAYMARK_TOKEN"),
        (["absent.example"], {"WAYMARK_URL": "http://127.0.0.1:9"}, 3, "cannot be reached: Connection refused\n"),
        (["absent.example", "--url", "ftp://x"], {}, 3, "must be http(s)://host"),
        (["absent.example", "--url", "http://127.0.0.1:99999"], {}, 3, "must be http(s)://host"),
        (["absent.example", "--url", "http://"], {}, 3, "must be http(s)://host"),
        (["absent.example", "--at", "tomorrow"], {}, 2, "waymark: --at: must be a time"),
        (["absent.example", "--version", "x"], {}, 2, "version"),
        ([], {}, 2, "host"),
    ],
)
def test_an_error_is_3_and_an_invalid_request_is_2(waymark, arguments, environment, code, words):
    result = publish(waymark, *arguments, **environment)
    assert (result.returncode, result.stdout) == (code, ""), result.stderr
    assert words in result.stderr


def test_each_fault_is_reported_once(waymark):
    host = waymark.new_domain(draft("/1"))
    one = publish(waymark, host, "--at", "tomorrow").stderr
    assert (one.count("--at"), one.count("must be a time")) == (1, 1)
    two = publish(waymark, host, "--at", "tomorrow", "--revert-at", "never").stderr
    assert (two.count("--at"), two.count("--revert-at"), two.splitlines()[0]) == (1, 1, "waymark: The request has 2 errors.")
    absent = publish(waymark, host, "--version", 99).stderr
    assert absent == f"waymark: There is no version 99 of {host}.\n"


def test_overtaken_publications_are_reported_and_nothing_waits_for_them(waymark):
    host = waymark.new_domain(draft("/1"))
    due = later(3600)
    assert publish(waymark, host, "--at", due).stderr == ""
    overtaking = publish(waymark, host, "--wait")
    assert overtaking.stderr.startswith(f"waymark: this will suspend, when it goes live:\n  version 1, due at {due}\n"), overtaking
    waymark.put_draft(host, draft("/2"))
    after = later(7200)
    sound = publish(waymark, host, "--at", after)
    assert "suspended" not in sound.stdout + sound.stderr
    waymark.put_draft(host, draft("/3"))
    again = publish(waymark, host, "--wait")
    assert [line for line in again.stderr.splitlines() if "due at" in line] == [f"  version 3, due at {after}"]
    items = waymark.api("GET", f"/v1/domains/{host}/publications", params={"state": "pending"}).json()["items"]
    assert [item["blockedReason"] for item in items] == ["another version went live after it was created"] * 2


def test_a_publication_that_will_be_suspended_gets_a_hint_to_override(waymark):
    host = waymark.new_domain(draft("/1"))
    waymark.publish(host)
    soon = datetime.now(UTC) + timedelta(minutes=30)
    schedule = {"name": host, "host": host, "expression": f"{soon.minute} {soon.hour} * * *", "zone": "UTC"}
    assert waymark.api("POST", "/v1/schedules", schedule).status_code == 201
    waymark.put_draft(host, draft("/2"))
    warned = publish(waymark, host, "--at", later(3600))
    assert "waymark: this will be suspended by, unless you use --override --reason TEXT:" in warned.stderr
    assert f"  schedule {host}, due at" in warned.stderr
    forced = publish(waymark, host, "--at", later(7200), "--override", "--reason", "the last word")
    assert "will be suspended by" not in forced.stderr

def test_a_conflict_with_the_current_state_is_1(waymark):
    host = waymark.new_domain(draft("/1"))
    alias = waymark.new_domain(aliasOf=host)
    result = publish(waymark, alias)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"waymark: This domain serves the file of {host}. Edit and publish that domain.\n"


def test_an_insecure_connection_is_reported_in_a_sentence(waymark, tmp_path):
    """Uses OpenSSL's own server, with a certificate of its own authority, to cause each error."""
    key, certificate = tmp_path / "key", tmp_path / "certificate"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    made += ["-keyout", key, "-out", certificate, "-subj", "/CN=other.example", "-addext", "subjectAltName=DNS:other.example"]
    subprocess.run(made, check=True, capture_output=True)
    port = free_port()
    server = subprocess.Popen(
        ["openssl", "s_server", "-quiet", "-accept", str(port), "-key", key, "-cert", certificate, "-www"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        eventually(lambda: socket.create_connection(("localhost", port), 1).close() is None, what="a TLS server")
        url = f"https://localhost:{port}"
        unknown = publish(waymark, "a.example", "--url", url)
        plain = publish(waymark, "a.example", "--url", waymark.url.replace("http:", "https:").replace("127.0.0.1", "localhost"))
        own = "mount --bind $0 /etc/ssl/certs/ca-certificates.crt && exec \"$@\""
        environment = os.environ | {"WAYMARK_TOKEN": waymark.token("publisher")}
        trusted = subprocess.run(
            ["unshare", "-m", "sh", "-c", own, certificate, EXECUTABLE, "publish", "a.example", "--url", url],
            env=environment, capture_output=True, text=True, timeout=120,
        )
    finally:
        server.kill()
        server.wait()
    reasons = {"does not trust the server's certificate": unknown, "does not speak TLS": plain}
    if "unshare" not in trusted.stderr and "mount" not in trusted.stderr:
        reasons["is for another name"] = trusted
    for reason, result in reasons.items():
        assert result.returncode == 3 and reason in result.stderr, result.stderr
        assert result.stderr.count("\n") == 1 and "SSL" not in result.stderr.replace("update-ca", "")


def test_a_viewer_cannot_publish(waymark):
    host = waymark.new_domain(draft("/1"))
    result = publish(waymark, host, token=waymark.token("viewer"))
    assert result.returncode == 3 and "requires the role publisher" in result.stderr


def test_an_unchanged_file_is_reported_as_live(waymark):
    host = waymark.new_domain(draft("/1"))
    waymark.publish(host)
    result = publish(waymark, host, "--wait")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{host}: nothing to publish; the live file is the same (version 1).\n"
    again = publish(waymark, host, "--wait", "--override", "--reason", "repair")
    assert again.returncode == 0 and "version 2 is live" in again.stdout, again.stderr
