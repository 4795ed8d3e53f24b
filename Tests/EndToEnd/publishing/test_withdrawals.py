"""Withdrawals: the host is served until the grace period ends, and answers 404 afterwards. Until then the withdrawal
can be undone."""

import json
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from consumers import DirectoryWriter
from fault_points import WITHDRAWAL_POINTS
from installation import EXECUTABLE, eventually
from load import Load
from publications import PATH
from samples import draft
from withdrawals import REASON, served


@pytest.fixture(scope="module")
def hosts():
    with served() as hosts:
        yield hosts


@pytest.fixture
def alone():
    """An installation that serves nothing yet."""
    with served() as hosts:
        yield hosts


def test_a_host_and_its_aliases_are_served_until_the_grace_period_ends_then_404(hosts):
    waymark = hosts.waymark
    host, other = hosts.new("/1"), hosts.new("/other")
    alias = hosts.new(aliasOf=host)
    body = hosts.until(alias, 200).content
    before = hosts.domain(host)
    withdrawal = hosts.withdraw(host, graceSeconds=3_600)
    assert (withdrawal["state"], withdrawal["reason"], withdrawal["host"]) == ("pending", REASON["reason"], host)
    assert (withdrawal["activation"], withdrawal["endedAt"], withdrawal["cause"]) == (None, None, None)
    made, due = (datetime.fromisoformat(withdrawal[name]) for name in ("createdAt", "dueAt"))
    assert abs(due - made - timedelta(hours=1)) < timedelta(seconds=1)
    after = hosts.domain(host)
    # Workers and edges report meanwhile.
    assert after == before | {"withdrawal": withdrawal, "checks": after["checks"], "serving": after["serving"]}
    assert hosts.domain(alias)["withdrawal"] == withdrawal
    assert waymark.edge(host).content == waymark.edge(alias).content == body

    assert hosts.take_down(other)["state"] == "withdrawn"
    hosts.until(other, 404)
    assert waymark.edge(host).content == waymark.edge(alias).content == body, "the grace period has not ended"
    hosts.end_grace(withdrawal)
    ended = hosts.ended(withdrawal)
    assert (ended["state"], ended["cause"]) == ("withdrawn", None)
    for name in [host, alias]:
        got = hosts.until(name, 404)
        assert "no-store" in got.headers["Cache-Control"] and "Location" not in got.headers
    shown = hosts.domain(host)
    assert (shown["state"], shown["live"], shown["withdrawal"]) == ("withdrawn", None, None)
    assert hosts.domain(alias)["state"] == "alias"
    assert waymark.api("GET", f"/v1/domains/{host}/withdrawals").json()["items"] == [ended]
    assert [d["host"] for d in waymark.api("GET", "/v1/domains?state=withdrawn").json()["items"]] == sorted(
        [host, other]
    )

    assert waymark.publish(host)["activation"] > ended["activation"]
    assert hosts.until(host, 200).content == hosts.until(alias, 200).content == body
    assert hosts.domain(host)["state"] == "live"


def test_a_host_with_a_pending_withdrawal_cannot_be_withdrawn_published_or_deleted(hosts):
    waymark = hosts.waymark
    host = hosts.new("/1")
    later = (datetime.now().astimezone() + timedelta(days=1)).isoformat(timespec="seconds")
    scheduled = waymark.api("POST", f"/v1/domains/{host}/publications", {"at": later}).json()
    withdrawal = hosts.withdraw(host)
    for path, body in [("withdrawals", REASON), ("publications", {}), ("publications", {"at": later})]:
        refused = waymark.api("POST", f"/v1/domains/{host}/{path}", body)
        assert (refused.status_code, refused.json()["code"]) == (409, "being_withdrawn"), refused.text
        assert refused.json()["dueAt"] == withdrawal["dueAt"]
    refused = waymark.api("DELETE", f"/v1/domains/{host}")
    assert (refused.status_code, refused.json()["code"]) == (409, "domain_is_served")
    assert "POST /v1/domains/{host}/withdrawals" in refused.json()["detail"]
    hosts.end_grace(withdrawal)
    hosts.ended(withdrawal)
    path = f"/v1/domains/{host}/publications/{scheduled['id']}"
    cancelled = waymark.api("GET", path).json()
    assert (cancelled["state"], cancelled["cause"]) == (
        "cancelled",
        "the host was withdrawn by test-owner: the campaign is over",
    )
    refused = waymark.api("DELETE", f"/v1/domains/{host}")
    assert (refused.status_code, refused.json()["code"]) == (409, "domain_is_served")
    refused = waymark.api("POST", f"/v1/domains/{host}/withdrawals", REASON)
    assert (refused.status_code, refused.json()["code"]) == (409, "nothing_live")


def test_a_withdrawal_can_be_undone_and_no_request_fails(hosts):
    waymark = hosts.waymark
    host = hosts.new("/1")
    body = waymark.edge(host).content
    with Load(waymark.edge_url + PATH, {"Host": host}) as load:
        withdrawal = hosts.withdraw(host)
        path = f"/v1/domains/{host}/withdrawals/{withdrawal['id']}"
        undone = waymark.api("DELETE", path)
        assert (undone.status_code, undone.json()["state"]) == (200, "cancelled")
        assert undone.json()["cause"] == "undone by test-owner"
        assert hosts.domain(host)["withdrawal"] is None
        hosts.end_grace(withdrawal)
        assert hosts.take_down(hosts.new("/marker"))["state"] == "withdrawn"
        assert waymark.publish_again(host)["state"] == "live"
    assert {(seen.status, seen.body) for seen in load.seen} == {(200, body)} and load.failures == []
    refused = waymark.api("DELETE", path)
    assert (refused.status_code, refused.json()["code"]) == (409, "withdrawal_ended")


def test_an_alias_is_withdrawn_separately_and_comes_back_when_verified_again(hosts):
    waymark = hosts.waymark
    host = hosts.new("/1")
    alias = hosts.new(aliasOf=host)
    hosts.until(alias, 200)
    withdrawal = hosts.withdraw(alias)
    assert hosts.domain(host)["withdrawal"] is None
    waymark.put_draft(host, draft("/2"))
    waymark.publish(host)
    assert hosts.domain(alias)["live"]["version"] == 2, "until then it follows its domain"
    hosts.end_grace(withdrawal)
    hosts.ended(withdrawal)
    hosts.until(alias, 404)
    assert hosts.domain(alias)["state"] == "withdrawn"
    waymark.put_draft(host, draft("/3"))
    waymark.publish(host)
    sha256 = hosts.domain(host)["live"]["sha256"]
    waymark.served(host, sha256)
    assert waymark.edge(alias).status_code == 404
    hosts.verify(alias)
    waymark.served(alias, sha256)
    assert hosts.domain(alias)["state"] == "alias"


def test_withdrawing_requires_an_administrator_and_a_reason(hosts):
    waymark = hosts.waymark
    host = hosts.new("/1")
    path = f"/v1/domains/{host}/withdrawals"
    refused = waymark.api("POST", path, REASON, token=waymark.token("publisher"))
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    faulty = [
        ({}, "/reason"),
        ({"reason": ""}, "/reason"),
        (REASON | {"graceSeconds": 59}, "/graceSeconds"),
        (REASON | {"graceSeconds": 2_592_001}, "/graceSeconds"),
        (REASON | {"grace": 60}, "/grace"),
    ]
    for body, pointer in faulty:
        refused = waymark.api("POST", path, body)
        assert refused.status_code == 422, body
        assert [error["pointer"] for error in refused.json()["errors"]] == [pointer], body
    assert waymark.api("GET", path, token=waymark.token("viewer")).json() == {"items": [], "next": None}
    made = waymark.api("POST", path, REASON, token=waymark.token("admin"))
    made, due = (datetime.fromisoformat(made.json()[name]) for name in ("createdAt", "dueAt"))
    assert abs(due - made - timedelta(days=1)) < timedelta(seconds=1)


def test_withdraw_on_the_command_line(hosts):
    waymark = hosts.waymark
    host = hosts.new("/1")

    def withdraw(*arguments, role="admin"):
        return subprocess.run(
            [EXECUTABLE, "withdraw", *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=120,
            env={"LANG": "C.UTF-8", "WAYMARK_URL": waymark.url, "WAYMARK_TOKEN": waymark.token(role)},
        )

    for arguments in [(host,), (host, "--undo", "--reason", "x"), (host, "--reason", "x", "--grace", 1)]:
        assert withdraw(*arguments).returncode == 2, arguments
    assert withdraw(host, "--reason", "x", role="publisher").returncode == 3
    result = withdraw(host, "--undo")
    assert (result.returncode, result.stdout) == (1, "") and "nothing to undo" in result.stderr
    result = withdraw(host, "--reason", "over", "--grace", 3600)
    due = hosts.domain(host)["withdrawal"]["dueAt"]
    assert (result.returncode, result.stdout) == (0, f"{host}: will be withdrawn at {due}\n")
    assert withdraw(host, "--reason", "over").returncode == 1
    alias = hosts.new(aliasOf=host)
    result = withdraw(alias, "--undo")
    assert result.returncode == 1 and f"with {host}; undo the withdrawal of {host}" in result.stderr
    result = withdraw(host, "--undo", "--json")
    assert (result.returncode, json.loads(result.stdout)["state"]) == (0, "cancelled")
    result = withdraw(host, "--reason", "over")
    assert result.returncode == 0
    assert withdraw(host, "--undo").stdout == f"{host}: the withdrawal is undone\n"


@pytest.mark.destructive
def test_the_last_host_is_withdrawn_from_the_edge_and_from_a_directory(alone):
    waymark = alone.waymark
    host = alone.new("/1")
    writer = DirectoryWriter(waymark)
    try:

        def pointers():
            return [path for path in writer.root.rglob("*") if path.name == host]

        eventually(pointers, 60, what="the host in the kept directory")
        withdrawal = alone.withdraw(host)
        end_edge(waymark)
        assert alone.until(host, 200, waymark.edge_after_takeover)
        alone.end_grace(withdrawal)
        alone.ended(withdrawal)
        alone.until(host, 404)
        eventually(lambda: not pointers(), 60, what="a kept directory without the host")
        waymark.restart()
        assert waymark.edge_after_takeover(host).status_code == 404
        manifest = waymark.api("GET", "/internal/manifest", token=(waymark.state / "consumer-secret").read_text().strip())
        assert "hosts 0\nemptied yes\n" in manifest.text
        waymark.publish(host)
        alone.until(host, 200)
        eventually(pointers, 60, what="the host in the kept directory again")
    finally:
        writer.process.terminate()
        assert writer.process.wait(60) == 0


def end_edge(waymark):
    """Kills the edge and waits for its replacement."""
    [edge] = [pid for pid, command in waymark.processes().items() if command.endswith("serve --role edge")]
    os.kill(edge, signal.SIGKILL)

    def others():
        return [p for p, c in waymark.processes().items() if c.endswith("serve --role edge") and p != edge]

    eventually(others, 60, what="another edge")


def die_at(point):
    """Checks that a withdrawal whose process is killed at a fault point ends once, and that the host never gives
    another answer."""
    with served() as hosts:
        waymark = hosts.waymark
        host = hosts.new("/1")
        alias = hosts.new(aliasOf=host)
        body = hosts.until(alias, 200).content
        waymark.restart({"WAYMARK_FAULT": point})
        with Load(waymark.edge_url + PATH, {"Host": host}) as load:
            withdrawal = hosts.withdraw(host)
            hosts.end_grace(withdrawal)
            assert waymark.process.wait(60) == -signal.SIGKILL, point
            waymark.process = None
            waymark.start()
            ended = hosts.ended(withdrawal)
            for name in [host, alias]:
                hosts.until(name, 404, waymark.edge_after_takeover)
        assert ended["state"] == "withdrawn", point
        assert {seen.status for seen in load.seen} <= {200, 404}, point
        assert {seen.body for seen in load.seen if seen.status == 200} == {body}, point
        statuses = [seen.status for seen in load.seen]
        assert statuses == sorted(statuses), f"{point}: served again after a 404"
        last = int(hosts.cluster.sql("select last from activation_counter"))
        assert last == 4, f"{point}: two hosts went live and were withdrawn once"
        assert hosts.cluster.sql("select count(*) from jobs") == "0", point


@pytest.mark.destructive
@pytest.mark.timeout(240)
def test_a_withdrawal_killed_at_each_of_its_steps_ends_once():
    with ThreadPoolExecutor(len(WITHDRAWAL_POINTS)) as pool:
        list(pool.map(die_at, WITHDRAWAL_POINTS))
