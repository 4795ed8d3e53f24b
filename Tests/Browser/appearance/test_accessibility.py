"""The pages with assistive technology and without a mouse."""

import pytest
from playwright.sync_api import expect

from checks import FOCUS, NAMELESS, assert_landmarks
from dashboard import SHOP, draft, rule, until_quiet

# Controls that change a draft.
CHANGING = ["Import a file…", "Add a rule", "Edit rule 1", "Delete rule 1", "More for rule 1"]


@pytest.mark.parametrize(
    "path, title",
    [
        ("/", "Domains · Waymark"),
        ("/apps", "Teams and apps · Waymark"),
        ("/schedules", "Schedules · Waymark"),
        ("/releases", "Releases · Waymark"),
        ("/events", "Events · Waymark"),
        ("/people", "People · Waymark"),
        ("/approvals", "Approvals · Waymark"),
        ("/account", "Your account · Waymark"),
    ],
)
def test_each_page_has_a_title_landmarks_and_one_main_heading(dashboard, host, path, title):
    dashboard.open(path)
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_count(1)
    assert_landmarks(dashboard.page)
    assert dashboard.page.title() == title


def test_the_page_of_a_release_is_named_after_it(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    released = waymark.release({"hosts": [published], "message": "the new shop"})
    dashboard.open("/releases", release=released["id"])
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("the new shop")
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_count(1)
    assert dashboard.page.title() == "the new shop · Waymark"
    assert_landmarks(dashboard.page)
    for region in ("Progress", "Delivery", "Domains"):
        expect(dashboard.page.get_by_role("region", name=region, exact=True)).to_be_visible()
    assert dashboard.page.evaluate(NAMELESS) == []
    dashboard.page.get_by_role("link", name="Roll back…").click()
    expect(dashboard.page.get_by_role("form", name="Review and publish")).to_be_visible()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_count(1)
    assert dashboard.page.evaluate(NAMELESS) == []


def test_the_page_of_a_domain_is_named_after_it_and_its_part(dashboard, host):
    parts = {
        "Rules": ("Draft", "Generated file"),
        "Tests": ("Tests",),
        "Versions": ("Versions",),
        "Serving": ("Serving", "Connect your web server"),
        "Settings": ("Services and variables", "Aliases", "Labels"),
    }
    for name, regions in parts.items():
        dashboard.open_domain(host, name.lower())
        assert dashboard.page.title() == f"{host} · {name} · Waymark"
        assert_landmarks(dashboard.page)
        for region in regions:
            expect(dashboard.page.get_by_role("region", name=region, exact=True)).to_be_visible()
        if name not in ("Rules", "Tests"):
            dashboard.press("Try a URL")
        expect(dashboard.page.get_by_role("region", name="Which app opens this URL?", exact=True)).to_be_visible()
        if name not in ("Rules", "Tests"):
            dashboard.press("Try a URL")


def test_every_control_has_a_name(waymark, dashboard, host):
    for path in ("/", "/apps", "/schedules", "/releases", "/events", "/people", "/approvals", "/account"):
        dashboard.open(path)
        expect(dashboard.page.locator(".loading:visible")).to_have_count(0)
        assert dashboard.page.evaluate(NAMELESS) == [], path
    for path, query, name in (("/publish", {}, None), ("/app", {"app": SHOP}, "Replace in drafts…")):
        dashboard.open(path, **query)
        assert dashboard.page.evaluate(NAMELESS) == [], path
        if name:
            dashboard.press(name)
        for choice in ("With a label", "From a list"):
            dashboard.page.get_by_role("radio", name=choice).check()
            assert dashboard.page.evaluate(NAMELESS) == [], path
    dashboard.open_domain(host)
    dashboard.press("Edit rule 3")
    dashboard.press("Edit the apps of entry 1")
    assert dashboard.page.evaluate(NAMELESS) == []
    dashboard.open_part("Settings")
    dashboard.press("Add a service")
    assert dashboard.page.evaluate(NAMELESS) == []
    dashboard.open_part("Tests")
    dashboard.press("Add a test")
    assert dashboard.page.evaluate(NAMELESS) == []
    for name in ("Import a file…", "Import tests…"):
        dashboard.press(name)
        expect(dashboard.dialog).to_be_visible()
        assert dashboard.page.evaluate(NAMELESS) == [], name
        dashboard.page.keyboard.press("Escape")


def test_ids_stay_unique_with_several_forms_open(dashboard, host):
    dashboard.open_domain(host)
    for name in ("Edit rule 1", "Edit rule 3", "Add a rule", "Edit the apps of entry 1"):
        dashboard.press(name)
    dashboard.open_part("Tests")
    dashboard.press("Add a test")
    ids = dashboard.page.evaluate("() => [...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert sorted(set(ids)) == sorted(ids)


def test_a_screen_reader_reads_a_rule_completely(dashboard, host):
    dashboard.open_domain(host)
    expect(dashboard.rules.nth(1)).to_match_aria_snapshot(
        """
        - 'row "Rule 2: /help/website/*, stays on the web"':
          - gridcell:
            - checkbox "Select rule 2, /help/website/*"
            - text: "2"
          - gridcell "Stays on the web"
          - gridcell:
            - code: /help/website/*
          - gridcell:
            - button "Edit rule 2, /help/website/*"
            - button "Delete rule 2, /help/website/*"
            - button "More for rule 2, /help/website/*"
        """
    )


def test_the_first_tab_skips_the_menu(dashboard, host):
    dashboard.open_domain(host)
    dashboard.page.keyboard.press("Tab")
    skip = dashboard.page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    assert skip.bounding_box()["y"] >= 0
    dashboard.page.keyboard.press("Enter")
    expect(dashboard.page.get_by_role("main")).to_be_focused()


def test_every_focus_is_visible(dashboard, host):
    dashboard.open_domain(host)
    until_quiet(dashboard.page, 500)
    for _ in range(25):
        dashboard.page.keyboard.press("Tab")
        style, width = dashboard.page.evaluate(FOCUS)
        assert style != "none" and float(width.removesuffix("px")) >= 2


def test_a_dialog_keeps_the_focus_and_restores_it(dashboard, host):
    dashboard.open_domain(host)
    dashboard.page.get_by_role("button", name="Import a file…").first.focus()
    dashboard.page.keyboard.press("Enter")
    expect(dashboard.dialog).to_be_visible()
    for _ in range(12):
        dashboard.page.keyboard.press("Tab")
        # Between the last and the first element the browser's own bar has the focus: then it is on the body.
        assert dashboard.page.evaluate(
            "document.activeElement === document.body || Boolean(document.activeElement.closest('dialog'))"
        )
    dashboard.page.keyboard.press("Escape")
    expect(dashboard.page.get_by_role("button", name="Import a file…").first).to_be_focused()


def test_everything_works_by_keyboard(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/a/*")])))
    dashboard.open_domain(host)
    keyboard = dashboard.page.keyboard
    dashboard.page.get_by_role("button", name="Add a rule").focus()
    keyboard.press("Enter")
    expect(dashboard.path).to_be_focused()
    keyboard.type("/by/keyboard/*")
    keyboard.press("Enter")
    dashboard.expect_patterns("/a/*", "/by/keyboard/*")
    dashboard.page.get_by_role("link", name="Publish…").focus()
    keyboard.press("Enter")
    dashboard.expect_review()
    dashboard.page.get_by_role("textbox", name="Message").focus()
    keyboard.type("by keyboard")
    keyboard.press("Enter")
    dashboard.expect_progress("Version 1 is live")


def test_a_viewer_sees_no_buttons_that_would_fail(waymark, new_dashboard, host):
    test = {"url": "/buy/1", "expected": {"outcome": "opens", "app": SHOP}}
    assert waymark.api("POST", f"/v1/domains/{host}/tests", test).status_code == 201
    dashboard = new_dashboard()
    dashboard.page.route("**/v1/me", as_viewer)
    dashboard.open_domain(host)
    expect(dashboard.rules).to_have_count(3)
    for name in CHANGING:
        expect(dashboard.page.get_by_role("button", name=name)).to_have_count(0)
    dashboard.open_part("Tests")
    expect(dashboard.page.get_by_role("list", name="Saved tests")).to_contain_text("Passed")
    expect(dashboard.page.get_by_role("link", name="Publish…")).to_have_count(0)
    for name in (*CHANGING, "Add a test", "Import tests…", "Edit the test", "Delete the test"):
        expect(dashboard.page.get_by_role("button", name=name)).to_have_count(0)
    dashboard.ask(f"https://{host}/buy/1")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    expect(dashboard.page.get_by_role("button", name="Save as test")).to_have_count(0)


def as_viewer(route):
    me = route.fetch().json()
    me["organizations"] = [{**organization, "role": "viewer"} for organization in me["organizations"]]
    route.fulfill(json=me)


def test_a_session_that_ends_while_the_user_types_loses_nothing(waymark, new_dashboard, host):
    dashboard = new_dashboard()
    dashboard.open_domain(host)
    dashboard.press("Edit rule 1, /buy/*")
    dashboard.type("Path", "/typed/*")
    dashboard.page.context.clear_cookies()
    dashboard.press("Save rule")
    form = dashboard.page.get_by_role("form", name="Edit rule")
    expect(form.get_by_role("alert")).to_contain_text("You are signed out")
    expect(form.get_by_role("textbox", name="Path")).to_have_value("/typed/*")
    cookies = [{"name": name, "value": value, "url": waymark.url} for name, value in waymark.sign_in().items()]
    dashboard.page.context.add_cookies(cookies)
    dashboard.press("Save rule")
    dashboard.expect_patterns("/typed/*", "/help/website/*", "/help/*?articleNumber=????")


def test_an_unreachable_service_is_reported_and_no_input_is_lost(new_dashboard, host):
    dashboard = new_dashboard()
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    dashboard.type("Path", "/typed/*")
    dashboard.page.context.set_offline(True)
    dashboard.press("Save rule")
    form = dashboard.page.get_by_role("form", name="New rule")
    expect(form.get_by_role("alert")).to_contain_text("does not answer")
    dashboard.page.context.set_offline(False)
    dashboard.press("Save rule")
    expect(dashboard.rules).to_have_count(4)
