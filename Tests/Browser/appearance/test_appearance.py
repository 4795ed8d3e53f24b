"""Narrow and wide screens, light and dark."""

import pytest
from playwright.sync_api import expect

from checks import CONTRAST, low_contrast, overflow
from dashboard import SHOP, draft, rule, until_quiet

DIALOGS = [("Rules", "Import a file…"), ("Tests", "Import tests…"), ("Versions", "View the file of version 1")]
PARTS = ["/domain/rules", "/domain/tests", "/domain/versions", "/domain/serving", "/domain/settings"]
PAGES = ["/", "/apps", "/app", "/schedules", "/releases", "/events", "/people", "/approvals", "/account", "/release", *PARTS, "/publish", "/sign-in"]

# The visible controls that are smaller than 24 by 24 pixels. A box is pressed by its label too.
SMALL = """() => {
    const fields = "button, select, textarea, input:not([type=checkbox], [type=radio], [type=file])";
    return [...document.querySelectorAll(`${fields}, label:has([type=checkbox], [type=radio])`)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => ({ element, ...element.getBoundingClientRect().toJSON() }))
        .filter(({ width, height }) => Math.min(width, height) < 23.5)
        .map(({ element, width, height }) => [width, height, element.outerHTML]);
}"""


@pytest.fixture
def busy_host(waymark, apps):
    """A domain with everything that takes space: long names, long patterns, findings, versions and labels. The newest
    release has failed the checks."""
    long = "/a-very-long-path/without-any-place/where-it-could-be-broken/" + "x" * 120 + "/*"
    rules = [
        rule("/buy/*", comment="A comment that goes on for quite a while, as comments of people who mean well do."),
        rule(
            long,
            query={"a-long-name-of-an-item": "and-a-long-pattern-*"},
            fragment="and-a-fragment",
            caseSensitive=False,
        ),
        rule("/help/website/*", exclude=True),
    ]
    host = waymark.new_domain(
        draft(([SHOP, "ZZZZZ99999.com.example.a.bundle.id.that.is.much.longer.than.most"], rules)),
        labels=["staging", "a-label-that-is-long"],
    )
    waymark.publish(host, message="The first version of this domain, with a message of some length")
    for url, note in [("/buy/1", "A note that goes on for a while"), (long + "?with=a-query", "")]:
        expected = {"outcome": "opens", "app": "ZZZZZ99999.com.example.a.bundle.id.that.is.much.longer.than.most"}
        answer = waymark.api("POST", f"/v1/domains/{host}/tests", {"url": url, "expected": expected, "note": note})
        assert answer.status_code == 201, answer.text
    waymark.put_draft(host, draft(([SHOP, "no app of any registry"], rules)))
    message = "The first release of a brand, with a message of some length and " + "without_any_place_to_break" * 4
    waymark.release({"hosts": [host], "message": message}, state="refused")
    return host


def show(dashboard, path, host):
    if path in PARTS:
        dashboard.open_domain(host, path.removeprefix("/domain/"))
    elif path == "/publish":
        dashboard.open_review(host)
        for summary in dashboard.page.locator("main summary:visible").all():
            summary.click()
    elif path == "/release":
        dashboard.open("/releases")
        dashboard.page.get_by_role("list", name="Releases").get_by_role("link").first.click()
        dashboard.page.get_by_text("Check results").click()
        expect(dashboard.page.get_by_role("list", name="Tests that fail")).to_be_visible()
    elif path == "/app":
        dashboard.open("/app", app=SHOP)
        dashboard.page.get_by_role("searchbox", name="Search domains").fill(host)
        dashboard.press(f"Rules of {host}")
    elif path == "/events":
        dashboard.open("/events", host=host)
        dashboard.page.get_by_role("button", name="Steps of").first.click()
    elif path == "/sign-in":
        dashboard.page.goto(f"{dashboard.url}/sign-in")
    else:
        dashboard.open(path)
    expect(dashboard.page.locator(".loading:visible")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280, 1600, 2560])
def test_the_masthead_aligns_with_the_page_below_it(new_dashboard, host, width):
    dashboard = new_dashboard(width=width)
    for path in ("/", "/apps", "/app", "/events", "/people", "/approvals", "/account", "/schedules", "/releases", *PARTS, "/publish"):
        show(dashboard, path, host)
        expect(dashboard.page.locator("main h1:visible")).to_have_count(1)
        # On some pages the way back is above the heading, or before it in the same line.
        lefts = dashboard.page.evaluate("""() => [".masthead > :is(.masthead-menu, .wordmark)", "main :is(.breadcrumb, h1)"].map((each) => {
            const found = [...document.querySelectorAll(each)].find((element) => element.checkVisibility());
            return Math.round(found.getBoundingClientRect().left);
        })""")
        assert lefts[0] == lefts[1], (path, lefts)


@pytest.mark.parametrize("width", [320, 360, 768, 1100, 1440, 1600])
def test_nothing_is_wider_than_the_window(new_dashboard, busy_host, width):
    dashboard = new_dashboard(width=width)
    for path in PAGES:
        show(dashboard, path, busy_host)
        assert overflow(dashboard.page) <= 0, path
        tester = dashboard.page.get_by_role("button", name="Try a URL")
        if tester.is_visible():
            tester.click()
            assert overflow(dashboard.page) <= 0, f"the tester on {path}"
    show(dashboard, "/domain/rules", busy_host)
    dashboard.press("Edit rule 2")
    assert overflow(dashboard.page) <= 0, "the form of a rule"
    dashboard.open_part("Tests")
    dashboard.press("Edit the test of /buy/1")
    assert overflow(dashboard.page) <= 0, "the form of a test"
    for part, name in DIALOGS:
        dashboard.open_part(part)
        dashboard.press(name)
        expect(dashboard.dialog).to_be_visible()
        box = dashboard.dialog.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, name
        assert dashboard.dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0, name
        dashboard.page.keyboard.press("Escape")


@pytest.mark.parametrize("path", PAGES)
def test_text_has_enough_contrast(dashboard, busy_host, path):
    """WCAG 2.2, 1.4.3: 4.5 to 1, and 3 to 1 where the text is large."""
    show(dashboard, path, busy_host)
    assert low_contrast(dashboard.page) == []
    if path == "/domain/tests":
        dashboard.press("Edit the test of /buy/1")
        assert low_contrast(dashboard.page) == []
    if path == "/domain/rules":
        dashboard.press("Edit rule 1")
        # The form takes the focus when it opens. Without the wait it would also take what is typed into the tester.
        expect(dashboard.path).to_be_focused()
        dashboard.ask(f"https://{busy_host}/help/website/x")
        expect(dashboard.verdict).to_contain_text("Stays on the web")
        assert low_contrast(dashboard.page) == []


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_fields_and_focus_have_enough_contrast(new_dashboard, host, color_scheme):
    """WCAG 2.2, 1.4.11: 3 to 1 for the outlines of controls and of the focus."""
    dashboard = new_dashboard(color_scheme=color_scheme)
    show(dashboard, "/domain/rules", host)
    for color in ("control", "focus"):
        for ground in ("ground", "surface", "sunken"):
            ratio = dashboard.page.evaluate(
                f"{CONTRAST.replace('.measure()', '.ratioOf')}(['--color-{color}', '--color-{ground}'])"
            )
            assert ratio >= 3, f"{color} on {ground}: {ratio:.2f}"


@pytest.mark.parametrize("width", [768, 1100, 1440])
def test_the_effect_of_a_rule_is_separate_from_its_pattern(new_dashboard, host, width):
    dashboard = new_dashboard(width=width)
    show(dashboard, "/domain/rules", host)
    gaps = dashboard.page.locator(".rule").evaluate_all(
        """rules => rules.map((rule) => {
            const words = document.createRange();
            words.selectNodeContents(rule.querySelector(".rule-effect"));
            const pattern = rule.querySelector(".rule-pattern").getBoundingClientRect();
            return pattern.left - words.getBoundingClientRect().right;
        })"""
    )
    assert len(gaps) == 3 and min(gaps) >= 12, gaps


def test_the_dark_scheme_is_dark_and_the_light_one_light(new_dashboard, host):
    grounds = []
    for color_scheme in ("light", "dark"):
        dashboard = new_dashboard(color_scheme=color_scheme)
        show(dashboard, "/domain/rules", host)
        grounds.append(dashboard.page.evaluate(f"{CONTRAST.replace('.measure()', '.luminanceOf')}('--color-ground')"))
    assert grounds[0] > 0.8 and grounds[1] < 0.05


def test_controls_are_large_enough_to_press(new_dashboard, host):
    """WCAG 2.2, 2.5.8: 24 by 24 pixels at least."""
    dashboard = new_dashboard(width=360)
    for path in PAGES:
        if path == "/release":
            continue
        show(dashboard, path, host)
        until_quiet(dashboard.page, 500)
        tester = dashboard.page.get_by_role("button", name="Try a URL")
        if tester.is_visible():
            tester.click()
        assert dashboard.page.evaluate(SMALL) == [], path


def test_the_page_does_not_jump_while_the_user_types(dashboard, host):
    dashboard.open_domain(host)
    until_quiet(dashboard.page, 500)
    below = dashboard.page.get_by_role("region", name="Generated file")
    places = set()
    for url, verdict in [
        ("/buy/1", "Opens Shop"),
        ("/nowhere", "No app opens it"),
        ("/help/website/x", "Stays on the web"),
        ("/help/1?articleNumber=1234", "Opens Shop"),
    ]:
        dashboard.ask(f"https://{host}{url}")
        expect(dashboard.verdict).to_contain_text(verdict)
        places.add(below.bounding_box()["y"])
    assert len(places) == 1, places


@pytest.mark.parametrize("width", [320, 1440])
def test_choosing_many_domains_fits_and_is_readable(new_dashboard, busy_host, width):
    dashboard = new_dashboard(width=width)
    for path, query in (("/publish", {}), ("/app", {"app": SHOP})):
        dashboard.open(path, **query)
        if path == "/app":
            dashboard.press("Replace in drafts…")
        dashboard.page.get_by_role("radio", name="From a list").check()
        # The first ones: the installation has more domains than the list shows at first.
        expect(dashboard.page.get_by_role("listitem").get_by_role("checkbox").first).to_be_visible()
        assert overflow(dashboard.page) <= 0, path
        if path == "/app":
            assert dashboard.dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
        assert low_contrast(dashboard.page) == [], path
