"""What the operator allows an organization: domains, the size of its drafts, and evaluations a minute."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from installation import eventually
from people import problem
from samples import draft


@pytest.fixture
def slug(waymark):
    return waymark.create_organization()


def limit(waymark, slug, *options):
    waymark.cli("organization", "quota", slug, *options)
    time.sleep(1)  # The longest that a process remembers the old ones.


def test_an_organization_has_no_limits_unless_the_operator_sets_them(waymark, slug):
    token = waymark.token(organization=slug)
    shown = waymark.api("GET", "/v1/organization", token=token).json()["quotas"]
    assert shown == {"domains": None, "draftBytes": None, "evaluationsPerMinute": None}
    limit(waymark, slug, "--domains", "2", "--draft-bytes", "5000", "--evaluations", "30")
    shown = waymark.api("GET", "/v1/organization", token=token).json()["quotas"]
    assert shown == {"domains": 2, "draftBytes": 5000, "evaluationsPerMinute": 30}
    limit(waymark, slug, "--domains", "none")
    printed = waymark.cli("organization", "quota", slug).stdout
    assert "domains: no limit" in printed and "evaluated URLs in a minute: 30" in printed
    [event] = waymark.api("GET", "/v1/events?kind=organization.changed&sort=newest&limit=1", token=token).json()["items"]
    assert event["actor"]["kind"] == "operator"
    assert event["detail"]["before"] == {"domains": 2}


@pytest.mark.parametrize("options", [("--domains", "0"), ("--domains", "many"), ("--evaluations", "-1")])
def test_a_wrong_quota_is_refused(waymark, slug, options):
    refused = waymark.cli("organization", "quota", slug, f"{options[0]}={options[1]}", check=False)
    assert refused.returncode == 2 and "must be a number from 1" in refused.stderr


def test_domains_beyond_the_quota_are_refused_also_at_the_same_time(waymark, slug):
    token = waymark.token(organization=slug)
    limit(waymark, slug, "--domains", "3")

    def add(number):
        return waymark.api("POST", "/v1/domains", {"host": f"quota{number}.{slug}.example"}, token=token)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(add, range(6)))
    assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 3
    refused = next(answer for answer in answers if answer.status_code == 409)
    assert problem(refused) == (409, "quota_reached") and "3 domains" in refused.json()["detail"]
    # A lower quota takes nothing away.
    limit(waymark, slug, "--domains", "1")
    assert len(waymark.api("GET", "/v1/domains", token=token).json()["items"]) == 3
    # Another organization is not affected.
    waymark.new_domain()


def test_drafts_grow_to_the_quota_and_can_always_shrink(waymark, slug):
    token = waymark.token(organization=slug)
    small, large = draft("/a"), draft(*(f"/path/{number}" for number in range(200)))
    host, other = waymark.new_domain(small, token=token), waymark.new_domain(large, token=token)
    limit(waymark, slug, "--draft-bytes", "3000")
    path = f"/v1/domains/{host}/draft"
    before = waymark.api("GET", path, token=token).json()
    refused = waymark.api("PUT", path, draft("/a", "/b"), {"If-Match": "*"}, token=token)
    assert problem(refused) == (409, "quota_reached") and "3000 bytes" in refused.json()["detail"]
    added = waymark.api("POST", f"/v1/domains/{host}/rules", {"path": "/new"}, {"If-Match": "*"}, token=token)
    assert problem(added) == (409, "quota_reached")
    assert waymark.api("GET", path, token=token).json() == before
    waymark.put_draft(other, small, token=token)
    waymark.put_draft(host, draft("/a", "/b"), token=token)


def test_evaluations_beyond_the_quota_wait_for_the_next_minute(waymark, slug):
    token = waymark.token(organization=slug)
    host = waymark.new_domain(draft("/a"), token=token)
    limit(waymark, slug, "--evaluations", "30")
    path = f"/v1/domains/{host}/evaluations"

    def evaluate(count):
        return waymark.api("POST", path, {"urls": ["/a"] * count}, token=token)

    # Not at the end of a minute, which would begin a new count.
    eventually(lambda: time.time() % 60 < 50, 15, what="a new minute")
    first = evaluate(20)
    assert first.status_code == 200 and '"evaluation";r=10;' in first.headers["RateLimit"]
    refused = evaluate(11)
    assert problem(refused) == (429, "rate_limited") and "10 are left" in refused.json()["detail"]
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert evaluate(10).status_code == 200
    assert evaluate(1).status_code == 429
    assert waymark.api("GET", "/v1/domains", token=token).status_code == 200, "other requests are not affected"
