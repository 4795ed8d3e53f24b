"""Statements that exceed their time limit."""

from installation import installed_on_cluster

# Called for each time of a schedule. This version is slow.
SLOW = """
create or replace function moment_of(local_time timestamp, zone text, out moment timestamptz, out occurs text)
language plpgsql as $$ begin perform pg_sleep(30); end $$
"""


def test_a_slow_statement_is_not_reported_as_an_unreachable_database():
    with installed_on_cluster(("serve", "--role", "api")) as (waymark, cluster):
        cluster.sql(SLOW)
        asked = {"expression": "@daily", "zone": "UTC"}
        answer = waymark.api("POST", "/v1/schedule-previews", asked)
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), answer.text
        assert answer.headers["Retry-After"] == "1"
        assert "Ask for less" in answer.json()["detail"]
        assert waymark.api("GET", "/v1/schedules").status_code == 200
