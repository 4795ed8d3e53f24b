"""What another person edits becomes visible in a page that is open, and nothing typed is lost."""

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


def test_rules_that_are_changed_elsewhere_are_drawn_in_place(waymark, opened, host):
    elsewhere(waymark, host, "/buy/*", "/new/*")
    opened.expect_patterns("/buy/*", "/new/*")
    expect(opened.announcement).to_contain_text("The draft has changed")
    expect(opened.page.locator("#file")).to_contain_text("/new/*")


def test_while_somebody_types_a_notice_offers_the_newest_draft_and_what_is_typed_stays(waymark, opened, host):
    opened.press("Edit rule 1, /buy/*")
    opened.type("Path", "/typed/*")
    elsewhere(waymark, host, "/new/*")
    expect(notice(opened)).to_be_visible()
    opened.expect_patterns(*ORIGINAL)
    opened.press("Show the newest draft")
    expect(notice(opened)).to_be_hidden()
    expect(opened.page.get_by_role("heading", name="Draft", exact=True)).to_be_focused()
    expect(opened.page.get_by_role("textbox", name="Path")).to_have_value("/typed/*")
    expect(opened.page.locator(".rule-pattern", has_text="/new/*")).to_be_visible()


def test_once_nobody_types_any_more_the_newest_draft_is_shown(waymark, opened, host):
    opened.press("Edit rule 1, /buy/*")
    opened.type("Comment", "not saved")
    elsewhere(waymark, host, "/new/*")
    expect(notice(opened)).to_be_visible()
    opened.press("Cancel")
    opened.expect_patterns("/new/*")
    expect(notice(opened)).to_be_hidden()


def test_an_edit_made_here_is_no_news(opened):
    opened.press("Edit rule 1, /buy/*")
    opened.type("Comment", "typed meanwhile")
    with opened.page.expect_response(lambda answer: "/v1/events?" in answer.url and "rule.deleted" in answer.text()):
        opened.press("Delete rule 3")
    opened.expect_patterns(*ORIGINAL[:2])
    expect(opened.announcement).to_contain_text("deleted from the draft")
    opened.page.wait_for_timeout(500)
    expect(notice(opened)).to_be_hidden()
    expect(opened.announcement).to_contain_text("deleted from the draft")


def test_a_tests_form_and_its_list_follow_too(waymark, opened, host):
    waymark.api("POST", f"/v1/domains/{host}/tests", {"url": "/buy/7", "expected": {"outcome": "opens", "app": SHOP}})
    expect(opened.page.get_by_role("list", name="Saved tests").get_by_role("listitem")).to_contain_text("/buy/7")


def test_services_that_somebody_else_added_survive_a_change_of_another_part(waymark, opened, host):
    opened.page.get_by_label("Include rule comments").check()
    elsewhere(waymark, host, "/buy/*", services={"webcredentials": [SHOP]})
    expect(notice(opened)).to_be_visible()
    opened.press("Show the newest draft")
    expect(notice(opened)).to_be_hidden()
    opened.press("Save to draft")
    expect(opened.announcement).to_contain_text("Saved to the draft")
    saved = waymark.api("GET", f"/v1/domains/{host}/draft").json()
    assert (saved["services"], saved["publishComments"]) == ({"webcredentials": [SHOP]}, True)


def test_an_older_answer_that_comes_late_does_not_bring_the_older_draft_back(waymark, opened, host):
    held = []
    looks = iter(["asks whether there is a newer draft", "fetches it"])

    def answer(route):
        """The page looks twice: whether there is another draft, and for it. The second answer is kept back."""
        if next(looks, None) == "fetches it":
            held.append((route, route.fetch()))
        else:
            route.continue_()

    opened.page.route(f"**/v1/domains/{host}/draft", answer)
    elsewhere(waymark, host, "/older/*")
    eventually(lambda: opened.page.wait_for_timeout(20) or held, what="the answer that is kept back")
    elsewhere(waymark, host, "/newer/*")
    opened.page.evaluate("window.dispatchEvent(new Event('focus'))")
    opened.expect_patterns("/newer/*")
    opened.page.evaluate(
        """() => new MutationObserver(() => (window.sawOlder ||= document.body.textContent.includes("/older/*")))
            .observe(document.body, { subtree: true, childList: true, characterData: true })"""
    )
    [(route, older)] = held
    route.fulfill(response=older)
    # What is shown next was asked for after the late answer came.
    elsewhere(waymark, host, "/last/*")
    opened.expect_patterns("/last/*")
    assert not opened.page.evaluate("window.sawOlder")
