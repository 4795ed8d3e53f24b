"""Loading a version into the draft: after a roll-back, from the list of versions, and to discard changes."""

import re

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule


@pytest.fixture
def rolled_out(waymark, published):
    """Version 2 is live, with /bad/* instead of the rules of version 1."""
    waymark.put_draft(published, draft(([SHOP], [rule("/bad/*")])))
    waymark.publish(published)
    return published


ORIGINAL = ("/buy/*", "/help/website/*", "/help/*?articleNumber=????")


def test_after_a_roll_back_the_version_is_loaded_into_the_draft(waymark, dashboard, rolled_out):
    dashboard.open_review(rolled_out, version=1)
    dashboard.press("Roll back to version 1")
    expect(dashboard.page.get_by_text("Your draft differs from the live version.")).to_be_visible()
    dashboard.press("Load version 1 into the draft")
    expect(dashboard.announcement).to_contain_text("Version 1 loaded into the draft")
    assert not waymark.api("GET", f"/v1/domains/{rolled_out}").json()["draft"]["changed"]
    dashboard.press("Undo")
    expect(dashboard.announcement).to_contain_text("Draft restored.")
    expect(dashboard.page.get_by_text("Your draft differs from the live version.")).to_be_visible()
    dashboard.press("Load version 1 into the draft")
    expect(dashboard.announcement).to_contain_text("Version 1 loaded into the draft")
    dashboard.back_to_domain()
    dashboard.expect_patterns(*ORIGINAL)


def test_a_newer_draft_is_not_called_the_version_that_was_rolled_back(waymark, dashboard, rolled_out):
    waymark.put_draft(rolled_out, draft(([SHOP], [rule("/better/*")])))
    dashboard.open_review(rolled_out, version=1)
    dashboard.press("Roll back to version 1")
    expect(dashboard.page.get_by_text("Your draft differs from the live version.")).to_be_visible()
    expect(dashboard.progress).not_to_contain_text("rolled back")
    dashboard.back_to_domain()
    dashboard.page.get_by_role("button", name="Discard changes").click()
    dashboard.expect_patterns(*ORIGINAL)
    dashboard.press("Undo", exact=True)
    dashboard.expect_patterns("/better/*")


def test_changes_are_discarded_and_restored(waymark, dashboard, published):
    dashboard.open_domain(published)
    discard = dashboard.page.get_by_role("button", name="Discard changes")
    expect(discard).to_be_hidden()
    dashboard.press("Delete rule 1, /buy/*")
    dashboard.press("Dismiss")
    discard.click()
    dashboard.expect_patterns(*ORIGINAL)
    expect(discard).to_be_hidden()
    dashboard.press("Undo", exact=True)
    dashboard.expect_patterns(*ORIGINAL[1:])
    expect(discard).to_be_visible()


def test_any_version_can_be_loaded_from_the_list_without_publishing(waymark, dashboard, rolled_out):
    dashboard.open_domain(rolled_out, "versions")
    dashboard.press("Load version 1 into the draft")
    expect(dashboard.announcement).to_contain_text("Version 1 loaded into the draft.")
    dashboard.open_part("Rules")
    dashboard.expect_patterns(*ORIGINAL)
    assert waymark.api("GET", f"/v1/domains/{rolled_out}").json()["live"]["version"] == 2


def test_a_draft_equal_to_the_version_offers_nothing(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/bad/*")])))
    waymark.publish(published)
    waymark.put_draft(published, ORIGINAL_DRAFT)
    dashboard.open_review(published, version=1)
    dashboard.press("Roll back to version 1")
    dashboard.expect_progress("Version 1 is live")
    expect(dashboard.page.get_by_role("list", name="Delivery").get_by_text("Serves version 1")).to_be_visible()
    expect(dashboard.page.get_by_role("link", name="Publish version 2…")).to_be_visible()
    expect(dashboard.page.get_by_role("button", name=re.compile("into the draft"))).to_be_hidden()


ORIGINAL_DRAFT = draft(
    ([SHOP], [rule("/buy/*"), rule("/help/website/*", exclude=True), rule("/help/*", query={"articleNumber": "????"})])
)
