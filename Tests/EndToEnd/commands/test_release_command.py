"""`waymark release` with the API: its output and exit codes."""

import json
import subprocess
from datetime import UTC, datetime, timedelta

from installation import EXECUTABLE, eventually
from samples import draft


def release(waymark, *arguments):
    return subprocess.run(
        [EXECUTABLE, "release", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={"LANG": "C.UTF-8", "WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("publisher")},
    )


def test_it_creates_awaits_shows_and_rolls_back_a_release(waymark):
    hosts = [waymark.new_domain(draft(f"/{number}"), labels=["by-command"]) for number in range(2)]
    dry = release(waymark, "create", "--label", "by-command", "--dry-run", "--wait")
    assert (dry.returncode, dry.stdout.split("  ")[1]) == (0, "judged (2 passed)\n"), dry.stderr
    first = release(waymark, "create", *hosts, "--message", "by hand", "--wait", "--json")
    assert first.returncode == 0, first.stderr
    made = json.loads(first.stdout)
    assert (made["state"], made["message"]) == ("live", "by hand")
    shown = release(waymark, "show", made["id"])
    assert shown.stdout == f"{made['id']}  live (2 live)  by hand\n"
    assert shown.stdout.strip() in release(waymark, "list").stdout
    waymark.put_draft(hosts[0], draft("/other"))
    second = json.loads(release(waymark, "create", *hosts, "--wait", "--json").stdout)
    back = release(waymark, "rollback", second["id"], "--wait")
    assert (back.returncode, back.stdout.split("  ")[1]) == (0, "live (1 live)\n"), back.stderr
    assert release(waymark, "show", second["id"]).stdout == f"{second['id']}  live (1 unchanged, 1 live), rolled back\n"


def test_a_scheduled_release_shows_its_time(waymark):
    host = waymark.new_domain(draft("/later"))
    at = f"{datetime.now(UTC) + timedelta(days=2):%Y-%m-%dT%H:%M:%SZ}"
    made = json.loads(release(waymark, "create", host, "--at", at, "--message", "two\nlines", "--json").stdout)
    eventually(lambda: waymark.api("GET", f"/v1/releases/{made['id']}").json()["state"] == "scheduled", 30)
    line = f"{made['id']}  scheduled (1 ready), due at {at}  two lines"
    assert release(waymark, "show", made["id"]).stdout == line + "\n"
    assert line in [each.split("  ", 1)[1] for each in release(waymark, "list").stdout.splitlines()]
    waymark.publish(host)
    obstacle = f", but it will be suspended: the live version changed after the release was checked: {host}  two lines"
    assert release(waymark, "show", made["id"]).stdout == line.replace("  two lines", obstacle) + "\n"
    cancelled = release(waymark, "cancel", made["id"])
    assert cancelled.returncode == 0 and "due at" not in cancelled.stdout, cancelled.stdout


def test_it_reports_refused_domains_and_invalid_requests(waymark):
    bad = waymark.new_domain({"entries": [{"apps": ["not an app"], "rules": [{"path": "/*"}]}]})
    test = {"url": "/buy/1", "expected": {"outcome": "excluded"}}
    assert waymark.api("POST", f"/v1/domains/{bad}/tests", test).status_code == 201
    refused = release(waymark, "create", bad, "--wait")
    assert refused.returncode == 1
    told = refused.stderr.splitlines()
    assert f"  {bad}: refused: Lint found 1 error. 1 of 1 test failed." in told
    assert "    test /buy/1 failed" in told and any(line.startswith("    WM0") for line in told), refused.stderr
    absent = release(waymark, "create", "absent.example")
    assert absent.returncode == 2
    assert absent.stderr == "waymark: the domains: there is no domain absent.example\n"
    assert release(waymark, "create").returncode == 2
    later = json.loads(release(waymark, "create", bad, "--at", "2020-01-01T00:00:00Z", "--json").stdout)
    assert later["errors"][0]["code"] == "in_the_past"
    ended = refused.stdout.split()[0]
    assert release(waymark, "cancel", ended).returncode == 1
