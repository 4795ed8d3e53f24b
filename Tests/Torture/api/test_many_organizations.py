"""Many organizations at the same time, with cancelled requests and killed connections to the database: nobody reads or
changes what belongs to another organization."""

import random
import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from installation import installed_on_cluster

WORKERS = 16
# A text in the content of each organization. No request of another organization contains it.
MARK = re.compile(r"mark\d\dx")
# 404: another organization's domain. 409, 412: another request was first. 503: the connection to the database ended.
EXPECTED = {200, 201, 202, 204, 404, 409, 412, 503}


class Organization:
    def __init__(self, waymark, number):
        self.mark = f"mark{number:02}x"
        self.slug = waymark.create_organization(f"slug{number:02}")
        self.token = waymark.token("owner", self.slug)
        self.host = f"host{number:02}.example"
        self.app = f"TEAM{number:02}ABCD.com.example.{self.mark}"
        team, _, bundle = self.app.partition(".")
        for path, body in [
            ("teams", {"teamID": team, "name": self.mark}),
            ("apps", {"teamID": team, "bundleID": bundle, "name": self.mark}),
            ("domains", {"host": self.host, "labels": [self.mark]}),
        ]:
            answer = waymark.api("POST", f"/v1/{path}", body, token=self.token)
            assert answer.status_code == 201, answer.text
        waymark.put_draft(self.host, self.draft(), token=self.token)

    def draft(self):
        rules = [{"path": f"/{self.mark}/{random.randrange(1000)}"}, {"path": f"/{self.mark}/*"}]
        return {"entries": [{"apps": [self.app], "rules": rules}]}


def acts(own, other):
    """Requests of an organization: reads and changes of its own things, and of another one's domain."""
    domain, foreign = f"/v1/domains/{own.host}", f"/v1/domains/{other.host}"
    urls = {"urls": [f"https://{own.host}/{own.mark}/7"]}
    check = {"url": f"/{own.mark}/{random.randrange(1000)}", "expected": {"outcome": "app", "app": own.app}}
    reads = ["/v1/me", "/v1/teams", "/v1/apps", "/v1/domains", "/v1/labels", "/v1/events?limit=50", "/v1/audit?limit=50"]
    return [
        *(("GET", path, None, True) for path in reads),
        *(("GET", f"{domain}{part}", None, True) for part in ("", "/draft", "/draft/file", "/tests", "/versions")),
        ("POST", f"{domain}/evaluations", urls, True),
        ("PUT", f"{domain}/draft", own.draft(), True),
        ("POST", f"{domain}/tests", check, True),
        ("POST", f"{domain}/versions", {}, True),
        ("PATCH", domain, {"labels": [own.mark, f"{own.mark}-{random.randrange(9)}"]}, True),
        ("GET", foreign, None, False),
        ("GET", f"{foreign}/draft", None, False),
        ("PUT", f"{foreign}/draft", own.draft(), False),
        ("POST", f"{foreign}/evaluations", {"urls": [f"https://{other.host}/"]}, False),
        ("DELETE", foreign, None, False),
    ]


def request(organizations):
    """Sends a request and checks the answer. Returns its status, or None if it was cancelled."""
    own, other = random.sample(organizations, 2)
    method, path, body, is_own = random.choice(acts(own, other))
    headers = {"Authorization": f"Bearer {own.token}", "If-Match": "*"}
    if method == "POST" and random.random() < 0.3:
        headers["Idempotency-Key"] = f'"{random.randrange(1_000)}"'
    is_cancelled = random.random() < 0.05
    try:
        # A client that gives up closes the connection while the request is handled.
        answer = clients.one.request(
            method, path, json=body, headers=headers, timeout=random.uniform(0.001, 0.02) if is_cancelled else 60)
    except httpx.TimeoutException:
        assert is_cancelled
        return None
    found = set(MARK.findall(answer.text))
    assert found <= {own.mark}, (own.slug, method, path, answer.text[:2_000])
    if answer.status_code == 422:
        assert answer.json()["code"] in ("idempotency_key_reused", "invalid", "too_many_tests"), answer.text
    elif answer.status_code != 503:
        assert answer.status_code in (EXPECTED - {404} if is_own else {404}), (method, path, answer.text[:500])
    return answer.status_code


clients = threading.local()


@pytest.mark.timeout(3_000)
def test_nobody_sees_or_changes_what_belongs_to_another_organization(size, figure):
    count, many = size(3_000, 100_000), size(6, 50)
    with installed_on_cluster() as (waymark, cluster):
        waymark.restart({"WAYMARK_RATE_LIMIT_CALLER": "0", "WAYMARK_RATE_LIMIT_ORGANIZATION": "0"})
        organizations = [Organization(waymark, number) for number in range(many)]
        has_ended = threading.Event()
        killed = []

        def kill():
            while not has_ended.wait(0.3):
                killed.append(cluster.sql(
                    "select count(pg_terminate_backend(pid)) from (select pid from pg_stat_activity "
                    "where usename = 'waymark_runtime' and query <> '' order by random() limit 1) as one"))

        def prepare():
            clients.one = httpx.Client(base_url=waymark.url)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            with ThreadPoolExecutor(WORKERS, initializer=prepare) as pool:
                statuses = Counter(pool.map(lambda _: request(organizations), range(count)))
        finally:
            has_ended.set()
            killer.join()
        # The test did what it says.
        assert statuses[None] > count / 100 and statuses[404] > count / 10 and len(killed) > 3, statuses
        assert sum(statuses[status] for status in (200, 201)) > count / 2, statuses
        tables = cluster.sql(
            "select string_agg(distinct table_name, ' ') from information_schema.columns "
            "where column_name = 'organization_id' and table_schema = 'public'").split()
        found = 0
        for table in tables:
            marks, mixed = cluster.sql(
                "select count(*), count(*) filter (where organizations.slug <> 'slug' || found.mark) from ("
                f"select organization_id, (regexp_matches({table}::text, 'mark(\\d\\d)x', 'g'))[1] as mark from {table}"
                ") as found join organizations on organizations.id = found.organization_id").split("|")
            assert mixed == "0", table
            found += int(marks)
        assert found > count / 10
        figure("requests of many organizations", dict(statuses), "no mix-up")
