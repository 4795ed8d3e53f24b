"""What a page costs before compression, API calls included."""

import pytest

from dashboard import draft, rule


REQUESTS = 15
BYTES = 150 * 1024

PAGES = ["/", "/apps", "/events", "/people", "/approvals", "/account", "/schedules", "/releases", "/validate"]
SECTIONS = ["rules", "tests", "versions", "serving", "settings"]


@pytest.fixture
def cost(new_dashboard):
    """Opens a page in a window with an empty cache. Returns the addresses that it requested, and their bytes before
    compression. A request for news, which the server holds open, does not count."""

    def measure(path, organization=None, **query):
        dashboard = new_dashboard(organization, width=1440)
        dashboard.open(path, **query)
        dashboard.page.wait_for_timeout(1_500)
        return dashboard.page.evaluate(
            """() => {
                const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
                return [all.map(({ name }) => name), all.reduce((sum, one) => sum + one.decodedBodySize, 0)];
            }"""
        )

    return measure


def check(cost):
    urls, size = cost
    assert len(urls) <= REQUESTS, urls
    assert size <= BYTES, f"{size} bytes: {urls}"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_light(published, cost, path):
    check(cost(path))


def test_the_page_of_an_app_is_light(apps, cost):
    check(cost("/app", app=apps[0]))


def test_the_rules_of_a_draft_with_findings_are_light(waymark, cost):
    """In an organization of its own: the page loads all apps, and other tests register many."""
    slug = waymark.create_organization()
    token = waymark.token(organization=slug)
    waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"}, token=token)
    waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app", "name": "Shop"}, token=token)
    wrong = [rule("/*"), rule("/never/*", exclude=True), rule("/x/$(unknown)")]
    host = waymark.new_domain(draft((["ABCDE12345.com.example.app"], wrong)), token=token)
    check(cost("/domain/rules", organization=slug, host=host))


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_of_a_domain_is_light(published, cost, section):
    check(cost(f"/domain/{section}", host=published))


def test_the_page_to_publish_is_light(published, cost):
    check(cost("/publish", host=published))
