"""The bar at the top: the same on every page, with the right item marked."""

import pytest
from playwright.sync_api import expect

from checks import low_contrast, overflow


@pytest.mark.parametrize(
    "path, item, state",
    [
        ("/", "Domains", "page"),
        ("/domain", "Domains", "true"),
        ("/domain/tests", "Domains", "true"),
        ("/apps", "Teams and apps", "page"),
        ("/schedules", "Schedules", "page"),
        ("/releases", "Releases", "page"),
        ("/events", "Events", "page"),
        ("/approvals", "Approvals", "page"),
        ("/people", "People", "page"),
        ("/validate", "Check a file", "page"),
    ],
)
def test_the_current_page_is_marked(dashboard, host, path, item, state):
    dashboard.open(path, **({"host": host} if "domain" in path else {}))
    marked = dashboard.page.get_by_role("navigation", name="Main", exact=True).locator("[aria-current]")
    expect(marked).to_have_text([item])
    expect(marked).to_have_attribute("aria-current", state)


def test_public_pages_keep_the_navigation_of_a_signed_in_user(dashboard):
    dashboard.open("/events")
    for path in ("/validate", "/finding", "/api", "/no/such/page"):
        dashboard.page.goto(dashboard.url + path)
        link = dashboard.page.get_by_role("link", name="Schedules", exact=True)
        expect(link).to_have_attribute("href", f"/schedules?organization={dashboard.organization}")
        expect(dashboard.page.get_by_role("link", name="Sign in", exact=True)).to_have_count(0)


def test_a_visitor_sees_only_public_pages_and_causes_no_request(validator):
    requests = []
    validator.page.on("request", lambda request: requests.append(request.url))
    validator.page.goto(f"{validator.url}/api")
    expect(validator.page.get_by_role("heading", level=1)).to_have_text("API reference")
    navigation = validator.page.get_by_role("navigation", name="Main", exact=True)
    expect(navigation.get_by_role("link")).to_have_text(["Check a file", "Findings", "API"])
    expect(validator.page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    validator.press("Account")
    expect(validator.page.get_by_role("button", name="Sign out")).to_have_count(0)
    assert not [each for each in requests if each.endswith("/v1/me")]


def test_after_signing_out_public_pages_are_those_of_a_visitor(waymark, new_dashboard, new_context):
    context = new_context()
    cookies = [{"name": name, "value": value, "url": waymark.url} for name, value in waymark.sign_in().items()]
    context.add_cookies(cookies)
    dashboard = new_dashboard(context=context)
    dashboard.open("/events")
    dashboard.sign_out()
    expect(dashboard.page.get_by_role("status")).to_have_text("You are signed out.")
    dashboard.page.goto(f"{waymark.url}/validate")
    expect(dashboard.page.get_by_role("link", name="Schedules", exact=True)).to_have_count(0)


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_the_account_menu_fits_and_is_readable(new_dashboard, width):
    dashboard = new_dashboard(width=width)
    dashboard.open("/events")
    dashboard.press("Account")
    box = dashboard.page.locator("#account-menu").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and overflow(dashboard.page) <= 0
    assert box["x"] > width / 2 or width < 768
    expect(dashboard.page.locator("#account-menu")).to_contain_text("owner of ")
    assert low_contrast(dashboard.page) == []
    dashboard.page.keyboard.press("Escape")
    expect(dashboard.page.get_by_role("button", name="Sign out")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 390, 768])
def test_a_narrow_page_has_every_page_in_a_menu(new_dashboard, width):
    dashboard = new_dashboard(width=width)
    dashboard.open("/events")
    navigation = dashboard.page.get_by_role("navigation", name="Main", exact=True)
    expect(navigation).to_have_count(0)
    menu = dashboard.page.get_by_role("button", name="Menu", exact=True)
    menu.focus()
    dashboard.page.keyboard.press("Enter")
    links = ["Domains", "Teams and apps", "Schedules", "Releases", "Approvals", "Events", "People", "Check a file"]
    expect(navigation.get_by_role("link")).to_have_text(links)
    expect(navigation).to_be_in_viewport(ratio=1)
    assert navigation.bounding_box()["y"] < menu.bounding_box()["y"] + 60, "the menu is below its button"
    for link in links:
        dashboard.page.keyboard.press("Tab")
        expect(navigation.get_by_role("link", name=link, exact=True)).to_be_focused()
        expect(navigation.get_by_role("link", name=link, exact=True)).to_be_in_viewport(ratio=1)
    assert overflow(dashboard.page) <= 0 and low_contrast(dashboard.page) == []
    dashboard.page.keyboard.press("Escape")
    expect(navigation).to_have_count(0)
    expect(menu).to_be_focused()
