"""Pending publications: their effect is shown before publishing, in the domain's head, and in the list."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from installation import eventually
from schedules import Organization


def at(hours):
    return f"{datetime.now(UTC) + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"


def typed(hours):
    return (datetime.now(UTC) + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S")


@pytest.fixture
def utc(new_dashboard):
    return new_dashboard(timezone_id="UTC")


def pending(dashboard):
    return dashboard.page.get_by_role("list", name="Pending").locator(":scope > li")


def head(dashboard):
    return dashboard.page.get_by_role("list", name="Publication status").locator(":scope > li")


def schedule(waymark, host, hours, path="/later/*", **fields):
    waymark.put_draft(host, draft(([SHOP], [rule("/buy/*"), rule(path)])))
    answer = waymark.api("POST", f"/v1/domains/{host}/publications", {"at": at(hours), **fields})
    assert answer.status_code == 202, answer.text
    return answer.json()


def choose(dashboard, hours):
    dashboard.page.get_by_label("Schedule").check()
    dashboard.page.get_by_label("Goes live at").fill(typed(hours))


def test_publishing_lists_what_it_suspends_at_the_chosen_time(waymark, utc, published):
    schedule(waymark, published, 24)
    utc.open_review(published)
    suspended = utc.page.get_by_role("list", name="Will be suspended").get_by_role("listitem")
    expect(utc.page.get_by_text("Publishing now will suspend:")).to_be_visible()
    expect(suspended).to_have_count(1)
    expect(suspended).to_contain_text("Version 2, due")
    schedule(waymark, published, 36, path="/last/*")
    expect(suspended).to_have_count(2)
    expect(suspended.last).to_contain_text("Version 3, due")
    choose(utc, 40)
    expect(utc.page.get_by_text("will suspend:")).to_be_hidden()
    choose(utc, 30)
    expect(suspended).to_have_count(1)
    expect(suspended).to_contain_text("Version 3, due")
    choose(utc, 12)
    expect(utc.page.get_by_text("Publishing then will suspend:")).to_be_visible()


def test_publishing_warns_of_an_earlier_release_which_can_be_overridden(waymark, utc, published):
    body = {"hosts": [published], "at": at(24), "message": "the spring release"}
    waymark.put_draft(published, draft(([SHOP], [rule("/spring/*")])))
    made = waymark.api("POST", "/v1/releases", body).json()
    waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule("/later/*")])))
    eventually(lambda: waymark.api("GET", f"/v1/releases/{made['id']}").json()["state"] == "scheduled")
    utc.open_review(published)
    warning = utc.page.get_by_text("will suspend your publication, unless you override it")
    expect(utc.page.get_by_role("checkbox", name="Publish even if")).to_be_hidden()
    choose(utc, 30)
    expect(warning).to_be_visible()
    before = utc.page.get_by_role("list", name="Goes live first").get_by_role("listitem")
    expect(before).to_contain_text("the spring release")
    utc.page.get_by_role("checkbox", name="or if another version goes live first").check()
    expect(warning).to_be_hidden()
    utc.press("Schedule", exact=True)
    expect(utc.page.get_by_label("Reason for overriding")).to_have_attribute("aria-invalid", "true")
    utc.page.get_by_label("Reason for overriding").fill("the campaign must be last")
    utc.press("Schedule", exact=True)
    utc.expect_progress("Scheduled")
    [publication] = waymark.api("GET", f"/v1/domains/{published}/publications?state=pending").json()["items"]
    assert (publication["override"], publication["reason"]) == (True, "the campaign must be last")
    waymark.api("DELETE", f"/v1/releases/{made['id']}")


def test_scheduling_warns_of_a_schedule_and_a_publication_that_go_live_first(waymark, utc, published):
    label = f"label-{published.split('.')[0]}"
    assert waymark.api("PATCH", f"/v1/domains/{published}", {"labels": [label]}).is_success
    by_label = {"name": "daily noon", "label": label, "expression": "0 12 * * *", "zone": "UTC"}
    made = waymark.api("POST", "/v1/schedules", by_label).json()
    schedule(waymark, published, 30)
    utc.open_review(published)
    before = utc.page.get_by_role("list", name="Goes live first").get_by_role("listitem")
    expect(before).to_have_count(0)
    choose(utc, 48)
    expect(before.filter(has_text=f"{published} is published at")).to_contain_text("and yours follows it")
    noon = before.filter(has_text="daily noon is a schedule that runs at")
    expect(noon).to_contain_text("12:00 UTC")
    noon.get_by_role("link", name="daily noon").click()
    utc.page.wait_for_url(f"**/schedules?*schedule={made['id']}")
    waymark.api("DELETE", f"/v1/schedules/{made['id']}", headers={"If-Match": "*"})


def test_scheduling_an_older_version_overrides_only_if_chosen(waymark, utc, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    waymark.publish(published)
    utc.open_domain(published, "versions")
    for chosen in (False, True):
        utc.review(version=1)
        choose(utc, 30 + chosen)
        if chosen:
            utc.page.get_by_role("checkbox", name="or if another version goes live first").check()
        utc.type("Reason", "the old links")
        utc.press("Schedule", exact=True)
        utc.expect_progress("Scheduled")
        utc.back_to_domain("Versions")
    made = waymark.api("GET", f"/v1/domains/{published}/publications?state=pending").json()["items"]
    assert sorted((each["at"], each["override"]) for each in made) == [
        (each["at"], chosen) for each, chosen in zip(sorted(made, key=lambda each: each["at"]), (False, True))
    ]


def test_a_publication_that_will_not_go_live_holds_up_no_other(waymark, utc, published):
    schedule(waymark, published, 24)
    waymark.put_draft(published, draft(([SHOP], [rule("/other/*")])))
    waymark.publish(published)
    waymark.put_draft(published, draft(([SHOP], [rule("/third/*")])))
    utc.open_review(published)
    choose(utc, 30)
    utc.press("Schedule", exact=True)
    utc.expect_progress("Scheduled")
    utc.back_to_domain("Versions")
    expect(pending(utc).filter(has_text="Version 4")).to_contain_text("Scheduled")
    expect(pending(utc).filter(has_text="Version 2")).to_contain_text("Will be suspended")


def test_publishing_warns_if_the_automatic_roll_back_will_not_happen(waymark, utc, published):
    schedule(waymark, published, 40, override=True, reason="certainly")
    utc.open_review(published)
    choose(utc, 30)
    utc.page.get_by_label("Roll back automatically").check()
    utc.page.get_by_label("Roll back at").fill(typed(50))
    expect(utc.page.get_by_text("It will not be rolled back automatically: version 2 will go live")).to_be_visible()


def test_the_list_of_domains_shows_and_filters_pending_and_suspended_publications(waymark, new_dashboard, apps, session_of):
    organization = Organization(waymark)
    host, quiet = organization.domain(), organization.domain()
    made = organization.made(f"/v1/domains/{host}/publications", {"at": at(24)})
    board = new_dashboard(organization.slug, timezone_id="UTC")
    board.open("/")
    rows = board.page.get_by_role("table", name="Domains").locator(".domain-row")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text=host)).to_contain_text(f"v{made['version']} in 23 hr")
    board.page.get_by_role("combobox", name="Publication").select_option("Publication pending")
    expect(rows).to_have_count(1)
    assert "publication=pending" in board.page.url
    board.page.get_by_role("combobox", name="Publication").select_option("Publication suspended")
    expect(rows).to_have_count(0)


def test_the_head_hides_pending_publications_only_if_there_are_many(waymark, utc, published):
    for hours in range(1, 5):
        schedule(waymark, published, 24 * hours, path=f"/later/{hours}/*")
    utc.open_domain(published, "versions")
    expect(head(utc)).to_have_count(4)
    schedule(waymark, published, 120)
    expect(head(utc)).to_have_count(3)
    expect(head(utc).last).to_contain_text("And 3 more.")


def test_a_publication_that_will_be_suspended_is_never_called_scheduled(waymark, utc, published):
    schedule(waymark, published, 24)
    utc.open_domain(published, "versions")
    expect(pending(utc)).to_contain_text("Scheduled")
    expect(head(utc)).to_contain_text("Scheduled")
    expect(head(utc)).to_contain_text("Version 2 goes live")
    waymark.publish(published, version=1)
    expect(utc.page.locator(".badge", has_text="Will be suspended")).to_have_count(3)
    expect(pending(utc)).to_have_count(1)
    expect(pending(utc)).not_to_contain_text("Scheduled")
    expect(head(utc)).to_contain_text("Will be suspended")
    expect(head(utc)).to_contain_text("another version went live after it was created")
    pending(utc).get_by_role("link", name="Publish version 2…").click()
    expect(utc.page.get_by_role("heading", level=1)).to_have_text("Publish version 2")


def test_the_progress_says_that_a_publication_will_be_suspended(waymark, utc, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule("/gifts/*")])))

    def as_doomed(route):
        answer = route.fetch()
        obstacle = "it waits for version 8, which will not go live"
        route.fulfill(status=answer.status, json={**answer.json(), "blockedReason": obstacle})

    utc.page.route("**/publications?wait=1", as_doomed)
    utc.page.route("**/publications/*?wait=5", lambda route: None)
    utc.open_review(published)
    choose(utc, 24)
    utc.press("Schedule", exact=True)
    utc.expect_progress("Version 2: will be suspended")
    expect(utc.page.get_by_role("main")).to_contain_text("It will be suspended: it waits for version 8")
    expect(utc.page.get_by_role("heading", name="Scheduled")).to_have_count(0)


def test_a_suspended_or_failed_publication_stays_in_the_head_until_a_version_goes_live(waymark, utc, published):
    soon = f"{datetime.now(UTC) + timedelta(seconds=20):%Y-%m-%dT%H:%M:%SZ}"
    path = f"/v1/domains/{published}/publications"
    made = waymark.api("POST", path, {"version": 1, "at": soon}).json()
    waymark.publish(published, version=1)
    utc.open_domain(published, "versions")
    assert waymark.api("GET", f"{path}/{made['id']}?wait=30").json()["state"] == "suspended"
    expect(head(utc)).to_contain_text("Suspended")
    expect(head(utc)).to_contain_text("Version 1 did not go live: another version went live after it was created")
    waymark.publish_again(published, version=1)
    expect(head(utc)).to_have_count(0)


def test_a_release_that_a_freeze_will_suspend_is_not_called_scheduled(waymark, new_dashboard, apps, session_of):
    organization = Organization(waymark)
    host = organization.domain(labels=["frozen"])
    release = organization.made("/v1/releases", {"hosts": [host], "at": at(2)})
    organization.made("/v1/freezes", {"label": "frozen", "endsAt": at(48), "reason": "the winter sale"})
    path = f"/v1/releases/{release['id']}"
    eventually(lambda: organization.api("GET", path).json()["state"] == "scheduled")
    board = new_dashboard(organization.slug, timezone_id="UTC")
    board.open("/releases")
    row = board.page.get_by_role("list", name="Releases").get_by_role("listitem")
    expect(row).to_contain_text("Will be suspended")
    board.open_domain(host, "versions")
    expect(head(board)).to_contain_text("Will be suspended")
    expect(pending(board)).to_contain_text("Will be suspended")
