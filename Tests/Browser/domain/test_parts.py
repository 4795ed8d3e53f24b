"""The parts of a domain's page: their addresses, the head that stays, and the tester beside every part."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule, until

PARTS = ["Rules", "Tests", "Versions", "Serving", "Settings"]


def links(dashboard):
    return dashboard.page.get_by_role("navigation", name="Parts of this page").get_by_role("link")


def expect_part(dashboard, host, name):
    """The part is visible and current, and its heading has the focus."""
    expect(links(dashboard).and_(dashboard.page.locator("[aria-current=page]"))).to_have_text(name)
    expect(dashboard.page).to_have_title(f"{host} · {name} · Waymark")
    heading = "Draft" if name == "Rules" else name
    expect(dashboard.page.get_by_role("heading", name=heading, level=2, exact=True)).to_be_focused()


def test_parts_are_changed_without_loading_the_page_and_back_returns(dashboard, host):
    dashboard.open_domain(host)
    loads = []
    dashboard.page.on("load", lambda page: loads.append(page.url))
    for name in PARTS[1:]:
        dashboard.open_part(name)
        expect_part(dashboard, host, name)
        assert f"/domain/{name.lower()}?" in dashboard.page.url
    for name in reversed(PARTS[:-1]):
        dashboard.page.go_back()
        expect_part(dashboard, host, name)
    dashboard.page.go_forward()
    expect_part(dashboard, host, "Tests")
    assert loads == []


def test_a_part_is_opened_by_its_address(dashboard, host):
    for name in PARTS:
        dashboard.open_domain(host, name.lower())
        expect(links(dashboard).and_(dashboard.page.locator("[aria-current=page]"))).to_have_text(name)


@pytest.mark.parametrize(
    "place, name",
    [("", "Rules"), ("#versions", "Versions"), ("#tests", "Tests"), ("#withdrawing", "Settings"), ("#handover", "Serving")],
)
def test_older_addresses_lead_to_the_right_part(dashboard, host, place, name):
    dashboard.page.goto(f"{dashboard.url}/domain?organization={dashboard.organization}&host={host}{place}")
    expect(links(dashboard).and_(dashboard.page.locator("[aria-current=page]"))).to_have_text(name)


def test_each_part_loads_its_data_when_it_is_first_shown(dashboard, published):
    asked = []
    dashboard.page.on("request", lambda request: asked.append(request.url.partition("/v1/")[2]))
    wanted = {"Tests": "/test-runs", "Versions": "schedules?", "Serving": "/serving"}
    dashboard.open_domain(published)
    assert not [path for path in asked if any(each in path for each in wanted.values())]
    for name, path in wanted.items():
        dashboard.open_part(name)
        expect(dashboard.page.get_by_role("region", name=name, exact=True)).not_to_be_empty()
        until(dashboard.page, lambda path=path: [each for each in asked if path in each])


def test_what_is_typed_in_a_part_is_kept_while_another_is_shown(dashboard, host):
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    dashboard.type("Path", "/typed/*")
    dashboard.open_part("Settings")
    dashboard.open_part("Rules")
    expect(dashboard.path).to_have_value("/typed/*")


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_head_and_the_tester_stay_in_view(waymark, new_dashboard, apps, width):
    host = waymark.new_domain(draft(([SHOP], [rule(f"/campaign-{number}/*") for number in range(60)])))
    dashboard = new_dashboard(width=width)
    dashboard.open_domain(host)
    dashboard.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    for role, name in (("heading", host), ("link", "Publish…"), ("link", "Versions")):
        expect(dashboard.page.get_by_role(role, name=name, exact=True)).to_be_in_viewport(ratio=0.9)
    if width < 1_000:
        expect(dashboard.verdict).to_be_hidden()
        dashboard.press("Try a URL")
    expect(dashboard.verdict).to_be_in_viewport()
    dashboard.ask("/campaign-7/x")
    expect(dashboard.verdict).to_contain_text("Opens Shop")


def test_escape_closes_the_tester_on_a_phone(new_dashboard, host):
    dashboard = new_dashboard(width=360)
    dashboard.open_domain(host)
    toggle = dashboard.page.get_by_role("button", name="Try a URL")
    toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    dashboard.ask("/buy/7")
    dashboard.page.keyboard.press("Escape")
    expect(toggle).to_be_focused()
    expect(dashboard.verdict).to_be_hidden()


def test_the_tester_makes_room_beside_parts_without_urls(dashboard, published):
    page = dashboard.open_domain(published, "settings")
    toggle = page.get_by_role("button", name="Try a URL")
    expect(toggle).to_have_attribute("aria-expanded", "false")
    parts = page.locator(".bench-parts")
    closed = parts.bounding_box()["width"]
    ends = [box["x"] + box["width"] for box in (parts.bounding_box(), toggle.bounding_box())]
    assert abs(ends[0] - ends[1]) < 1
    toggle.click()
    expect(dashboard.verdict).to_be_visible()
    assert parts.bounding_box()["width"] < closed - 200
    page.reload()
    expect(dashboard.verdict).to_be_visible()
    toggle.click()
    page.reload()
    expect(toggle).to_have_attribute("aria-expanded", "false")
    dashboard.open_part("Rules")
    expect(dashboard.verdict).to_be_visible()
    expect(toggle).to_be_hidden()


def test_an_alias_has_the_parts_that_it_needs(waymark, dashboard, published):
    alias = waymark.new_domain(aliasOf=published)
    for address in ("/domain", "/domain/rules"):
        dashboard.open(address, host=alias)
        expect(links(dashboard)).to_have_text(["Serving", "Settings"])
        expect(links(dashboard).and_(dashboard.page.locator("[aria-current=page]"))).to_have_text("Serving")
    dashboard.open_part("Settings")
    expect(dashboard.page.get_by_role("region", name="Labels")).to_be_visible()
    expect(dashboard.verdict).to_be_hidden()


def test_a_version_is_compared_with_the_draft(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule("/gifts/*")])))
    dashboard.open_domain(published, "versions")
    dashboard.press("Compare version 1 with another")
    expect(dashboard.dialog.get_by_role("heading", name="Changes from version 1 to the draft")).to_be_visible()
    changes = dashboard.dialog.get_by_label("Changed lines")
    expect(changes.locator("[data-change=added]").filter(has_text="/gifts/*")).to_have_count(1)
    waymark.publish(published)
    dashboard.page.keyboard.press("Escape")
    dashboard.press("Compare version 1 with another")
    expect(dashboard.dialog.get_by_role("combobox", name="Compare with")).to_have_value("2")
    dashboard.dialog.get_by_role("combobox", name="Compare with").select_option("The draft")
    expect(dashboard.dialog.get_by_role("heading", name="Changes from version 1 to the draft")).to_be_visible()


def test_the_versions_show_what_was_rolled_back_and_where_each_is_served(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/bad/*")])))
    waymark.publish(published)
    waymark.publish_again(published, version=1)
    dashboard.open_domain(published, "versions")
    rows = dashboard.page.get_by_role("region", name="Versions").locator(".version")
    expect(rows.nth(0)).to_contain_text("Replaced by a rollback to version 1")
    expect(rows.nth(1)).to_contain_text("Live")
    expect(rows.nth(1)).to_contain_text("Served by")
    expect(rows.nth(1)).not_to_contain_text("roll-back")


def test_a_scheduled_version_says_so_in_the_list_too(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/soon/*")])))
    due = f"{datetime.now(UTC) + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"
    publication = waymark.api("POST", f"/v1/domains/{published}/publications", {"at": due}).json()
    dashboard.open_domain(published, "versions")
    badge = dashboard.page.locator(".version", has_text="Version 2").get_by_text("Scheduled")
    expect(badge).to_be_visible()
    waymark.api("DELETE", f"/v1/domains/{published}/publications/{publication['id']}")
    expect(badge).to_be_hidden()


def test_a_part_that_does_not_arrive_can_be_tried_again(dashboard, host):
    page = dashboard.open_domain(host)
    page.route("**/domain/tests/part.js", lambda route: route.abort())
    dashboard.open_part("Tests")
    problem = page.get_by_role("alert").filter(has_text="“Tests” could not be loaded. Waymark does not answer.")
    expect(problem).to_be_visible()
    dashboard.open_part("Settings")
    expect(problem).to_be_hidden()
    page.go_back()
    expect(problem.get_by_role("button", name="Try again")).to_be_focused()
    page.unroute("**/domain/tests/part.js")
    dashboard.press("Try again")
    expect_part(dashboard, host, "Tests")
    expect(problem).to_be_hidden()


def add_rule_slowly(dashboard, host):
    """Presses "Add a rule". Returns the page, and the held request for the form."""
    page = dashboard.open_domain(host)
    held = []
    page.route("**/pieces/domain/rule-forms", lambda route: held.append(route))
    dashboard.press("Add a rule")
    until(page, lambda: held)
    return page, held


def test_a_press_before_its_script_has_arrived_is_not_lost(dashboard, host):
    page, held = add_rule_slowly(dashboard, host)
    expect(dashboard.path).to_be_hidden()
    held.pop().abort()
    expect(dashboard.announcement).to_contain_text("Waymark does not answer.")
    dashboard.press("Add a rule")
    until(page, lambda: held)
    held.pop().continue_()
    expect(dashboard.path).to_be_focused()


def test_a_form_that_arrives_late_leaves_the_focus_where_the_user_types(dashboard, host):
    page, held = add_rule_slowly(dashboard, host)
    tester = page.get_by_role("textbox", name="URLs, one per line")
    tester.fill("/buy")
    held.pop().continue_()
    expect(dashboard.path).to_be_visible()
    page.keyboard.type("/1")
    expect(tester).to_have_value("/buy/1")
    expect(tester).to_be_focused()
    dashboard.press("Edit rule 1")
    expect(dashboard.path.first).to_be_focused()


def test_the_tester_waits_for_the_user_beside_parts_without_the_draft(dashboard, published):
    asked = []
    dashboard.page.on("request", lambda request: asked.append(request.url))
    page = dashboard.open_domain(published, "versions")
    expect(page.get_by_role("region", name="Versions", exact=True)).to_contain_text("Version 1")
    expect(dashboard.verdict).to_be_hidden()
    dashboard.press("Try a URL")
    expect(dashboard.verdict).to_contain_text("Type a URL")
    assert not [url for url in asked if url.endswith("/draft") or "/evaluations" in url]
    dashboard.ask("/buy/1")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
