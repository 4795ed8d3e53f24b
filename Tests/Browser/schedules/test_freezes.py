"""Freezes: started and ended on the page of schedules, and shown wherever users publish."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule

WINTER = {"label": "shop", "reason": "the winter sale"}


@pytest.fixture
def acme(waymark):
    return waymark.create_organization()


@pytest.fixture
def api(waymark, acme):
    token = waymark.token("owner", acme)

    def ask(method, path, body=None):
        answer = waymark.api(method, path, body, token=token)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    return ask


@pytest.fixture
def shop(waymark, acme):
    """A domain with the label, a live version and a changed draft."""
    token = waymark.token("owner", acme)
    host = waymark.new_domain(draft(([SHOP], [rule("/1")])), token=token, labels=["shop"])
    waymark.publish(host, token=token)
    waymark.put_draft(host, draft(([SHOP], [rule("/2")])), token=token)
    return host


def later(**duration):
    return f"{datetime.now(UTC) + timedelta(**duration):%Y-%m-%dT%H:%M:%SZ}"


def test_a_freeze_is_started_shown_and_ended(acme, api, shop, new_dashboard):
    board = new_dashboard(acme)
    api("POST", "/v1/schedules", {"name": "nightly", "label": "shop", "expression": "@daily", "zone": "UTC"})
    board.open("/schedules")
    board.press("Freeze…", exact=True)
    board.press("Freeze", exact=True, within=board.dialog)
    expect(board.dialog.get_by_label("Until")).to_have_accessible_description(f"Enter when the freeze ends. {hint()}")
    board.dialog.get_by_label("Domains with a label").check()
    label = board.dialog.get_by_label("Label", exact=True)
    label.fill("shpo")
    expect(label).to_have_accessible_description("No domain has this label.")
    label.fill("shop")
    expect(label).to_have_accessible_description("1 domain with this label.")
    board.dialog.get_by_label("Until").fill("2000-01-01T00:00")
    board.type("Reason", "the winter sale", within=board.dialog)
    board.press("Freeze", exact=True, within=board.dialog)
    expect(board.dialog).to_contain_text("must be in the future")
    board.dialog.get_by_label("Until").fill(f"{datetime.now() + timedelta(days=2):%Y-%m-%dT%H:%M}")
    board.press("Freeze", exact=True, within=board.dialog)
    expect(board.dialog).to_be_hidden()
    notice = board.page.get_by_text("Frozen: domains labelled shop. Nothing scheduled is published until")
    expect(notice).to_contain_text("Reason: the winter sale.")
    expect(board.page.get_by_role("list", name="Schedules")).to_contain_text("Frozen until")
    [freeze] = api("GET", "/v1/freezes?state=current")["items"]
    assert (freeze["label"], freeze["reason"]) == ("shop", "the winter sale")

    board.press("End freeze of domains labelled shop")
    expect(board.dialog).to_contain_text("Schedules run again from now on")
    board.press("End freeze", within=board.dialog)
    expect(notice).to_be_hidden()
    board.page.get_by_text("Ended freezes").click()
    ended = board.page.get_by_role("listitem").filter(has_text="ended early by")
    expect(ended).to_contain_text("the winter sale")
    assert api("GET", "/v1/freezes?state=current")["items"] == []


def hint():
    return "Enter your local time. UTC appears here."


def test_a_freeze_is_shown_when_publishing_and_at_pending_publications(acme, api, shop, new_dashboard):
    api("POST", f"/v1/domains/{shop}/publications", {"at": later(hours=1)})
    board = new_dashboard(acme)
    board.open_domain(shop, "versions")
    expect(board.page.get_by_text("Nothing scheduled is published until")).to_have_count(0)
    board.review()
    expect(board.page.get_by_text("Nothing scheduled is published")).to_have_count(0)
    api("POST", "/v1/freezes", WINTER | {"endsAt": later(days=2)})
    board.open_domain(shop, "versions")
    head = board.page.locator(".domain-top")
    expect(head).to_contain_text("Frozen. Nothing scheduled is published until")
    expect(head.get_by_text("Reason: the winter sale.")).to_be_visible()
    pending = board.page.get_by_role("list", name="Pending")
    expect(pending).to_contain_text("It will be suspended when it is due.")
    for version in (None, 2):
        board.review(version)
        expect(board.page.get_by_text("Reason: the winter sale. You can still publish now.")).to_be_visible()
        board.page.get_by_role("link", name="Cancel").click()
    board.publish()
    head.get_by_role("link", name="Schedules and freezes").click()
    expect(board.page.get_by_role("button", name="End freeze of domains labelled shop")).to_be_visible()


def test_a_domain_lists_the_schedules_that_publish_it(acme, api, shop, new_dashboard):
    board = new_dashboard(acme, timezone_id="UTC")
    board.open_domain(shop, "versions")
    expect(board.page.get_by_text("No schedule publishes this domain.")).to_be_visible()
    board.page.get_by_role("link", name="Create a schedule").click()
    expect(board.dialog.get_by_label("Domain", exact=True)).to_have_value(shop)
    board.dialog.get_by_label("Name").fill("mornings")
    board.press("Create schedule")
    expect(board.dialog).to_be_hidden()
    board.page.reload()
    expect(board.page.get_by_role("link", name="mornings")).to_be_visible()
    expect(board.dialog).to_be_hidden()
    api("POST", "/v1/schedules", {"name": "nightly", "label": "shop", "expression": "30 2 * * *", "zone": "UTC"})
    api("POST", "/v1/schedules", {"name": "others", "label": "other", "expression": "30 2 * * *", "zone": "UTC"})
    board.open_domain(shop, "versions")
    listed = board.page.get_by_role("list", name="Schedules").get_by_role("listitem")
    expect(listed).to_have_count(2)
    expect(listed.first).to_contain_text("At 09:00 on Monday to Friday, UTC")
    expect(listed.last).to_contain_text("by label shop")
    expect(listed.last).to_contain_text("Next run")
    expect(listed.last).to_contain_text("02:30 UTC")
    listed.last.get_by_role("link", name="nightly").click()
    expect(board.page.get_by_role("heading", level=1)).to_have_text("nightly")
