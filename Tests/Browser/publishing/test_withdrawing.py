"""Withdrawing a host from its page, undoing that, and bringing the host back."""

import re

import pytest
from playwright.sync_api import Error, expect

from checks import low_contrast, overflow

PENDING = "Withdrawal scheduled."
ENDED = "Nothing is served on this host."


def notice(dashboard, words=PENDING):
    return dashboard.page.locator(".notice").filter(has_text=words)


def withdraw(waymark, host):
    answer = waymark.api("POST", f"/v1/domains/{host}/withdrawals", {"reason": "the campaign is over"})
    assert answer.status_code == 202, answer.text
    return answer.json()


def ask(dashboard, host):
    dashboard.open_domain(host, "settings")
    dashboard.press("Withdraw from service…")
    return dashboard.dialog


def test_a_host_is_withdrawn_by_typing_its_name_and_the_withdrawal_is_undone(waymark, dashboard, published):
    dialog = ask(dashboard, published)
    dashboard.type("Reason", "the campaign is over", within=dialog)
    dialog.get_by_label("Grace period").select_option("1 hour")
    dashboard.type(re.compile("to confirm"), "other.example", within=dialog)
    dashboard.press("Withdraw", exact=True, within=dialog)
    expect(dialog.get_by_label(re.compile("to confirm"))).to_have_attribute("aria-invalid", "true")
    assert waymark.api("GET", f"/v1/domains/{published}").json()["withdrawal"] is None

    dashboard.type(re.compile("to confirm"), published, within=dialog)
    dashboard.press("Withdraw", exact=True, within=dialog)
    expect(dialog).to_be_hidden()
    expect(notice(dashboard)).to_be_focused()
    expect(notice(dashboard)).to_contain_text("“the campaign is over”")
    expect(notice(dashboard)).to_contain_text("UTC")
    made = waymark.api("GET", f"/v1/domains/{published}").json()["withdrawal"]
    expect(notice(dashboard).locator("time")).to_have_attribute("datetime", made["dueAt"])
    expect(dashboard.page.get_by_role("button", name="Withdraw from service…")).to_be_hidden()

    dashboard.review()
    expect(dashboard.footer).to_contain_text("being withdrawn")
    expect(dashboard.page.get_by_role("button", name="Publish", exact=True)).to_be_hidden()
    dashboard.page.get_by_role("link", name="Cancel").click()

    dashboard.press("Undo withdrawal")
    expect(dashboard.announcement).to_contain_text("is still served")
    expect(notice(dashboard)).to_be_hidden()
    dashboard.open_part("Settings")
    expect(dashboard.page.get_by_role("button", name="Withdraw from service…")).to_be_visible()
    assert waymark.api("GET", f"/v1/domains/{published}/withdrawals").json()["items"][0]["state"] == "cancelled"


def test_a_withdrawal_needs_a_reason(dashboard, waymark, published):
    dialog = ask(dashboard, published)
    dashboard.type(re.compile("to confirm"), published, within=dialog)
    dashboard.press("Withdraw", exact=True, within=dialog)
    expect(dialog.get_by_label("Reason")).to_have_attribute("aria-invalid", "true")
    assert waymark.api("GET", f"/v1/domains/{published}/withdrawals").json()["items"] == []


def test_a_host_without_a_live_version_cannot_be_withdrawn(dashboard, host):
    dashboard.open_domain(host, "settings")
    expect(dashboard.page.get_by_role("region", name="Take out of service")).to_contain_text("Nothing is live here.")
    expect(dashboard.page.get_by_role("button", name="Withdraw from service…")).to_be_hidden()


def test_an_alias_shows_that_it_is_withdrawn_with_its_domain(waymark, dashboard, published):
    alias = waymark.new_domain(aliasOf=published)
    withdraw(waymark, published)
    dashboard.open("/domain", host=alias)
    expect(notice(dashboard)).to_contain_text("Undo the withdrawal there")
    expect(notice(dashboard).get_by_role("link", name=published)).to_be_visible()
    expect(dashboard.page.get_by_role("button", name="Undo withdrawal")).to_be_hidden()
    dashboard.open_part("Settings")
    expect(dashboard.page.get_by_role("button", name="Withdraw from service…")).to_be_visible()


def as_ended(page, host, state):
    """The page as after a grace period, until the host is verified again. A real grace period takes at least a
    minute."""
    is_ended = True

    def verify(route):
        nonlocal is_ended
        is_ended = False
        route.continue_()

    def route(route):
        try:
            answer = route.fetch().json()
        except Error:  # The page has been closed meanwhile, so nobody waits for the answer.
            return
        route.fulfill(json=answer | ({"state": state, "live": None, "withdrawal": None} if is_ended else {}))

    page.route(re.compile(rf"/v1/domains/{re.escape(host)}/verifications$"), verify)
    page.route(re.compile(rf"/v1/domains/{re.escape(host)}$"), route)


def test_the_page_follows_a_withdrawal_and_says_how_to_bring_the_host_back(waymark, dashboard, published):
    dashboard.open_domain(published, "settings")
    pending = waymark.api(
        "POST", f"/v1/domains/{published}/withdrawals", {"reason": "over", "graceSeconds": 60}
    ).json()
    expect(notice(dashboard)).to_be_visible()
    as_ended(dashboard.page, published, "withdrawn")
    # The real end is a minute away: any other event of the domain makes the page update.
    assert waymark.api("PATCH", f"/v1/domains/{published}", {"labels": ["looked-at"]}).status_code == 200
    expect(notice(dashboard, ENDED)).to_contain_text("Publish it to bring it back")
    expect(notice(dashboard)).to_be_hidden()
    expect(dashboard.page.get_by_text("Nothing is live", exact=True)).to_be_visible()
    waymark.api("DELETE", f"/v1/domains/{published}/withdrawals/{pending['id']}")


def test_an_alias_that_was_withdrawn_alone_is_served_again_with_one_click(waymark, dashboard, published):
    alias = waymark.new_domain(aliasOf=published)
    as_ended(dashboard.page, alias, "withdrawn")
    dashboard.open("/domain", host=alias)
    expect(notice(dashboard, ENDED)).to_contain_text("Publishing its domain does not bring it back")
    dashboard.press("Serve again")
    expect(dashboard.announcement).to_contain_text("marked as verified")
    expect(notice(dashboard, ENDED)).to_be_hidden()


@pytest.mark.parametrize("width", [320, 1600])
def test_it_fits_and_is_readable(waymark, new_dashboard, published, width):
    dashboard = new_dashboard(width=width)
    dialog = ask(dashboard, published)
    assert dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
    assert low_contrast(dashboard.page) == []
    dashboard.press("Cancel", exact=True, within=dialog)
    withdraw(waymark, published)
    dashboard.open_domain(published, "settings")
    expect(notice(dashboard)).to_be_visible()
    assert overflow(dashboard.page) <= 0
    assert low_contrast(dashboard.page) == []


def test_a_published_domain_can_be_withdrawn_but_not_deleted(waymark, dashboard, published):
    dashboard.open_domain(published, "settings")
    panel = dashboard.page.get_by_role("region", name="Delete")
    expect(panel.get_by_role("button", name="Delete this domain…")).to_be_hidden()
    expect(panel).to_contain_text("This domain has been published, so it cannot be deleted.")
    panel.get_by_role("link", name="withdraw it from service").click()
    expect(dashboard.page.get_by_role("button", name="Withdraw from service…")).to_be_in_viewport()


def test_a_failed_deletion_names_no_route_of_the_api(waymark, dashboard, host):
    assert waymark.api("POST", f"/v1/domains/{host}/versions", {}).status_code == 201
    dashboard.open_domain(host, "settings")
    dashboard.press("Delete this domain…")
    dashboard.press("Delete domain", within=dashboard.dialog)
    panel = dashboard.page.get_by_role("region", name="Delete")
    expect(panel).to_contain_text("This domain has been published, so it cannot be deleted.")
    expect(panel).not_to_contain_text("/v1/")
    expect(panel).not_to_contain_text("POST")
