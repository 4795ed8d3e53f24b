"""One key finds domains, apps, rules, versions, pages and actions."""

import re

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, low_contrast, overflow
from dashboard import SHOP, draft, rule
from finder import Finder
from schedules import Organization


@pytest.fixture
def finder(dashboard):
    dashboard.open("/events")
    return Finder(dashboard)


def test_a_domain_is_found_and_opened_by_keyboard(finder, host):
    finder.open().type(host)
    finder.choose(host)
    expect(finder.page.get_by_role("heading", level=1)).to_have_text(host)
    expect(finder.dialog).to_be_hidden()


def test_an_app_leads_to_its_page(finder, apps):
    finder.open().type("com.example.shop")
    option = finder.options.filter(has_text="Shop").first
    expect(option).to_contain_text(apps[0])
    finder.choose("Shop")
    finder.page.wait_for_url(re.compile(rf"/app\?organization=.*&app={apps[0]}"))


def test_a_host_and_a_number_find_a_version(finder, published):
    finder.open().type(f"{published} 1")
    expect(finder.options.first).to_have_text(f"Version 1 of {published}")
    finder.choose(f"Version 1 of {published}")
    expect(finder.page.locator(":focus")).to_contain_text("Version 1")
    finder.page.wait_for_url(re.compile(r"/domain/versions\?"))
    finder.open().type(f"{published} 99")
    expect(finder.options.filter(has_text="Version")).to_have_count(0)


def test_a_url_leads_to_the_tester_of_its_domain(finder, published):
    finder.open().type(f"https://{published}/buy/42?from=mail")
    finder.choose("Which app opens this URL?")
    expect(finder.page.get_by_role("heading", level=1)).to_have_text(published)
    expect(finder.page.get_by_role("textbox", name="URLs, one per line")).to_have_value(f"https://{published}/buy/42?from=mail")
    # Another one on the same page replaces it.
    finder.open().type(f"https://{published}/help")
    finder.choose("Which app opens this URL?")
    expect(finder.page.get_by_role("textbox", name="URLs, one per line")).to_have_value(f"https://{published}/help")
    finder.open().type("https://unknown.example/")
    expect(finder.dialog.get_by_role("status")).to_have_text("Nothing found.")


def test_the_rules_versions_and_parts_of_the_open_domain_are_found(dashboard, published):
    dashboard.open_domain(published)
    finder = Finder(dashboard).open().type("help/website")
    expect(finder.selected).to_contain_text("/help/website/*")
    finder.type("version 1")
    expect(finder.selected).to_contain_text("Version 1")
    finder.type("tests")
    finder.choose(published)
    dashboard.page.wait_for_url(re.compile(r"/domain/tests\?"))


def test_a_path_finds_rules_of_the_domains_that_the_user_opened_last(waymark, dashboard, host):
    other = waymark.new_domain(draft(([SHOP], [rule("/buy/later/*")])))
    for each in (host, other):
        dashboard.open_domain(each)
    dashboard.open("/events")
    finder = Finder(dashboard).open().type("/buy/")
    found = finder.options.filter(has_text="/buy/")
    expect(found.filter(has_text=host)).to_have_count(1)
    expect(found.filter(has_text=other)).to_contain_text("/buy/later/*")
    found.filter(has_text=other).click()
    dashboard.page.wait_for_url(re.compile(rf"/domain/rules\?.*host={other}#rule-"))


def test_pages_are_found_while_the_api_does_not_answer(finder):
    finder.page.route(re.compile(r"/v1/(domains|apps)\?"), lambda route: None)
    finder.open().type("sched")
    expect(finder.selected).to_have_text("Schedules")
    finder.page.keyboard.press("Enter")
    finder.page.wait_for_url(re.compile(r"/schedules\?"))


def test_a_failing_api_is_reported_and_the_pages_stay(finder):
    finder.page.route(re.compile(r"/v1/(domains|apps)\?"), lambda route: route.abort())
    finder.open().type("events")
    expect(finder.dialog.get_by_role("status")).to_contain_text("does not answer")
    expect(finder.selected).to_have_text("Events")


def test_the_last_things_opened_come_first(finder, host):
    finder.open().type(host)
    finder.choose(host)
    expect(finder.page.get_by_role("heading", level=1)).to_have_text(host)
    expect(finder.page.get_by_role("button", name="Find")).to_be_visible()
    finder.open()
    expect(finder.dialog.get_by_role("group", name="Recent").get_by_role("option").first).to_have_text(host)
    expect(finder.selected).to_have_text(host)


def test_the_arrow_keys_move_and_the_focus_stays_in_the_field(finder):
    finder.open()
    first = finder.selected.text_content()
    finder.page.keyboard.press("ArrowUp")
    last = finder.selected
    expect(last).to_have_text(finder.options.last.text_content())
    expect(finder.field).to_have_attribute("aria-activedescendant", last.get_attribute("id"))
    finder.page.keyboard.press("ArrowDown")
    expect(finder.selected).to_have_text(first)
    expect(finder.field).to_be_focused()
    expect(finder.selected).to_have_count(1)


def test_it_opens_by_its_button_and_returns_the_focus(finder):
    button = finder.page.get_by_role("button", name="Find")
    button.click()
    expect(finder.field).to_be_focused()
    finder.page.keyboard.press("Escape")
    expect(finder.dialog).to_be_hidden()
    expect(button).to_be_focused()
    expect(button).to_contain_text("CtrlK")


def test_it_opens_while_the_user_types_and_keeps_the_text(dashboard):
    dashboard.open("/")
    dashboard.page.get_by_role("button", name="Add domain").first.click()
    dashboard.page.keyboard.press("Control+k")
    expect(dashboard.page.get_by_role("combobox", name="Find")).to_have_count(0)
    dashboard.page.keyboard.press("Escape")
    dashboard.open("/apps")
    field = dashboard.page.get_by_role("searchbox", name="Search apps")
    field.fill("typed")
    Finder(dashboard).open()
    dashboard.page.keyboard.press("Escape")
    expect(field).to_have_value("typed")
    expect(field).to_be_focused()


def test_its_code_is_loaded_only_when_it_is_wanted(dashboard):
    scripts = []
    dashboard.page.on("request", lambda request: scripts.append(request.url))
    dashboard.open("/events")
    finder = Finder(dashboard)
    assert not [each for each in scripts if "palette/palette" in each]
    before = len(scripts)
    finder.open()
    assert len(scripts) > before


def test_what_is_typed_while_it_loads_is_not_lost(finder):
    held = []
    finder.page.route("**/pieces/palette", lambda route: held.append(route))
    with finder.page.expect_request("**/pieces/palette"):
        finder.page.keyboard.press("Control+k")
    finder.page.keyboard.type("?sched")
    finder.page.keyboard.press("Control+k")
    expect(finder.page.get_by_role("dialog")).to_have_count(0)
    held[0].continue_()
    expect(finder.field).to_have_value("?sched")
    finder.page.keyboard.press("Home")
    finder.page.keyboard.press("Delete")
    expect(finder.selected).to_have_text("Schedules")
    finder.page.keyboard.press("Escape")
    # Until the closed dialog is removed, its field can still have the focus, and takes what is typed.
    expect(finder.page.locator("dialog")).to_have_count(0)
    finder.page.keyboard.press("?")
    expect(finder.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()


def test_the_theme_is_an_action(finder):
    finder.open().type("dark")
    finder.choose("Dark theme")
    expect(finder.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_file_is_imported_from_any_part_of_the_domain(dashboard, host):
    dashboard.open_domain(host, "settings")
    finder = Finder(dashboard).open().type("import")
    finder.choose("Import a file")
    expect(dashboard.page.get_by_role("dialog", name="Import a file")).to_be_visible()


def test_actions_open_the_forms_of_other_pages(finder):
    finder.open().type("new schedule")
    finder.choose("New schedule")
    expect(finder.page.get_by_role("dialog", name="New schedule")).to_be_visible()
    assert "new=" not in finder.page.url
    finder.page.keyboard.press("Escape")
    finder.open().type("add domain")
    finder.choose("Add domain")
    expect(finder.page.get_by_role("dialog", name="Add domain")).to_be_visible()
    assert "new=" not in finder.page.url


def test_a_viewer_is_offered_no_action_that_would_fail(new_dashboard, host):
    dashboard = new_dashboard()
    dashboard.page.route("**/v1/me", as_viewer)
    dashboard.open_domain(host)
    finder = Finder(dashboard).open()
    expect(finder.options.filter(has_text="Sign out")).to_be_visible()
    for name in ("Review and publish", "Import", "Add domain", "New schedule", "New release"):
        expect(finder.options.filter(has_text=name)).to_have_count(0)


def as_viewer(route):
    me = route.fetch().json()
    me["organizations"] = [{**organization, "role": "viewer"} for organization in me["organizations"]]
    route.fulfill(json=me)


def test_a_request_is_copied_as_curl(waymark, new_dashboard, host):
    dashboard = new_dashboard(permissions=["clipboard-read", "clipboard-write"])
    dashboard.open_domain(host)
    finder = Finder(dashboard).open().type("curl draft")
    finder.choose("get this draft")
    expect(dashboard.announcement).to_contain_text("Copied")
    copied = dashboard.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"curl '{waymark.url}/v1/domains/{host}/draft'")
    assert "$WAYMARK_TOKEN" in copied and f"Waymark-Organization: {dashboard.organization}" in copied


def test_a_visitor_finds_public_pages_only(validator):
    finder = Finder(validator).open()
    expect(finder.options.filter(has_text="API reference")).to_be_visible()
    expect(finder.options.filter(has_text="Sign in")).to_be_visible()
    expect(finder.options.filter(has_text="Schedules")).to_have_count(0)


def test_hostile_names_are_only_text(waymark, new_dashboard):
    organization = Organization(waymark)
    name = "<img src=x onerror=alert(1)>"
    organization.made("/v1/teams", {"teamID": "HOSTILE001", "name": "x"})
    organization.made("/v1/apps", {"teamID": "HOSTILE001", "bundleID": "com.example.hostile", "name": name})
    dashboard = new_dashboard(organization.slug)
    dashboard.open("/events")
    finder = Finder(dashboard).open().type("com.example.hostile")
    expect(finder.options.first).to_contain_text(name)


@pytest.mark.parametrize("width", [360, 1440])
def test_it_fits_and_is_readable(new_dashboard, host, width):
    dashboard = new_dashboard(width=width)
    dashboard.open("/events")
    finder = Finder(dashboard).open().type(host)
    expect(finder.options.first).to_contain_text(host)
    box = finder.dialog.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and overflow(dashboard.page) <= 0
    assert low_contrast(dashboard.page) == []
    assert dashboard.page.evaluate(NAMELESS) == []
