"""The focus after something is deleted or restored: it is never lost."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from dashboard import HELP, SHOP, draft, rule
from schedules import NIGHTLY, Organization, open_page


def focused(dashboard, role, name):
    # A page may have a heading of the same name at another level.
    expect(dashboard.page.locator(":focus").and_(dashboard.page.get_by_role(role, name=name))).to_have_count(1)


def press_by_key(dashboard, name, exact=False):
    dashboard.page.get_by_role("button", name=name, exact=exact).focus()
    dashboard.page.keyboard.press("Enter")


def test_deleting_a_rule_focuses_the_next_one_then_the_last_and_then_the_add_button(dashboard, host):
    dashboard.open_domain(host)
    press_by_key(dashboard, "Delete rule 2, /help/website/*")
    focused(dashboard, "row", "Rule 2: /help/*")
    expect(dashboard.announcement).to_contain_text("deleted from the draft")
    press_by_key(dashboard, "Delete rule 2, /help/*")
    focused(dashboard, "row", "Rule 1: /buy/*")
    press_by_key(dashboard, "Delete rule 1, /buy/*")
    focused(dashboard, "button", "Add a rule")


def test_restoring_a_rule_focuses_it_and_says_so(dashboard, host):
    dashboard.open_domain(host)
    press_by_key(dashboard, "Delete rule 2, /help/website/*")
    focused(dashboard, "row", "Rule 2: /help/*")
    press_by_key(dashboard, "Undo", exact=True)
    focused(dashboard, "row", "Rule 2: /help/website/*")
    expect(dashboard.announcement).to_contain_text("Undone: rule /help/website/* deleted.")


def test_discarding_changes_focuses_the_draft_and_so_does_undo(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/changed/*")])))
    dashboard.open_domain(published)
    press_by_key(dashboard, "Discard changes")
    focused(dashboard, "heading", "Draft")
    press_by_key(dashboard, "Undo", exact=True)
    expect(dashboard.page.get_by_role("button", name="Discard changes")).to_be_visible()
    focused(dashboard, "row", "Rule 1: /changed/*")


def test_fixing_a_finding_of_a_rule_focuses_the_rule_or_the_next_one(waymark, dashboard, apps):
    for rules, name in (
        ([rule("/a b")], "Rule 1: /a%20b"),
        ([rule("/b"), rule("/ä"), rule("/c")], "Rule 2: /%C3%A4"),
        ([rule("/b/*"), rule("/b/c", exclude=True)], "Rule 1: /b/c"),
        ([rule("/b/*"), rule("/b/c"), rule("/d")], "Rule 2: /d"),
    ):
        dashboard.open_domain(waymark.new_domain(draft(([SHOP], rules))))
        fix = dashboard.rules.get_by_role("button", name="Fix: ")
        fix.press("Enter")
        expect(fix).to_have_count(0)
        focused(dashboard, "row", name)


def test_fixing_a_finding_of_the_file_focuses_the_next_fix_or_the_heading(waymark, dashboard, apps):
    rules = [rule("/a b"), rule("/b/*"), rule("/b/c"), rule("/b/d")]
    dashboard.open_domain(waymark.new_domain(draft(([SHOP], rules))))
    file = dashboard.page.get_by_role("region", name="Generated file")
    file.get_by_role("button", name="Fix: Percent-encode it").press("Enter")
    remove = file.get_by_role("button", name="Fix: Remove this rule")
    for path, left in (("/b/c", 3), ("/b/d", 2)):
        expect(remove).to_be_focused()
        dashboard.page.keyboard.press("Enter")
        expect(dashboard.rules).to_have_count(left)
        expect(file).not_to_contain_text(path)
    focused(dashboard, "heading", "Findings")


def test_dismissing_a_message_restores_the_focus(dashboard, host):
    dashboard.open_domain(host)
    press_by_key(dashboard, "Delete rule 1, /buy/*")
    focused(dashboard, "row", "Rule 1: /help/website/*")
    press_by_key(dashboard, "Dismiss")
    focused(dashboard, "row", "Rule 1: /help/website/*")


def test_deleting_and_restoring_an_entry_keeps_the_focus_too(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/a")]), ([HELP], [rule("/b")])))
    dashboard.open_domain(host)
    press_by_key(dashboard, "Delete entry 2: Help")
    focused(dashboard, "button", "Edit the apps of entry 1: Shop")
    press_by_key(dashboard, "Undo", exact=True)
    focused(dashboard, "button", "Edit the apps of entry 2: Help")


def test_deleting_and_restoring_a_test_keeps_the_focus(waymark, dashboard, host):
    for path in ("/buy/1", "/buy/2"):
        body = {"url": path, "expected": {"outcome": "opens", "app": SHOP}}
        assert waymark.api("POST", f"/v1/domains/{host}/tests", body).status_code == 201
    dashboard.open_domain(host, "tests")
    tests = dashboard.page.get_by_role("list", name="Saved tests").get_by_role("listitem")
    expect(tests).to_have_count(2)
    first, second = (tests.nth(index).locator("[data-part=url]").text_content() for index in (0, 1))
    press_by_key(dashboard, f"Delete the test of {first}")
    focused(dashboard, "button", f"Edit the test of {second}")
    press_by_key(dashboard, "Undo", exact=True)
    focused(dashboard, "button", f"Edit the test of {first}")
    press_by_key(dashboard, f"Delete the test of {first}")
    focused(dashboard, "button", f"Edit the test of {second}")
    press_by_key(dashboard, f"Delete the test of {second}")
    focused(dashboard, "button", "Add a test")


def test_removing_a_service_focuses_its_neighbour(waymark, dashboard, apps):
    services = {"appclips": [SHOP], "webcredentials": [SHOP]}
    host = waymark.new_domain(draft(([SHOP], [rule("/a")]), services=services))
    dashboard.open_domain(host, "settings")
    press_by_key(dashboard, "Remove appclips")
    focused(dashboard, "button", "Remove webcredentials")
    press_by_key(dashboard, "Remove webcredentials")
    focused(dashboard, "button", "Add a service")


def test_renaming_or_deleting_a_team_keeps_the_focus(waymark, new_dashboard):
    organization = Organization(waymark)
    for number, name in enumerate(("alpha", "beta")):
        organization.made("/v1/teams", {"teamID": f"FOCUSTEAM{number}", "name": name})
    board = new_dashboard(organization.slug)
    board.open("/apps")
    press_by_key(board, "Rename team alpha")
    board.page.keyboard.type("gamma")
    board.page.keyboard.press("Enter")
    focused(board, "button", "Rename team gamma")
    press_by_key(board, "Delete team gamma")
    board.press("Delete team", exact=True, within=board.dialog)
    focused(board, "button", "Rename team beta")
    press_by_key(board, "Delete team beta")
    board.press("Delete team", exact=True, within=board.dialog)
    focused(board, "heading", "Teams")


def test_editing_an_app_keeps_the_focus(dashboard, apps):
    dashboard.open("/app", app=apps[1])
    press_by_key(dashboard, "Edit…")
    focused(dashboard, "textbox", "Name")
    dashboard.page.keyboard.press("Enter")
    focused(dashboard, "button", "Edit…")


def test_cancelling_a_publication_and_deleting_a_schedule_keep_the_focus_near(waymark, new_dashboard):
    organization = Organization(waymark)
    host = organization.domain()
    tomorrow = f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    organization.made(f"/v1/domains/{host}/publications", {"at": tomorrow})
    organization.made("/v1/schedules", NIGHTLY)
    board = new_dashboard(organization.slug)
    board.open_domain(host, "versions")
    press_by_key(board, "Cancel publication of version 1")
    board.press("Cancel publication", exact=True, within=board.dialog)
    focused(board, "heading", "Versions")
    open_page(board)
    press_by_key(board, "Delete nightly")
    board.press("Delete schedule", within=board.dialog)
    focused(board, "heading", "Schedules")
