"""From an empty organization to a file that a phone can fetch."""

import json

from playwright.sync_api import expect


def test_the_example_takes_one_click_and_publishing_it_three_more(waymark, new_dashboard):
    organization = waymark.create_organization()
    dashboard = new_dashboard(organization)
    dashboard.open("/")
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Add your first domain")

    dashboard.press("Try Apple’s example")
    dashboard.page.wait_for_url("**/domain?*")
    host = f"shop.{organization}.example"
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(host)
    dashboard.expect_patterns("any path#no_universal_links", "/buy/*", "/help/website/*", "/help/*?articleNumber=????")
    expect(dashboard.verdict).to_contain_text("Opens Example App")

    dashboard.publish()
    expect(dashboard.page.get_by_role("main").get_by_text("Version 1 · went live")).to_be_visible()
    version = waymark.api(
        "GET", f"/v1/domains/{host}/versions/1", token=waymark.token(organization=organization)
    ).json()
    served = waymark.served(host, version["sha256"])
    assert served.headers["Content-Type"] == "application/json"
    components = json.loads(served.text)["applinks"]["details"][0]["components"]
    assert components == [
        {"#": "no_universal_links", "exclude": True},
        {"/": "/buy/*"},
        {"/": "/help/website/*", "exclude": True},
        {"/": "/help/*", "?": {"articleNumber": "????"}},
    ]


def test_the_example_can_be_requested_twice(waymark, new_dashboard):
    organization = waymark.create_organization()
    first, second = new_dashboard(organization), new_dashboard(organization)
    for dashboard in (first, second):
        dashboard.open("/")
        expect(dashboard.page.get_by_role("button", name="Try Apple’s example")).to_be_visible()
    for dashboard in (first, second):
        dashboard.press("Try Apple’s example")
        dashboard.page.wait_for_url("**/domain?*")
    expect(second.rules).to_have_count(4)


def test_the_page_shows_a_command_that_fetches_the_live_file(waymark, dashboard, published):
    dashboard.open_domain(published, "serving")
    expect(dashboard.page.get_by_text(f"curl -H 'Host: {published}'")).to_be_visible()
