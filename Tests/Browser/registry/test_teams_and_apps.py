"""Teams and apps: the registry of the apps that files can refer to."""

from playwright.sync_api import expect

from dashboard import SHOP
from schedules import Organization


def region(dashboard, name):
    return dashboard.page.get_by_role("region", name=name, exact=True)


def test_a_team_and_an_app_are_registered_renamed_and_deleted(waymark, dashboard, apps):
    dashboard.open("/apps")
    teams, apps = region(dashboard, "Teams"), region(dashboard, "Apps")
    expect(teams.get_by_role("textbox")).to_have_count(0)
    expect(apps.get_by_role("form")).to_have_count(0)
    dashboard.press("Add team…", within=teams)
    expect(teams.get_by_role("textbox", name="Team ID")).to_be_focused()
    dashboard.type("Team ID", "newteam001", within=teams)
    dashboard.type("Name", "New Team", within=teams)
    dashboard.press("Add team", within=teams)
    expect(teams.get_by_role("listitem").filter(has_text="NEWTEAM001")).to_contain_text("New Team")

    expect(teams.get_by_role("button", name="Add team…")).to_be_focused()
    dashboard.press("Add app…", within=apps)
    apps.get_by_label("Team", exact=True).select_option("NEWTEAM001")
    dashboard.type("Bundle ID", "com.example.fresh", within=apps)
    expect(apps.get_by_text("App ID NEWTEAM001.com.example.fresh")).to_be_visible()
    dashboard.press("Add app", within=apps)
    row = apps.get_by_role("listitem").filter(has_text="NEWTEAM001.com.example.fresh")
    expect(row).to_contain_text("Not used")

    dashboard.press("Delete team New Team", within=teams)
    dashboard.press("Delete team", exact=True, within=dashboard.dialog)
    expect(teams.get_by_role("alert")).to_contain_text("used by NEWTEAM001.com.example.fresh")

    row.get_by_role("link").click()
    dashboard.press("Edit…")
    dashboard.type("Name", "Fresh", within=dashboard.dialog)
    dashboard.type("App Store ID", "284910350", within=dashboard.dialog)
    dashboard.press("Save", within=dashboard.dialog)
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Fresh")
    expect(dashboard.page.get_by_role("link", name="App Store 284910350")).to_be_visible()
    dashboard.press("Delete…")
    dashboard.press("Delete app", exact=True, within=dashboard.dialog)
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Teams and apps")
    expect(row).to_have_count(0)
    dashboard.press("Delete team New Team", within=teams)
    dashboard.press("Delete team", exact=True, within=dashboard.dialog)
    expect(teams.get_by_role("listitem").filter(has_text="NEWTEAM001")).to_have_count(0)


def test_every_error_is_shown_at_its_field(dashboard, apps):
    dashboard.open("/apps")
    teams = region(dashboard, "Teams")
    dashboard.press("Add team…", within=teams)
    dashboard.type("Team ID", "short", within=teams)
    dashboard.press("Add team", within=teams)
    for name in ("Team ID", "Name"):
        expect(teams.get_by_role("textbox", name=name)).to_have_attribute("aria-invalid", "true")
    expect(teams.get_by_role("textbox", name="Team ID")).to_be_focused()
    expect(teams.get_by_role("textbox", name="Team ID")).to_have_value("short")
    dashboard.type("Team ID", "RIGHTTEAM1", within=teams)
    dashboard.press("Add team", within=teams)
    expect(teams.get_by_role("textbox", name="Team ID")).not_to_have_attribute("aria-invalid", "true")


def test_the_forms_are_open_until_there_is_a_team_and_an_app_and_keep_what_is_typed(waymark, new_dashboard):
    organization = Organization(waymark)
    board = new_dashboard(organization.slug)
    board.open("/apps")
    teams, apps = region(board, "Teams"), region(board, "Apps")
    expect(apps.get_by_role("textbox", name="Bundle ID")).to_be_visible()
    expect(board.page.get_by_role("button", name="Cancel")).to_have_count(0)
    board.type("Team ID", "FIRSTTEAM1", within=teams)
    board.type("Name", "First", within=teams)
    board.press("Add team", exact=True, within=teams)
    expect(teams.get_by_role("form")).to_have_count(0)
    board.press("Add team…", within=teams)
    board.type("Name", "Second", within=teams)
    board.page.keyboard.press("Escape")
    expect(board.dialog).to_contain_text("Discard your changes?")
    board.press("Cancel", within=board.dialog)
    expect(teams.get_by_role("textbox", name="Name")).to_have_value("Second")
    board.press("Cancel", within=teams)
    board.press("Discard", within=board.dialog)
    expect(teams.get_by_role("form")).to_have_count(0)
    expect(teams.get_by_role("button", name="Add team…")).to_be_focused()


def test_an_app_of_a_draft_that_is_not_registered_leads_to_its_filled_in_form(waymark, new_dashboard):
    organization = Organization(waymark)
    organization.made("/v1/teams", {"teamID": "OTHERTEAM1", "name": "Other"})
    organization.made("/v1/apps", {"teamID": "OTHERTEAM1", "bundleID": "com.example.other", "name": "Other"})
    host = organization.domain()
    board = new_dashboard(organization.slug)
    board.open_domain(host)
    board.page.get_by_role("link", name="not registered", exact=True).click()
    teams, apps = region(board, "Teams"), region(board, "Apps")
    # The team is not registered either.
    expect(teams.get_by_role("textbox", name="Team ID")).to_have_value("TESTTEAM01")
    expect(teams.get_by_role("textbox", name="Name")).to_be_focused()
    expect(apps.get_by_text(f"App ID {SHOP}")).to_be_visible()
    board.press("Add app", exact=True, within=apps)
    expect(apps.get_by_label("Team", exact=True)).to_have_attribute("aria-invalid", "true")
    board.type("Name", "Shop team", within=teams)
    board.press("Add team", exact=True, within=teams)
    expect(apps.get_by_label("Team", exact=True)).to_have_value("TESTTEAM01")

    board.page.reload()
    expect(apps.get_by_role("textbox", name="Name")).to_be_focused()
    expect(teams.get_by_role("form")).to_have_count(0)
    board.page.keyboard.type("Shop")
    board.page.keyboard.press("Enter")
    expect(apps.get_by_role("listitem").filter(has_text=SHOP)).to_contain_text("Shop")
    board.page.reload()
    expect(apps.get_by_role("listitem").filter(has_text=SHOP)).to_contain_text("Shop")
    expect(apps.get_by_role("form")).to_have_count(0)
    board.open_domain(host)
    expect(board.page.locator(".entry-app")).to_have_text([f"Shop {SHOP} "])


def test_an_app_in_use_is_not_deleted_and_its_uses_are_shown(waymark, dashboard, host):
    dashboard.open("/app", app=SHOP)
    dashboard.press("Delete…")
    dashboard.press("Delete app", exact=True, within=dashboard.dialog)
    expect(dashboard.page.get_by_role("alert")).to_contain_text("used by")


def test_cancelling_deletes_nothing(waymark, dashboard, apps):
    dashboard.open("/app", app=apps[1])
    dashboard.press("Delete…")
    dashboard.press("Cancel", within=dashboard.dialog)
    expect(dashboard.dialog).to_be_hidden()
    assert waymark.api("GET", f"/v1/apps/{apps[1]}").status_code == 200
    expect(dashboard.page.get_by_role("button", name="Delete…")).to_be_focused()


def test_apps_can_be_searched(dashboard, apps):
    dashboard.open("/apps")
    dashboard.page.get_by_role("searchbox", name="Search apps").fill("help")
    listed = region(dashboard, "Apps").get_by_role("list").first.get_by_role("listitem")
    expect(listed).to_have_count(1)
    dashboard.page.get_by_role("searchbox", name="Search apps").fill("nothing like it")
    expect(dashboard.page.get_by_text("No apps match. Clear the search to see all.")).to_be_visible()


def test_all_drafts_that_use_an_app_are_counted(waymark, new_dashboard):
    organization = Organization(waymark)
    organization.made("/v1/teams", {"teamID": "TESTTEAM01", "name": "Many"})
    organization.made("/v1/apps", {"teamID": "TESTTEAM01", "bundleID": "com.example.shop", "name": "Shop"})
    hosts = sorted(organization.domain() for _ in range(107))
    board = new_dashboard(organization.slug)
    board.open("/app", app=SHOP)
    board.press("Delete…")
    board.press("Delete app", exact=True, within=board.dialog)
    used = f"used by the draft of {', '.join(hosts[:5])} and 102 more."
    expect(board.page.get_by_role("alert")).to_contain_text(used)
