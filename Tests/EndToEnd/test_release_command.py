"""`waymark release` against the API: what it says, and its exit codes."""

import json
import subprocess

from installation import EXECUTABLE
from samples import draft


def release(waymark, *arguments):
    return subprocess.run(
        [EXECUTABLE, "release", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={"LANG": "C.UTF-8", "WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("publisher")},
    )


def test_it_makes_waits_for_shows_and_takes_back_a_release(waymark):
    hosts = [waymark.new_domain(draft(f"/{number}"), labels=["by-command"]) for number in range(2)]
    dry = release(waymark, "create", "--label", "by-command", "--dry-run", "--wait")
    assert (dry.returncode, dry.stdout.split("  ")[1]) == (0, "judged (2 passed)\n"), dry.stderr
    first = release(waymark, "create", *hosts, "--message", "by hand", "--wait", "--json")
    assert first.returncode == 0, first.stderr
    made = json.loads(first.stdout)
    assert (made["state"], made["message"]) == ("live", "by hand")
    shown = release(waymark, "show", made["id"])
    assert shown.stdout == f"{made['id']}  live (2 live)\n"
    assert shown.stdout.strip() in release(waymark, "list").stdout
    waymark.put_draft(hosts[0], draft("/other"))
    second = json.loads(release(waymark, "create", *hosts, "--wait", "--json").stdout)
    back = release(waymark, "rollback", second["id"], "--wait")
    assert (back.returncode, back.stdout.split("  ")[1]) == (0, "live (1 live)\n"), back.stderr


def test_it_says_what_is_refused_and_what_makes_no_sense(waymark):
    bad = waymark.new_domain({"entries": [{"apps": ["not an app"], "rules": [{"path": "/*"}]}]})
    refused = release(waymark, "create", bad, "--wait")
    assert refused.returncode == 1
    assert f"{bad}: refused Lint finds 1 error" in refused.stderr
    absent = release(waymark, "create", "absent.example")
    assert absent.returncode == 2
    assert "/hosts: there is no domain absent.example here" in absent.stderr
    assert release(waymark, "create").returncode == 2
    later = json.loads(release(waymark, "create", bad, "--at", "2020-01-01T00:00:00Z", "--json").stdout)
    assert later["errors"][0]["code"] == "in_the_past"
    ended = refused.stdout.split()[0]
    assert release(waymark, "cancel", ended).returncode == 1
