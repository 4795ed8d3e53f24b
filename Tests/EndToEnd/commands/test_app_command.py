"""`waymark app replace` with the API: its output and exit codes."""

import subprocess

from installation import EXECUTABLE
from samples import APP, OTHER_APP, draft


def replace(waymark, *arguments):
    return subprocess.run(
        [EXECUTABLE, "app", "replace", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={"LANG": "C.UTF-8", "WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("editor")},
    )


def test_it_replaces_an_app_and_reports_refused_domains(fresh_waymark):
    waymark = fresh_waymark
    waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"})
    for app in (APP, OTHER_APP):
        waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": app.split(".", 1)[1]})
    # On one domain, both apps become one, so an app is missing.
    live, new = (waymark.new_domain(draft("/path", apps=apps)) for apps in [(APP, OTHER_APP), (APP,)])
    waymark.publish(live)
    waymark.api("POST", f"/v1/domains/{new}/tests", {"url": "/path", "expected": {"outcome": "opens", "app": APP}})
    done = replace(waymark, APP, OTHER_APP, "--wait")
    assert (done.returncode, done.stdout) == (0, "done: 2 of 2 drafts changed, 1 would be refused; tests updated: 1\n")
    assert f"  {live}: would be refused: This file lacks apps of the live file: {APP}." in done.stderr
    assert waymark.api("GET", f"/v1/domains/{new}/draft").json()["entries"][0]["apps"] == [OTHER_APP]
    assert waymark.api("GET", f"/v1/domains/{live}").json()["state"] == "changed"
    assert replace(waymark, APP, "ABCDE12345.com.absent").returncode == 2
    assert replace(waymark, APP, APP).returncode == 2
    assert replace(waymark, "ABCDE12345.com.absent", APP).returncode == 3
