"""A process killed in the middle of a replacement: every draft is changed, each once."""

import signal
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from installation import eventually, installed
from samples import APP, OTHER_APP, draft

FAULT_POINTS = [f"replacement.{step}" for step in ["claimed", "writing", "written"]]


def die_at(point, template):
    with installed(like=template) as waymark:
        waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"})
        for app in (APP, OTHER_APP):
            waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": app.split(".", 1)[1]})
        hosts = [waymark.new_domain(draft(f"/{number}")) for number in range(3)]
        before = [waymark.api("GET", f"/v1/domains/{host}/draft").json()["revision"] for host in hosts]
        waymark.restart({"WAYMARK_FAULT": point})
        path = f"/v1/apps/{APP}/replacements"
        try:
            waymark.api("POST", path, {"with": OTHER_APP})
        except httpx.TransportError:
            pass
        assert waymark.process.wait(20) == -signal.SIGKILL, point
        waymark.start()
        ended = eventually(
            lambda: [one for one in waymark.api("GET", path).json()["items"] if one["state"] == "done"], 30, what=point
        )
        assert ended[0]["domains"] == {"total": 3, "waiting": 0, "changed": 3, "passing": 3, "refused": 0}
        for host, revision in zip(hosts, before):
            after = waymark.api("GET", f"/v1/domains/{host}/draft").json()
            assert (after["revision"], after["entries"][0]["apps"]) == (revision + 1, [OTHER_APP]), point


@pytest.mark.destructive
@pytest.mark.timeout(180)
def test_a_replacement_killed_at_each_of_its_steps_changes_each_draft_once(template):
    with ThreadPoolExecutor(len(FAULT_POINTS)) as pool:
        list(pool.map(lambda point: die_at(point, template), FAULT_POINTS))
