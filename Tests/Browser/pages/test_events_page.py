"""The page of events: newest first, filtered by host and kind, with new events appearing automatically."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule


@pytest.fixture
def told_host(waymark, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/buy/*")])))
    waymark.publish(host, message="the summer campaign")
    return host


def rows(dashboard):
    return dashboard.page.get_by_role("list", name="Events").get_by_role("listitem")


def test_events_are_listed_newest_first(dashboard, told_host):
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).first).to_contain_text("Version 1 live")
    expect(rows(dashboard).last).to_contain_text("Domain added")
    expect(rows(dashboard).filter(has_text="the summer campaign").first).to_be_visible()
    rows(dashboard).first.get_by_role("link", name=told_host).click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text(told_host)


def test_the_list_is_filtered_and_the_address_keeps_the_filters(dashboard, told_host):
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).filter(has_text="Domain added")).to_have_count(1)
    dashboard.page.get_by_label("Kind").select_option("Publications")
    expect(rows(dashboard)).to_have_count(3)
    dashboard.page.reload()
    expect(rows(dashboard)).to_have_count(3)
    dashboard.page.get_by_role("searchbox", name="Host").fill("nobody.example")
    expect(dashboard.page.get_by_text("No events match.")).to_be_visible()


def test_new_events_appear_at_the_top_once_and_in_order(waymark, dashboard, told_host):
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).first).to_contain_text("Version 1 live")
    expect(rows(dashboard)).to_have_count(7)
    waymark.put_draft(told_host, draft(([SHOP], [rule("/buy/*"), rule("/sell/*")])))
    expect(rows(dashboard).first).to_contain_text("Draft edited")
    waymark.new_domain()
    waymark.publish(told_host)
    expect(rows(dashboard).first).to_contain_text("Version 2 live")
    expect(rows(dashboard)).to_have_count(7 + 5)
    expect(dashboard.page.get_by_role("status").filter(has_text="Updating live")).to_be_visible()


def test_older_events_are_loaded_on_demand(waymark, dashboard, told_host):
    for number in range(60):
        test = {"url": f"/{number}", "expected": {"outcome": "none"}}
        assert waymark.api("POST", f"/v1/domains/{told_host}/tests", test).status_code == 201
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard)).to_have_count(50)
    dashboard.press("Show older")
    expect(rows(dashboard)).to_have_count(67)
    expect(rows(dashboard).last).to_contain_text("Domain added")
    expect(dashboard.page.get_by_role("button", name="Show older")).to_be_hidden()
    positions = rows(dashboard).evaluate_all("rows => rows.map((row) => row.value)")
    assert positions == sorted(positions, reverse=True) and len(set(positions)) == 67


def test_following_continues_after_a_network_failure(waymark, dashboard, told_host):
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).first).to_contain_text("Version 1 live")
    # Requests already sent are answered; later ones are not.
    dashboard.page.route("**/v1/events?*", lambda route: route.abort())
    waymark.put_draft(told_host, draft(([SHOP], [rule("/one/*")])))
    expect(dashboard.page.get_by_text("Waymark does not answer")).to_be_visible()
    waymark.put_draft(told_host, draft(([SHOP], [rule("/two/*")])))
    dashboard.page.unroute("**/v1/events?*")
    expect(rows(dashboard).filter(has_text="Draft edited")).to_have_count(3)


def test_releases_are_named_by_their_message_and_link_to_their_page(waymark, dashboard, told_host):
    waymark.put_draft(told_host, draft(([SHOP], [rule("/released/*")])))
    waymark.release({"hosts": [told_host], "message": "the autumn campaign"})
    dashboard.open("/events", kind="release")
    row = rows(dashboard).first
    expect(row).to_contain_text("the autumn campaign Release live")
    row.get_by_role("link", name="the autumn campaign").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("the autumn campaign")


def test_schedules_and_runs_link_to_their_pages_and_a_reason_is_shown_once(waymark, dashboard, told_host):
    body = {"name": "each new year", "host": told_host, "expression": "@yearly", "zone": "UTC"}
    schedule = waymark.api("POST", "/v1/schedules", body).json()
    waymark.api("POST", f"/v1/schedules/{schedule['id']}/runs")
    ends = f"{datetime.now(UTC) + timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}"
    freeze = waymark.api("POST", "/v1/freezes", {"label": "told", "reason": "the winter sale", "endsAt": ends}).json()
    assert waymark.api("DELETE", f"/v1/freezes/{freeze['id']}").is_success
    dashboard.open("/events")
    frozen = rows(dashboard).filter(has_text="Freeze started").first
    expect(frozen).to_have_text(re.compile("^((?!the winter sale).)*the winter sale((?!the winter sale).)*$", re.DOTALL))
    run = rows(dashboard).filter(has_text="Run started").first
    run.get_by_role("link", name="each new year").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text("each new year")
    assert "run=" in dashboard.page.url


def test_events_of_older_and_newer_waymarks_are_shown_in_words(waymark, dashboard, told_host):
    """An older Waymark recorded fewer details; a newer one may record other kinds."""
    older = ["release.postponed", "release.failed", "release.live", "publication.postponed", "withdrawal.postponed"]
    kinds = [*older, "withdrawal.created", "replacement.postponed", "parcel.sent_back"]

    def with_less(route):
        body = route.fetch().json()
        if body["items"] and "limit=50" in route.request.url:
            one = body["items"][0]
            version = {"version": 3}
            body["items"] = [
                one | {"position": 1, "kind": kind, "detail": version if "publication" in kind else {}, "host": None}
                for kind in kinds
            ]
        route.fulfill(json=body)

    dashboard.page.route("**/v1/events?*sort=newest*", with_less)
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard)).to_have_count(len(kinds))
    said = dict(zip(kinds, rows(dashboard).all_inner_texts(), strict=True))
    assert "Release interrupted; it will be retried" in said["release.postponed"]
    assert "Release failed" in said["release.failed"]
    assert "Version 3 not live yet; it will be retried" in said["publication.postponed"]
    assert "Unknown event: parcel sent back" in said["parcel.sent_back"]
    for kind, words in said.items():
        assert kind not in words and not re.search("undefined|null|NaN|Invalid", words), kind
