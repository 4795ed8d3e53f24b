"""`total=true` counts all items of a list, whatever the page."""

import pytest

from contract import DOCUMENT
from publications import moment
from samples import draft


@pytest.fixture(scope="module")
def acme(waymark):
    """An organization with three of most things, and a function that reads its lists."""
    slug = waymark.create_organization()
    token = waymark.token("owner", slug)

    def made(path, body, status=201, **more):
        answer = waymark.api("POST", path, body, token=token, **more)
        assert answer.status_code == status, answer.text

    for number in range(3):
        made("/v1/teams", {"teamID": f"ABCDE1234{number}", "name": "Team"})
        made("/v1/apps", {"teamID": "ABCDE12340", "bundleID": f"com.example.app{number}", "name": f"App {number}"})
        made("/v1/freezes", {"label": "none", "reason": "the sale", "endsAt": moment(3_600)})
        body = {"name": f"s{number}", "label": "none", "expression": "0 0 29 2 *", "zone": "UTC"}
        made("/v1/schedules", body)
        waymark.cli("user", "add", f"p{number}@{slug}.example", "--organization", slug, "--role", "viewer")
    host = waymark.new_domain(None, token)
    for number in range(3):
        waymark.put_draft(host, draft(f"/{number}", apps=["ABCDE12340.com.example.app0"]), token)
        waymark.publish(host, token)
        made(f"/v1/domains/{host}/tests", {"url": f"/{number}", "expected": {"outcome": "none"}})

    def read(path, **query):
        answer = waymark.api("GET", path.replace("{host}", host), params=query, token=token)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return read


@pytest.mark.parametrize(
    "path, total",
    [
        ("/v1/teams", 3),
        ("/v1/apps", 3),
        ("/v1/freezes", 3),
        ("/v1/schedules", 3),
        ("/v1/members", 4),
        ("/v1/tokens", 1),
        ("/v1/invitations", 0),
        ("/v1/publications", 3),
        ("/v1/domains/{host}/versions", 3),
        ("/v1/domains/{host}/publications", 3),
        ("/v1/domains/{host}/tests", 3),
    ],
)
def test_a_list_counts_its_items_on_every_page(acme, path, total):
    first = acme(path, total="true", limit=1)
    assert (first["total"], len(first["items"])) == (total, min(total, 1))
    if first["next"]:
        second = acme(path, total="true", limit=1, cursor=first["next"])
        assert (second["total"], len(second["items"])) == (total, 1)
    assert "total" not in acme(path) and "total" not in acme(path, total="false")


def test_a_total_counts_only_what_the_filters_select(acme):
    assert acme("/v1/apps", total="true", q="app1")["total"] == 1
    assert acme("/v1/publications", total="true", state="pending")["total"] == 0
    assert acme("/v1/freezes", total="true", state="ended")["total"] == 0


def test_every_list_of_a_bounded_size_has_a_total():
    """Events and labels have none: their number says nothing. Domains have counts by state instead. An export comes in
    parts, and is no list."""
    lists = {}
    for path, item in DOCUMENT["paths"].items():
        names = {each.get("$ref", "").rpartition("/")[2] for each in item.get("get", {}).get("parameters", [])}
        if "Cursor" in names:
            lists[path] = names
    assert len(lists) > 25
    assert {path for path, found in lists.items() if "Total" not in found} == {
        "/v1/audit", "/v1/domains", "/v1/events", "/v1/labels", "/v1/schedule-calendar", "/v1/apps/{appID}/domains",
        "/v1/organization/export",
    }
