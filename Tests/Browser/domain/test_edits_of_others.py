"""Edits by another user appear in an open page, and no input is lost."""

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from installation import eventually

ORIGINAL = ("/buy/*", "/help/website/*", "/help/*?articleNumber=????")


@pytest.fixture
def opened(dashboard, host):
    dashboard.open_domain(host)
    dashboard.expect_patterns(*ORIGINAL)
    return dashboard


def elsewhere(waymark, host, *paths, **parts):
    waymark.put_draft(host, draft(([SHOP], [rule(path) for path in paths]), **parts))


def notice(dashboard):
    return dashboard.page.get_by_text("You still see the older draft")


def test_rules_changed_by_others_are_redrawn(waymark, opened, host):
    elsewhere(waymark, host, "/buy/*", "/new/*")
    opened.expect_patterns("/buy/*", "/new/*")
    expect(opened.announcement).to_contain_text("changed this draft just now. You now see the newest draft.")
    expect(opened.page.locator("#file")).to_contain_text("/new/*")


def test_while_the_user_types_a_notice_offers_the_newest_draft_and_keeps_the_input(waymark, opened, host):
    opened.press("Edit rule 1, /buy/*")
    opened.type("Path", "/typed/*")
    elsewhere(waymark, host, "/new/*")
    expect(notice(opened)).to_be_visible()
    opened.expect_patterns(*ORIGINAL)
    opened.press("Show the newest draft")
    expect(notice(opened)).to_be_hidden()
    expect(opened.page.get_by_role("heading", name="Draft", exact=True)).to_be_focused()
    expect(opened.path).to_have_value("/typed/*")
    expect(opened.page.locator(".rule-pattern", has_text="/new/*")).to_be_visible()


def test_an_untouched_form_of_a_deleted_rule_closes(waymark, opened, host):
    opened.press("Edit rule 1, /buy/*")
    expect(opened.path).to_be_visible()
    elsewhere(waymark, host, "/new/*")
    opened.expect_patterns("/new/*")
    expect(opened.path).to_have_count(0)


def test_the_newest_draft_is_shown_once_the_user_stops_typing(waymark, opened, host):
    opened.press("Edit rule 1, /buy/*")
    opened.open_more()
    opened.type("Comment", "not saved")
    elsewhere(waymark, host, "/new/*")
    expect(notice(opened)).to_be_visible()
    opened.press("Cancel")
    opened.expect_patterns("/new/*")
    expect(notice(opened)).to_be_hidden()


def test_an_own_edit_shows_no_notice(opened):
    opened.press("Edit rule 1, /buy/*")
    opened.open_more()
    opened.type("Comment", "typed meanwhile")
    with opened.page.expect_response(lambda answer: "/v1/events?" in answer.url and "rule.deleted" in answer.text()):
        opened.press("Delete rule 3")
    opened.expect_patterns(*ORIGINAL[:2])
    expect(opened.announcement).to_contain_text("deleted from the draft")
    opened.page.wait_for_timeout(500)
    expect(notice(opened)).to_be_hidden()
    expect(opened.announcement).to_contain_text("deleted from the draft")


def test_the_list_of_tests_follows_too(waymark, opened, host):
    opened.open_part("Tests")
    expect(opened.page.get_by_text("No tests yet.")).to_be_visible()
    waymark.api("POST", f"/v1/domains/{host}/tests", {"url": "/buy/7", "expected": {"outcome": "opens", "app": SHOP}})
    expect(opened.page.get_by_role("list", name="Saved tests").get_by_role("listitem")).to_contain_text("/buy/7")


def test_services_added_by_another_user_survive_a_change_of_another_part(waymark, opened, host):
    opened.open_part("Settings")
    opened.page.get_by_label("Include rule comments").check()
    elsewhere(waymark, host, "/buy/*", services={"webcredentials": [SHOP]})
    expect(notice(opened)).to_be_visible()
    opened.press("Show the newest draft")
    expect(notice(opened)).to_be_hidden()
    opened.press("Save to draft")
    expect(opened.announcement).to_contain_text("Saved to the draft")
    saved = waymark.api("GET", f"/v1/domains/{host}/draft").json()
    assert (saved["services"], saved["publishComments"]) == ({"webcredentials": [SHOP]}, True)


def test_a_late_answer_does_not_restore_an_older_draft(waymark, opened, host):
    held = []
    looks = iter(["asks whether there is a newer draft", "fetches it"])

    def answer(route):
        """The page sends two requests: whether there is a newer draft, and for the draft. The second answer is held back."""
        if next(looks, None) == "fetches it":
            held.append((route, route.fetch()))
        else:
            route.continue_()

    opened.page.route(f"**/v1/domains/{host}/draft", answer)
    elsewhere(waymark, host, "/older/*")
    eventually(lambda: opened.page.wait_for_timeout(20) or held, what="the answer that is held back")
    elsewhere(waymark, host, "/newer/*")
    opened.page.evaluate("window.dispatchEvent(new Event('focus'))")
    opened.expect_patterns("/newer/*")
    opened.page.evaluate(
        """() => new MutationObserver(() => (window.sawOlder ||= document.body.textContent.includes("/older/*")))
            .observe(document.body, { subtree: true, childList: true, characterData: true })"""
    )
    [(route, older)] = held
    route.fulfill(response=older)
    # The next draft shown was requested after the late answer.
    elsewhere(waymark, host, "/last/*")
    opened.expect_patterns("/last/*")
    assert not opened.page.evaluate("window.sawOlder")


def both_edit_rule_1(new_dashboard, host):
    dashboards = new_dashboard(), new_dashboard()
    for dashboard in dashboards:
        dashboard.open_domain(host)
        dashboard.press("Edit rule 1, /buy/*")
    return dashboards


def test_an_unchanged_form_shows_the_changed_rule_and_saves_only_what_is_typed(new_dashboard, host):
    first, second = both_edit_rule_1(new_dashboard, host)
    first.type("Path", "/gifts/*")
    first.press("Save rule")
    expect(second.path).to_have_value("/gifts/*")
    second.open_more()
    second.type("Comment", "typed later")
    second.press("Save rule")
    for dashboard in (first, second):
        dashboard.expect_patterns("/gifts/*", *ORIGINAL[1:])
        expect(dashboard.rules.first).to_contain_text("typed later")


def test_saving_asks_if_the_newest_draft_has_another_value(new_dashboard, host):
    first, second = both_edit_rule_1(new_dashboard, host)
    second.type("Path", "/typed/*")
    first.type("Path", "/gifts/*")
    first.press("Save rule")
    second.press("Show the newest draft")
    expect(second.path).to_have_value("/typed/*")
    second.press("Save rule")
    question = second.page.get_by_role("alertdialog", name="The draft has changed")
    expect(question).to_contain_text("it is now /gifts/*")
    first.expect_patterns("/gifts/*", *ORIGINAL[1:])
    second.press("Apply my change to the newest draft")
    first.expect_patterns("/typed/*", *ORIGINAL[1:])
