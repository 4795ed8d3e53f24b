"""The oldest iOS of a file: chosen on the domain's page, with the differences on old systems."""

import pytest
from playwright.sync_api import expect

from dashboard import HELP, SHOP, draft, rule

LOST = "iOS 9 to 12 do not get this rule."


def section(dashboard):
    return dashboard.page.get_by_role("region", name="Oldest iOS")


def losses(dashboard):
    return section(dashboard).get_by_role("list", name="Differences on iOS 9 to 12").get_by_role("listitem")


def choose(dashboard, name):
    section(dashboard).get_by_role("radio", name=name).check()
    dashboard.press("Save to draft", within=section(dashboard))
    # The button has another name while it saves.
    expect(section(dashboard).get_by_role("button", name="Discard")).to_be_hidden()
    expect(dashboard.announcement).to_contain_text("Saved to the draft.")


def compatibility(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/draft").json()["compatibility"]


def test_the_choice_is_saved_in_the_draft_and_changes_the_file(waymark, dashboard, host):
    dashboard.open_domain(host, "settings")
    expect(section(dashboard).get_by_role("radio", name="iOS 13 and later")).to_be_checked()
    expect(section(dashboard).get_by_role("status")).to_be_hidden()
    choose(dashboard, "iOS 9 and later")
    assert compatibility(waymark, host) == "ios9"
    dashboard.open_part("Rules")
    expect(dashboard.page.get_by_role("region", name="Generated file")).to_contain_text('"paths"')
    dashboard.open_part("Settings")
    choose(dashboard, "iOS 13 and later")
    assert compatibility(waymark, host) == "ios13"
    dashboard.open_part("Rules")
    expect(dashboard.page.get_by_role("region", name="Generated file")).not_to_contain_text('"paths"')


def test_a_discarded_choice_changes_nothing(waymark, dashboard, host):
    dashboard.open_domain(host, "settings")
    section(dashboard).get_by_role("radio", name="iOS 9 and later").check()
    dashboard.press("Discard", within=section(dashboard))
    expect(section(dashboard).get_by_role("radio", name="iOS 13 and later")).to_be_checked()
    assert compatibility(waymark, host) == "ios13"


def test_differences_on_old_systems_are_shown_in_the_panel_and_at_the_rule(waymark, dashboard, host):
    dashboard.open_domain(host, "settings")
    choose(dashboard, "iOS 9 and later")
    expect(section(dashboard).get_by_role("status")).to_have_text("1 rule works differently on iOS 9 to 12:")
    expect(losses(dashboard)).to_have_count(1)
    expect(losses(dashboard)).to_contain_text(LOST)
    last = waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"][2]
    link = losses(dashboard).get_by_role("link", name="/help/*?articleNumber=????")
    expect(link).to_have_attribute("href", f"#rule-{last['id']}")
    link.click()
    expect(dashboard.rules.nth(2)).to_be_in_viewport()
    expect(dashboard.rules.nth(2)).to_contain_text(LOST)
    for other in (0, 1):
        expect(dashboard.rules.nth(other)).not_to_contain_text("iOS 9")
    dashboard.press("Delete rule 3, /help/*?articleNumber=????")
    dashboard.open_part("Settings")
    expect(section(dashboard).get_by_role("status")).to_have_text(
        "Every rule works the same on iOS 9 to 12 as on later systems."
    )
    expect(losses(dashboard)).to_have_count(0)


def test_findings_appear_at_their_rules_even_if_an_entry_becomes_several_elements(waymark, dashboard, apps):
    """The second entry is the third element of the file's `details`."""
    host = waymark.new_domain(
        draft(
            ([SHOP, HELP], [rule("/buy/*"), rule("/search", query="q=*")]),
            (["TESTTEAM01.com.example.other"], [rule("/other", fragment="x")]),
            compatibility="ios9",
        )
    )
    dashboard.open_domain(host, "settings")
    expect(losses(dashboard)).to_have_count(2)
    expect(losses(dashboard).nth(1).get_by_role("link")).to_have_text("/other#x")
    dashboard.open_part("Rules")
    lists = dashboard.page.get_by_role("grid", name="Rules, first match decides")
    for entry, position, lost in [(0, 0, False), (0, 1, True), (1, 0, True)]:
        row = lists.nth(entry).get_by_role("row").nth(position)
        expect(row.get_by_text(LOST)).to_have_count(1 if lost else 0)


@pytest.mark.parametrize("width", [360, 1600])
def test_it_fits_the_window(new_dashboard, waymark, apps, width):
    long = "/" + "x" * 200 + "/*"
    host = waymark.new_domain(draft(([SHOP], [rule(long, query="a=?*")]), compatibility="ios9"))
    dashboard = new_dashboard(width=width)
    dashboard.open_domain(host, "settings")
    expect(losses(dashboard)).to_have_count(1)
    assert dashboard.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
