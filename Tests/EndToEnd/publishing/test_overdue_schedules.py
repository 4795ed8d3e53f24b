"""Schedules while no worker runs: the API and its metric show that they are overdue."""

import re

import httpx

from installation import eventually, installed_on_cluster
from samples import draft


def test_a_run_that_no_worker_starts_is_shown_by_the_api_and_its_metric():
    with installed_on_cluster(("serve", "--role", "api")) as (waymark, cluster):
        host = waymark.new_domain(draft("/1"))
        body = {"name": "nightly", "host": host, "expression": "@daily", "zone": "UTC"}
        made = waymark.api("POST", "/v1/schedules", body).json()
        assert made["overdue"] is False
        # Stopped: the delay is measured at the start of the service, and then four times a minute.
        waymark.stop()
        cluster.sql("update schedules set next_due_at = now() - interval '10 minutes'")
        cluster.sql("update jobs set due_at = now() - interval '10 minutes'")
        waymark.start()
        shown = waymark.api("GET", f"/v1/schedules/{made['id']}").json()
        assert (shown["overdue"], shown["state"], shown["lastRun"]) == (True, "active", None)
        access = {"WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token("viewer")}
        told = waymark.cli("schedule", "list", environment=access).stdout
        assert told.endswith(f"  overdue since {shown['nextDueAt']}: no worker has started it\n")

        def seconds():
            text = httpx.get(f"{waymark.metrics_url}/metrics").text
            found = re.search(r"^waymark_jobs_overdue_seconds ([\d.]+)$", text, re.MULTILINE)
            return found and float(found[1])

        assert eventually(lambda: 600 <= (seconds() or 0) < 1_200 and seconds(), 60, what="the delay's metric")
        waymark.api("PATCH", f"/v1/schedules/{made['id']}", {"state": "paused"}, headers={"If-Match": "*"})
        eventually(lambda: seconds() == 0, 60, what="no delay once nothing is due")
