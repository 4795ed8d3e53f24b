"""The page of an app: the domains that use it, the rules that open it, and the entitlement to paste."""

import pytest
from playwright.sync_api import expect

from dashboard import draft, rule


@pytest.fixture
def app(waymark, apps):
    """An app that only the domains of one test use."""
    bundle = f"com.example.{waymark.new_host('page').split('.')[0]}"
    answer = waymark.api("POST", "/v1/apps", {"teamID": "TESTTEAM01", "bundleID": bundle, "name": "Paged"})
    assert answer.status_code == 201, answer.text
    return answer.json()["appID"]


@pytest.fixture
def hosts(waymark, app):
    """A domain with the app live, with other rules in its draft, and one with the app only in its draft."""
    rules = [rule("/internal/*", exclude=True, comment="stays on the web"), rule("/buy/*")]
    live = waymark.new_domain(draft(([app], rules), services={"webcredentials": [app]}))
    waymark.publish(live)
    waymark.put_draft(live, draft(([app], [*rules, rule("/sell/*")]), services={"webcredentials": [app]}))
    return live, waymark.new_domain(draft(([app], [rule("/only/*")])))


def uses(dashboard):
    domains = dashboard.page.get_by_role("region", name="Domains", exact=True)
    return domains.get_by_role("list", name="Domains", exact=True).locator(":scope > li")


def use_of(dashboard, host):
    return uses(dashboard).filter(has=dashboard.page.get_by_role("link", name=host, exact=True))


def test_the_domains_that_use_the_app_are_listed_with_what_is_live(dashboard, app, hosts):
    live, drafted = hosts
    dashboard.open("/app", app=app)
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Paged")
    assert dashboard.page.title() == "Paged · Waymark"
    expect(uses(dashboard)).to_have_count(2)
    words = "2 rules open it · webcredentials · version 1 is live with other rules"
    expect(use_of(dashboard, live)).to_contain_text(words)
    expect(use_of(dashboard, live)).to_contain_text("Unpublished changes")
    expect(use_of(dashboard, drafted)).to_contain_text("1 rule opens it")
    expect(use_of(dashboard, drafted)).to_contain_text("Only in the draft")
    use_of(dashboard, drafted).get_by_role("link", name=drafted).click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text(drafted)
    assert "/domain/rules?" in dashboard.page.url


def test_the_rules_of_a_domain_are_shown_on_demand(dashboard, app, hosts):
    dashboard.open("/app", app=app)
    button = dashboard.page.get_by_role("button", name=f"Rules of {hosts[0]}")
    button.click()
    rules = use_of(dashboard, hosts[0]).get_by_role("list", name="Rules").get_by_role("listitem")
    expect(rules).to_have_text(["Excludes /internal/* stays on the web", "Opens /buy/*", "Opens /sell/*"])
    expect(button).to_have_attribute("aria-expanded", "true")
    button.click()
    expect(rules).to_have_count(0)


def test_the_domains_can_be_searched(dashboard, app, hosts):
    dashboard.open("/app", app=app)
    expect(uses(dashboard)).to_have_count(2)
    search = dashboard.page.get_by_role("searchbox", name="Search domains")
    search.fill(hosts[1])
    expect(uses(dashboard)).to_have_count(1)
    search.fill("nothing-like-it")
    expect(dashboard.page.get_by_text("No domains match. Clear the search to see all.")).to_be_visible()
    expect(dashboard.page.get_by_role("region", name="Entitlement", exact=True)).to_contain_text(hosts[0])


def test_the_entitlement_marks_lines_that_are_only_in_a_draft_and_can_leave_them_out(
    new_context, session_of, waymark, new_dashboard, app, hosts
):
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    context.add_cookies(session_of(waymark.organization))
    dashboard = new_dashboard(context=context)
    dashboard.open("/app", app=app)
    expect(uses(dashboard)).to_have_count(2)
    panel = dashboard.page.get_by_role("region", name="Entitlement", exact=True)
    lines = [f"applinks:{hosts[0]}", f"webcredentials:{hosts[0]}", f"applinks:{hosts[1]}"]

    def pasted(lines):
        strings = "".join(f"    <string>{line}</string>\n" for line in lines)
        return f"<key>com.apple.developer.associated-domains</key>\n<array>\n{strings}</array>\n"

    def copied():
        dashboard.press("Copy", exact=True, within=panel)
        expect(panel.get_by_role("button", name="Copied")).to_be_visible()
        return dashboard.page.evaluate("navigator.clipboard.readText()")

    shown = pasted(lines).replace(f"{lines[2]}</string>", f"{lines[2]}</string> only in the draft")
    expect(panel.locator("pre")).to_have_text(shown)
    assert copied() == pasted(lines)
    panel.get_by_role("checkbox", name="Leave out lines that are only in the draft").check()
    panel.get_by_role("checkbox", name="For development").check()
    expect(panel.locator("pre")).to_have_text(pasted([f"{line}?mode=developer" for line in lines[:2]]))
    assert copied() == pasted([f"{line}?mode=developer" for line in lines[:2]])


def test_an_app_that_no_domain_uses_says_what_to_do(dashboard, app):
    dashboard.open("/app", app=app)
    expect(dashboard.page.get_by_text("No domain uses this app.")).to_be_visible()


def test_the_list_of_apps_counts_the_domains_and_links_to_the_app(dashboard, app, hosts):
    dashboard.open("/apps")
    row = dashboard.page.get_by_role("region", name="Apps").get_by_role("listitem").filter(has_text=app)
    expect(row).to_contain_text("2 domains")
    row.get_by_role("link", name="Paged").click()
    expect(dashboard.page.get_by_text(app, exact=True)).to_be_visible()


def test_an_unknown_app_is_not_found(dashboard):
    dashboard.open("/app", app="TESTTEAM01.com.example.nobody")
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Not found")


def test_a_wrong_app_store_id_is_shown_at_its_field_and_kept(dashboard, app):
    dashboard.open("/app", app=app)
    dashboard.press("Edit…")
    dashboard.type("App Store ID", "not a number", within=dashboard.dialog)
    dashboard.press("Save", within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("textbox", name="App Store ID")).to_have_attribute("aria-invalid", "true")
    expect(dashboard.dialog.get_by_role("textbox", name="App Store ID")).to_have_value("not a number")


def test_the_entitlement_says_if_domains_are_missing_and_adds_them(waymark, dashboard, app):
    hosts = [waymark.new_domain(draft(([app], [rule("/*")]))) for _ in range(51)]
    dashboard.open("/app", app=app)
    panel = dashboard.page.get_by_role("region", name="Entitlement", exact=True)
    expect(panel.get_by_role("status")).to_have_text("These are only the first 50 domains.")
    dashboard.press("Add all domains", within=panel)
    expect(panel.get_by_role("button", name="Add all domains")).to_be_hidden()
    expect(uses(dashboard)).to_have_count(51)
    assert all(f"<string>applinks:{host}</string>" in panel.locator("pre").inner_text() for host in hosts)
