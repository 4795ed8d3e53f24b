"""Scheduled publications, pending ones, and their progress."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from checks import low_contrast, overflow
from dashboard import SHOP, draft, rule

# A zone without clock changes: a typed time is exactly one moment.
ZONE = "America/Bogota"


@pytest.fixture
def abroad(new_dashboard):
    """A user whose time zone is not UTC."""
    return new_dashboard(timezone_id=ZONE)


def later(hours):
    return (datetime.now(UTC) + timedelta(hours=hours)).replace(microsecond=0)


def as_typed(time):
    """The moment in the user's local time, as in a control."""
    from zoneinfo import ZoneInfo

    return time.astimezone(ZoneInfo(ZONE)).strftime("%Y-%m-%dT%H:%M:%S")


def pending(dashboard):
    return dashboard.page.get_by_role("list", name="Pending").locator(":scope > li")


def test_a_version_is_scheduled_in_local_time_with_an_automatic_roll_back(waymark, abroad, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule("/gifts/*")])))
    abroad.open_review(published)
    at, back = later(24), later(48)
    abroad.page.get_by_label("Schedule").check()
    abroad.page.get_by_label("Goes live at").fill(as_typed(at))
    abroad.page.get_by_label("Roll back automatically").check()
    abroad.page.get_by_label("Roll back at").fill(as_typed(back))
    expect(abroad.page.get_by_role("main")).to_contain_text(ZONE)
    expect(abroad.page.get_by_role("main")).to_contain_text(f"{at:%H:%M}")
    abroad.press("Schedule", exact=True)
    abroad.expect_progress("Scheduled")
    abroad.page.get_by_text("Steps so far").click()
    expect(abroad.page.get_by_role("list", name="Steps so far")).to_contain_text("Created")
    abroad.back_to_domain("Versions")

    made = waymark.api("GET", f"/v1/domains/{published}/publications?state=pending").json()["items"]
    assert [item["at"] for item in made] == [f"{time:%Y-%m-%dT%H:%M:%SZ}" for time in (back, at)]
    assert {item["zone"] for item in made} == {ZONE}
    expect(pending(abroad)).to_have_count(2)
    expect(pending(abroad).first).to_contain_text("Version 2")
    expect(pending(abroad).first).to_contain_text(f"{at:%H:%M}")
    expect(pending(abroad).last).to_contain_text("Waits for version 2 to go live")


def test_a_missing_time_publishes_nothing(waymark, abroad, host):
    abroad.open_review(host)
    abroad.page.get_by_label("Schedule").check()
    abroad.press("Schedule", exact=True)
    expect(abroad.page.get_by_label("Goes live at")).to_have_attribute("aria-invalid", "true")
    abroad.page.get_by_label("Goes live at").fill(as_typed(later(-1)))
    abroad.press("Schedule", exact=True)
    expect(abroad.page.get_by_role("main")).to_contain_text(re.compile("has passed", re.IGNORECASE))
    assert waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"] == []


def test_a_pending_publication_is_cancelled_with_those_that_wait_for_it(waymark, dashboard, published):
    path = f"/v1/domains/{published}/publications"
    body = {"at": f"{later(2):%Y-%m-%dT%H:%M:%SZ}", "revertAt": f"{later(4):%Y-%m-%dT%H:%M:%SZ}"}
    made = waymark.api("POST", path, body)
    assert made.status_code == 202
    dashboard.open("/publish", host=published, publication=made.json()["revertedBy"])
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Rollback to version 1")
    dashboard.open_domain(published, "versions")
    expect(pending(dashboard)).to_have_count(2)
    dashboard.press("Cancel publication of version 2")
    dashboard.press("Cancel publication", exact=True, within=dashboard.dialog)
    expect(dashboard.announcement).to_contain_text("Publication of version 2 cancelled")
    expect(dashboard.page.get_by_role("heading", name="Pending")).to_be_hidden()
    states = [item["state"] for item in waymark.api("GET", path).json()["items"]]
    assert states == ["cancelled", "cancelled", "live"]


def test_the_page_shows_a_version_that_goes_live_meanwhile(waymark, dashboard, host):
    dashboard.open_domain(host, "versions")
    due = f"{datetime.now(UTC) + timedelta(seconds=15):%Y-%m-%dT%H:%M:%SZ}"
    assert waymark.api("POST", f"/v1/domains/{host}/publications", {"at": due}).status_code == 202
    expect(pending(dashboard)).to_contain_text("Scheduled")
    expect(dashboard.page.get_by_role("main").get_by_text("Version 1 · went live")).to_be_visible()
    expect(dashboard.page.get_by_role("heading", name="Pending")).to_be_hidden()


def test_failed_attempts_are_shown_with_their_cause_and_the_next_attempt(waymark, dashboard, host):
    waymark.api("POST", f"/v1/domains/{host}/publications", {"at": f"{later(1):%Y-%m-%dT%H:%M:%SZ}"})

    def as_postponed(route):
        answer = route.fetch().json()
        now = datetime.now(UTC).isoformat()
        blank = {"at": now, "attempt": 1, "cause": None, "nextAt": None}
        failed = {**blank, "step": "postponed", "cause": "the disk is full", "nextAt": now}
        for item in answer["items"]:
            item["state"] = "running"
            item["steps"] += [{**blank, "step": "claimed"}, failed]
        route.fulfill(json=answer)

    dashboard.page.route("**/publications?state=pending*", as_postponed)
    dashboard.open_domain(host, "versions")
    steps = pending(dashboard).get_by_role("list", name="Steps so far")
    expect(steps).to_contain_text("Attempt 1 started")
    expect(steps).to_contain_text(re.compile("Attempt 1 failed: the disk is full. Next attempt at"))
    expect(pending(dashboard).first).to_contain_text("Going live")


def test_an_older_version_is_scheduled_again(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    waymark.publish(published)
    dashboard.open_domain(published)
    dashboard.review(version=1)
    dashboard.page.get_by_label("Schedule").check()
    dashboard.page.get_by_label("Goes live at").fill(later(30).astimezone().strftime("%Y-%m-%dT%H:%M:%S"))
    dashboard.press("Schedule", exact=True)
    dashboard.expect_progress("Scheduled")
    [made] = waymark.api("GET", f"/v1/domains/{published}/publications?state=pending").json()["items"]
    assert (made["version"], made["state"]) == (1, "scheduled")


# The longest time that Apple documents for its systems, and five minutes for a cache.
LEAD = timedelta(days=8, minutes=5)


def test_a_change_is_scheduled_to_reach_devices_by_a_time(waymark, abroad, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule("/gifts/*")])))
    abroad.open_review(published)
    abroad.page.get_by_label("On devices by…").check()
    told = abroad.page.get_by_role("group", name="When").get_by_role("status")
    expect(told).to_be_hidden()
    abroad.press("Schedule", exact=True)
    expect(abroad.page.get_by_label("Reach devices by")).to_have_attribute("aria-invalid", "true")
    early, wanted = later(7 * 24), later(20 * 24)
    abroad.page.get_by_label("Reach devices by").fill(as_typed(early))
    expect(told).to_contain_text("That is too soon: a file published now reaches devices by")
    abroad.press("Schedule", exact=True)
    expect(abroad.page.get_by_role("main")).to_contain_text("leave it out to publish now")
    abroad.page.get_by_label("Reach devices by").fill(as_typed(wanted))
    at = wanted - LEAD
    expect(told).to_contain_text("It goes live at")
    expect(told).to_contain_text(f"{at:%H:%M}")
    expect(told.get_by_role("listitem").filter(has_text="within 24 hours").get_by_role("link")).to_be_visible()
    abroad.press("Schedule", exact=True)
    abroad.expect_progress("Scheduled")
    [made] = waymark.api("GET", f"/v1/domains/{published}/publications?state=pending").json()["items"]
    assert (made["at"], made["zone"]) == (f"{at:%Y-%m-%dT%H:%M:%SZ}", ZONE)


def test_the_time_to_reach_devices_is_shown_to_the_end_also_when_it_is_too_late(waymark, dashboard, published):
    path = f"/v1/domains/{published}/publications"
    wanted = later(20 * 24)
    made = waymark.api("POST", path, {"effectiveBy": f"{wanted:%Y-%m-%dT%H:%M:%SZ}"}).json()
    dashboard.open_domain(published, "versions")
    reach = f"Reaches devices by {wanted:%a, %b} {wanted.day}"
    expect(pending(dashboard)).to_contain_text(reach)
    expect(pending(dashboard)).to_contain_text("Apple’s CDN fetches within a day and devices check about weekly")

    def as_late(route):
        answer = route.fetch().json()
        answer["items"] = [{**item, "late": 187} for item in answer["items"]]
        route.fulfill(json=answer)

    dashboard.page.route("**/publications?state=pending*", as_late)
    dashboard.open_domain(published, "versions")
    expect(pending(dashboard)).to_contain_text("3 min too late to reach devices by")
    dashboard.page.unroute_all(behavior="wait")
    assert waymark.api("DELETE", f"{path}/{made['id']}").status_code == 200
    expect(dashboard.page.get_by_role("heading", name="Pending")).to_be_hidden()
    dashboard.page.get_by_text("Publication history").click()
    ended = dashboard.page.locator(".publication-list > li").first
    expect(ended).to_contain_text("Was meant to reach devices by")


@pytest.mark.parametrize("width", [320, 360, 1600])
def test_times_and_pending_publications_fit_and_are_readable(waymark, new_dashboard, published, width):
    times = {"at": f"{later(2):%Y-%m-%dT%H:%M:%SZ}", "revertAt": f"{later(4):%Y-%m-%dT%H:%M:%SZ}"}
    message = "A message of some length about what this is for, " * 3
    waymark.api("POST", f"/v1/domains/{published}/publications", {**times, "message": message})
    dashboard = new_dashboard(width=width)
    dashboard.open_domain(published, "versions")
    expect(pending(dashboard)).to_have_count(2)
    assert overflow(dashboard.page) <= 0
    assert low_contrast(dashboard.page) == []
    dashboard.review()
    dashboard.page.get_by_label("Schedule").check()
    dashboard.page.get_by_label("Roll back automatically").check()
    assert overflow(dashboard.page) <= 0
    assert low_contrast(dashboard.page) == []
    dashboard.page.get_by_label("On devices by…").check()
    for time, tone in [(later(24), "warning"), (later(20 * 24), "quiet")]:
        typed = time.astimezone().strftime("%Y-%m-%dT%H:%M:%S")
        dashboard.page.get_by_label("Reach devices by").fill(typed)
        notice = dashboard.page.locator(f".notice[data-tone={tone}]").filter(has_text="within 24 hours")
        expect(notice.filter(visible=True)).to_have_count(1)
        assert overflow(dashboard.page) <= 0
        assert low_contrast(dashboard.page) == []


def test_publishing_warns_of_pending_publications_and_they_show_that_they_will_be_suspended(waymark, dashboard, published):
    path = f"/v1/domains/{published}/publications"
    made = [{"at": f"{later(hours):%Y-%m-%dT%H:%M:%SZ}"} for hours in (24, 30)]
    made[0]["revertAt"] = f"{later(48):%Y-%m-%dT%H:%M:%SZ}"
    made[1] |= {"override": True, "reason": "even if another version is live"}
    waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule("/gifts/*")])))
    for body in made:
        assert waymark.api("POST", path, body).status_code == 202
    dashboard.open_domain(published, "versions")
    overtaken = pending(dashboard).filter(has_text="It will be suspended: another version went live after it was created")
    expect(pending(dashboard)).to_have_count(3)
    expect(overtaken).to_have_count(0)
    dashboard.review()
    expect(dashboard.page.get_by_text("Publishing now will suspend:")).to_be_visible()
    expect(dashboard.page.locator(".waiting-list > li")).to_have_count(1)
    expect(dashboard.page.locator(".waiting-list > li")).to_contain_text("Version 2, due at")
    dashboard.page.get_by_role("link", name="Cancel").click()
    dashboard.review(version=2)
    expect(dashboard.page.locator(".waiting-list > li")).to_contain_text("Version 2, due at")
    dashboard.page.get_by_role("link", name="Cancel").click()
    dashboard.open_part("Versions")

    waymark.publish(published)
    expect(overtaken).to_have_count(1)
    expect(overtaken).to_contain_text("Version 2")
    expect(pending(dashboard).filter(has_text="Waits for version 2 to go live")).to_have_count(2)
    cancelled = pending(dashboard).filter(has_text="It will be cancelled: it rolls back version 2, which will not")
    expect(cancelled).to_have_count(1)
    expect(cancelled).to_contain_text("Rolls back the previous change.")
    dashboard.review()
    expect(dashboard.page.get_by_text("will suspend:")).to_be_hidden()


def test_a_publication_that_waits_for_a_suspended_one_shows_that(waymark, dashboard, published):
    for hours, path in [(24, "/gifts/*"), (30, "/cards/*")]:
        waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule(path)])))
        body = {"at": f"{later(hours):%Y-%m-%dT%H:%M:%SZ}"}
        assert waymark.api("POST", f"/v1/domains/{published}/publications", body).status_code == 202
    waymark.publish(published, version=1)
    dashboard.open_domain(published, "versions")
    expect(pending(dashboard)).to_have_count(2)
    expect(pending(dashboard).first).to_contain_text("It will be suspended: another version went live after it was created")
    behind = "It will be suspended: it waits for version 2, which will not go live."
    expect(pending(dashboard).last).to_contain_text(behind)


def test_a_suspended_publication_is_shown_even_if_a_newer_one_exists(waymark, dashboard, published):
    path = f"/v1/domains/{published}/publications"
    due = later(0) + timedelta(seconds=12)
    made = waymark.api("POST", path, {"version": 1, "at": f"{due:%Y-%m-%dT%H:%M:%SZ}"}).json()
    waymark.publish(published, version=1)
    assert waymark.api("GET", f"{path}/{made['id']}?wait=30").json()["state"] == "suspended"
    dashboard.open_domain(published, "versions")
    first = dashboard.page.locator(".publication-list > li").first
    expect(first).to_be_visible()
    expect(first).to_contain_text("Suspended")
    expect(first).to_contain_text("another version went live after it was created")
    waymark.publish_again(published, version=1)
    dashboard.open_domain(published, "versions")
    expect(dashboard.page.get_by_text("Publication history")).to_be_visible()
    expect(first).not_to_be_visible()
