"""An error disappears when its cause is corrected, and failed requests are retried automatically."""

import re

from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from schedules import Organization

NO_ANSWER = re.compile("Waymark does not answer")


def cut(page, path):
    page.route(path, lambda route: route.abort())


def test_an_error_disappears_when_its_field_changes_and_others_stay(dashboard, host):
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    dashboard.type("Path", "/" + "x" * 5_000)
    dashboard.open_more()
    dashboard.type("Fragment", "y" * 5_000)
    dashboard.press("Save rule")
    path, fragment = dashboard.path, dashboard.page.get_by_role("textbox", name="Fragment")
    expect(path).to_have_attribute("aria-invalid", "true")
    path.fill("/short")
    expect(path).not_to_have_attribute("aria-invalid", "true")
    expect(fragment).to_have_attribute("aria-invalid", "true")
    assert "field-error" not in (path.get_attribute("aria-describedby") or "")
    fragment.fill("")
    expect(dashboard.page.locator(".rule-form .field-error:visible")).to_have_count(0)


def test_an_error_above_the_buttons_disappears_with_the_next_change(dashboard, host):
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    cut(dashboard.page, "**/rules")
    dashboard.type("Path", "/a")
    dashboard.press("Save rule")
    problem = dashboard.page.get_by_role("form", name="New rule").get_by_role("alert")
    expect(problem).to_contain_text(NO_ANSWER)
    dashboard.type("Path", "/b")
    expect(problem).to_be_hidden()


def test_the_tester_the_file_and_the_tests_retry_after_an_outage(waymark, dashboard, host):
    body = {"url": "/buy/1", "expected": {"outcome": "opens", "app": SHOP}}
    assert waymark.api("POST", f"/v1/domains/{host}/tests", body).status_code == 201
    dashboard.open_domain(host, "tests")
    expect(dashboard.page.get_by_text("The test passes.")).to_be_visible()
    dashboard.open_part("Rules")
    for path in ("**/evaluations*", "**/draft/file", "**/test-runs"):
        cut(dashboard.page, path)
    dashboard.press("Delete rule 1, /buy/*")
    expect(dashboard.verdict).to_contain_text("No result")
    file = dashboard.page.get_by_role("region", name="Generated file")
    tests = dashboard.page.get_by_role("region", name="Tests")
    expect(file.get_by_role("alert")).to_contain_text(NO_ANSWER)
    dashboard.open_part("Tests")
    expect(tests.get_by_role("alert")).to_contain_text(NO_ANSWER)
    dashboard.page.unroute_all()
    expect(dashboard.verdict).to_contain_text("No app opens it")
    expect(tests).to_contain_text("1 of 1 test fails")
    expect(tests.get_by_role("alert")).to_be_hidden()
    dashboard.open_part("Rules")
    expect(file.get_by_role("alert")).to_be_hidden()


def test_searching_domains_retries_after_an_outage(waymark, dashboard, host):
    other = waymark.new_domain(draft(([SHOP], [rule("/a")])))
    dashboard.open("/")
    cut(dashboard.page, "**/v1/domains?*")
    dashboard.page.get_by_role("searchbox", name="Search by name").fill(other)
    expect(dashboard.page.get_by_role("alert").filter(has_text=NO_ANSWER)).to_be_visible()
    dashboard.page.unroute_all()
    rows = dashboard.page.get_by_role("table", name="Domains").locator(".domain-row")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(other)
    expect(dashboard.page.get_by_role("alert").filter(visible=True)).to_have_count(0)


def test_searching_apps_shows_the_error_and_retries_after_an_outage(waymark, new_dashboard):
    organization = Organization(waymark)
    organization.made("/v1/teams", {"teamID": "OUTAGETEAM", "name": "Outage"})
    for name in ("alpha", "beta"):
        organization.made("/v1/apps", {"teamID": "OUTAGETEAM", "bundleID": f"com.example.{name}", "name": name})
    board = new_dashboard(organization.slug)
    board.open("/apps")
    expect(board.page.get_by_text("com.example.alpha")).to_be_visible()
    cut(board.page, "**/v1/apps?*")
    board.page.get_by_role("searchbox", name="Search apps").fill("beta")
    expect(board.page.get_by_role("alert").filter(has_text=NO_ANSWER)).to_be_visible()
    board.page.unroute_all()
    expect(board.page.get_by_text("com.example.alpha")).to_be_hidden()
    expect(board.page.get_by_text("com.example.beta")).to_be_visible()
    expect(board.page.get_by_role("alert").filter(visible=True)).to_have_count(0)


def test_filtering_events_and_releases_retries_after_an_outage(waymark, dashboard, published):
    waymark.release({"hosts": [waymark.new_domain(draft(([SHOP], [rule("/a")])))]})
    for page, control, answered in (
        ("/events", lambda page: page.get_by_label("Kind"), "**/v1/events?*"),
        ("/releases", lambda page: page.get_by_label("State"), "**/v1/releases?*"),
    ):
        dashboard.open(page)
        expect(dashboard.page.get_by_text("Loading the")).to_be_hidden()
        cut(dashboard.page, answered)
        control(dashboard.page).first.select_option(index=2)
        expect(dashboard.page.get_by_role("alert").filter(has_text=NO_ANSWER)).to_be_visible()
        dashboard.page.unroute_all()
        expect(dashboard.page.get_by_role("alert").filter(visible=True)).to_have_count(0)
