"""The list of domains shows and finds problems, and the gate reports without publishing."""

import pytest

from installation import eventually
from samples import draft


@pytest.fixture
def acme(waymark):
    """A new organization, with the token of its owner."""
    return waymark.token(organization=waymark.create_organization())


def listed(waymark, token, query=""):
    answer = waymark.api("GET", f"/v1/domains?{query}", token=token)
    assert answer.status_code == 200, answer.text
    return answer.json()


def hosts(waymark, token, query):
    return [item["host"] for item in listed(waymark, token, query)["items"]]


def checked(waymark, token, host):
    """The domain, when its draft has been checked."""

    def current():
        domain = waymark.api("GET", f"/v1/domains/{host}", token=token).json()
        return domain if domain["checks"] and domain["checks"]["current"] else None

    return eventually(current)


def test_a_worker_checks_a_draft_and_the_list_finds_its_problems(waymark, acme):
    host, other = (waymark.new_domain(draft("/buy/*"), token=acme) for _ in range(2))
    domain = checked(waymark, acme, host)
    findings = waymark.api("GET", f"/v1/domains/{host}/draft/findings", token=acme).json()["findings"]
    counts = {f"{kind}s": sum(f["severity"] == kind for f in findings) for kind in ("error", "warning", "notice")}
    assert domain["checks"] == counts | {"tests": 0, "failed": 0, "current": True}
    checked(waymark, acme, other)  # Before, its draft may still count as empty.
    assert hosts(waymark, acme, "problem=any") == []

    waymark.api("POST", f"/v1/domains/{host}/tests", {"url": "/buy/1", "expected": {"outcome": "none"}}, token=acme)
    eventually(lambda: hosts(waymark, acme, "problem=tests") == [host])
    assert checked(waymark, acme, host)["checks"]["failed"] == 1
    bad = draft("/buy/*")
    bad["entries"][0]["apps"] = ["wrong"]
    waymark.put_draft(other, bad, token=acme)
    eventually(lambda: hosts(waymark, acme, "problem=errors") == [other])
    assert hosts(waymark, acme, "problem=any") == sorted([host, other])
    assert hosts(waymark, acme, "sort=problems") == [other, host]
    assert hosts(waymark, acme, f"host={host}&host=absent.example&problem=tests") == [host]
    counts = listed(waymark, acme, f"counts=true&q={host}")["counts"]
    problems = {"any": 2, "publication": 0, "withdrawal": 0, "errors": 1, "tests": 1, "unverified": 0}
    assert counts == {"limit": 10000, "matching": 1, "problems": problems}
    assert "counts" not in listed(waymark, acme)


def test_every_order_has_pages_without_gaps(waymark, acme):
    made = [waymark.new_domain(draft(f"/{number}"), token=acme) for number in range(5)]
    waymark.publish(made[3], token=acme)
    for host in made:
        checked(waymark, acme, host)  # A check moves a domain in the order of problems.
    for order in ["host", "changed", "published", "problems"]:
        found, cursor = [], ""
        while cursor is not None:
            page = listed(waymark, acme, f"sort={order}&limit=2" + (f"&cursor={cursor}" if cursor else ""))
            found += [item["host"] for item in page["items"]]
            cursor = page["next"]
        assert sorted(found) == sorted(made), order
        assert order != "published" or found[0] == made[3]
    page = listed(waymark, acme, "sort=changed&limit=2")
    other = waymark.api("GET", f"/v1/domains?sort=problems&cursor={page['next']}", token=acme)
    assert (other.status_code, other.json()["code"]) == (422, "invalid_parameter")


@pytest.mark.parametrize(
    "query", ["problem=none", "sort=size", "counts=1", "host=a..b", "&".join(["host=a.example"] * 51)]
)
def test_a_wrong_parameter_of_the_list_is_refused(waymark, acme, query):
    answer = waymark.api("GET", f"/v1/domains?{query}", token=acme)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_parameter")


def test_labels_are_suggested_with_the_number_of_their_domains(waymark, acme):
    for labels in [["shop", "brand-a"], ["shop"]]:
        waymark.new_domain(labels=labels, token=acme)
    items = waymark.api("GET", "/v1/labels", token=acme).json()["items"]
    assert items == [{"label": "brand-a", "domains": 1}, {"label": "shop", "domains": 2}]
    page = waymark.api("GET", "/v1/labels?limit=1", token=acme).json()
    rest = waymark.api("GET", f"/v1/labels?cursor={page['next']}", token=acme).json()
    assert page["items"] + rest["items"] == items
    assert waymark.api("GET", "/v1/labels?q=sh", token=acme).json()["items"] == items[1:]


def test_a_publication_is_checked_without_being_made(waymark, acme):
    host = waymark.new_domain(draft("/1"), token=acme)

    def check(**fields):
        answer = waymark.api("POST", f"/v1/domains/{host}/publication-checks", fields, token=acme)
        assert answer.status_code == 200, answer.text
        return answer.json()

    first = check()
    assert (first["host"], first["version"], first["unchanged"]) == (host, None, False)
    assert first["report"]["passed"]
    assert [item["name"] for item in first["report"]["checks"]][:3] == ["generate", "parse", "lint"]
    assert waymark.api("GET", f"/v1/domains/{host}/versions", token=acme).json()["items"] == []

    waymark.publish(host, token=acme)
    assert check()["unchanged"]
    older = check(version=1)
    assert (older["draftRevision"], older["version"], older["unchanged"]) == (None, 1, True)
    bad = draft("/1")
    bad["entries"][0]["apps"] = ["wrong"]
    waymark.put_draft(host, bad, token=acme)
    failed = check()
    assert not failed["report"]["passed"]
    refused = waymark.api("POST", f"/v1/domains/{host}/publications", {}, token=acme)
    assert refused.status_code == 422
    assert refused.json()["report"] == failed["report"]
    unknown = waymark.api("POST", f"/v1/domains/{host}/publication-checks", {"version": 9}, token=acme)
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
