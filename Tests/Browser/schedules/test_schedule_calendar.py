"""The calendar of schedules: past and due runs, scheduled publications, and freezes."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from schedules import BERLIN, BERLIN_ZONE, NIGHTLY, Organization, berlin_today, calendar, day_button, open_page, rows


@pytest.fixture
def acme(waymark):
    return Organization(waymark)


@pytest.fixture
def board(acme, new_dashboard):
    """A tab of a user in Berlin."""
    return new_dashboard(acme.slug, **BERLIN)


def test_the_calendar_shows_past_and_due_runs_publications_and_freezes(acme, board):
    host = acme.domain(labels=["shop"])
    schedule = acme.made("/v1/schedules", NIGHTLY)
    # Not during the hours when this test may run.
    hours = sorted((datetime.now(UTC).hour + more) % 24 for more in range(6, 20))
    often = f"0,30 {','.join(map(str, hours))} * * *"
    words = acme.made("/v1/schedules", NIGHTLY | {"name": "often", "expression": often, "zone": "UTC"})["words"]
    words = words[0].upper() + words[1:]
    acme.run(schedule)
    acme.waymark.put_draft(host, draft(([SHOP], [rule("/2")])), token=acme.token)
    soon = (datetime.now(UTC) + timedelta(hours=1)).replace(microsecond=0)
    acme.made(f"/v1/domains/{host}/publications", {"at": f"{soon:%Y-%m-%dT%H:%M:%SZ}"})
    ends = (datetime.now(UTC) + timedelta(days=3)).replace(microsecond=0)
    body = {"label": "shop", "reason": "the winter sale", "endsAt": f"{ends:%Y-%m-%dT%H:%M:%SZ}"}
    acme.made("/v1/freezes", body)
    open_page(board)
    today = berlin_today()
    expect(day_button(board, today)).to_have_accessible_name(
        re.compile(r"frozen, domains labelled shop; .*nightly, 1 published")
    )
    expect(day_button(board, today)).to_have_attribute("aria-current", "date")
    expect(calendar(board)).to_contain_text("Frozen: shop, the winter sale")
    expect(board.page.get_by_text(f"Runs too often to show in advance: often ({words}")).to_be_visible()
    expect(board.page.get_by_text("your time zone, Europe/Berlin")).to_be_visible()
    day_button(board, today).click()
    expect(board.dialog.get_by_role("heading")).to_contain_text(f"{today:%A}, {today:%B} {today.day}")
    expect(board.dialog).to_contain_text("Nothing scheduled is published until")
    ran = board.dialog.get_by_role("listitem").filter(has_text="1 published")
    expect(ran).to_contain_text("started manually by")
    ran.get_by_role("link", name="nightly").click()
    expect(board.page.get_by_role("region", name="Runs").get_by_role("link", name=host)).to_be_visible()

    open_page(board)
    due = datetime.fromisoformat(schedule["nextDueAt"]).astimezone(BERLIN_ZONE)
    if due.month != today.month:
        board.press("Next month")
    name = re.compile(f"{due:%H:%M} nightly, due")
    expect(day_button(board, due.date())).to_have_accessible_name(name)
    day_button(board, due.date()).click()
    # In the morning, the run that was started by hand is on the same day.
    item = board.dialog.get_by_role("listitem").filter(has_text="nightly").filter(has_text="Due")
    expect(item).to_contain_text(re.compile(f"{due:%H:%M} Berlin time 02:30 New York time"))
    board.press("Close", within=board.dialog)
    soon = soon.astimezone(due.tzinfo)
    if soon.month == today.month:
        board.press("Today")
        name = re.compile(f"{soon:%H:%M} {re.escape(host)}, version 2 will be suspended \\(freeze\\)")
        expect(day_button(board, soon.date())).to_have_accessible_name(name)


def test_the_calendar_shows_a_pending_release(acme, board):
    host = acme.domain(labels=["shop"])
    acme.waymark.put_draft(host, draft(([SHOP], [rule("/2")])), token=acme.token)
    soon = (datetime.now(UTC) + timedelta(hours=1)).replace(microsecond=0)
    acme.made("/v1/releases", {"hosts": [host], "at": f"{soon:%Y-%m-%dT%H:%M:%SZ}", "message": "the new shop"})
    soon = soon.astimezone(BERLIN_ZONE)
    open_page(board, month=f"{soon:%Y-%m}")
    name = re.compile(f"{soon:%H:%M} the new shop, release of 1 domain goes live")
    expect(day_button(board, soon.date())).to_have_accessible_name(name)
    day_button(board, soon.date()).click()
    board.dialog.get_by_role("link", name="the new shop").click()
    expect(board.page.get_by_role("heading", level=1)).to_have_text("the new shop")
    ends = (datetime.now(UTC) + timedelta(days=3)).replace(microsecond=0)
    acme.made("/v1/freezes", {"label": "shop", "reason": "the sale", "endsAt": f"{ends:%Y-%m-%dT%H:%M:%SZ}"})
    open_page(board, month=f"{soon:%Y-%m}")
    name = re.compile(f"{soon:%H:%M} the new shop, release of 1 domain will be suspended \\(freeze\\)")
    expect(day_button(board, soon.date())).to_have_accessible_name(name)


def test_the_keyboard_moves_between_months_and_days(acme, board):
    open_page(board, month="2027-02")
    heading = board.page.get_by_role("region", name=re.compile("20")).get_by_role("heading").first
    expect(heading).to_have_text("February 2027")
    expect(calendar(board).get_by_role("row")).to_have_count(5)
    expect(calendar(board).locator("button[tabindex='0']")).to_have_count(1)
    board.press("Next month")
    expect(heading).to_have_text("March 2027")
    assert "month=2027-03" in board.page.url
    first = day_button(board, datetime(2027, 3, 1))
    first.focus()
    for key, day in [
        ("ArrowRight", (3, 2)), ("ArrowDown", (3, 9)), ("End", (3, 14)), ("Home", (3, 8)), ("PageDown", (4, 8)),
        ("ArrowUp", (4, 1)), ("ArrowUp", (3, 25)), ("PageUp", (2, 25)), ("ArrowLeft", (2, 24)),
    ]:
        board.page.keyboard.press(key)
        expect(day_button(board, datetime(2027, *day))).to_be_focused()
    expect(heading).to_have_text("February 2027")
    assert calendar(board).locator("button[tabindex='0']").count() == 1
    board.page.keyboard.press("Enter")
    expect(board.dialog).to_contain_text("Nothing happens on this day.")
    board.page.keyboard.press("Escape")
    expect(day_button(board, datetime(2027, 2, 24))).to_be_focused()
    board.press("Today")
    expect(day_button(board, berlin_today())).to_be_visible()
    assert "month" not in board.page.url
    board.page.reload()
    expect(day_button(board, berlin_today())).to_be_visible()


def test_the_calendar_shows_more_schedules_than_one_api_page(acme, board):
    names = [f"schedule {number}" for number in range(10, 37)]
    for name in names:
        acme.made("/v1/schedules", NIGHTLY | {"name": name})
    day = berlin_today() + timedelta(days=45)
    open_page(board, month=f"{day:%Y-%m}")
    day_button(board, day).click()
    on_this_day = board.dialog.get_by_role("list", name="On this day")
    expect(on_this_day.get_by_role("link", name=re.compile("^schedule "))).to_have_text(names)


def test_the_page_works_without_the_calendar_and_shows_its_error(acme, board):
    acme.made("/v1/schedules", NIGHTLY)
    board.page.route("**/v1/schedule-calendar?*", lambda route: route.abort())
    open_page(board)
    expect(rows(board)).to_contain_text("nightly")
    expect(board.page.get_by_role("alert").filter(has_text="Waymark does not answer")).to_be_visible()
    board.page.unroute("**/v1/schedule-calendar?*")
    board.press("Today")
    expect(day_button(board, berlin_today())).to_be_visible()
    expect(board.page.get_by_role("alert").filter(has_text="Waymark does not answer")).to_be_hidden()


def test_a_phone_gets_an_agenda(acme, new_dashboard):
    acme.domain(labels=["shop"])
    schedule = acme.made("/v1/schedules", NIGHTLY)
    acme.run(schedule)
    board = new_dashboard(acme.slug, width=390, **BERLIN)
    open_page(board)
    expect(calendar(board)).to_be_hidden()
    today = berlin_today()
    button = board.page.get_by_role("button", name=f"{today:%A}, {today:%B} {today.day}, {today.year}")
    expect(board.page.get_by_role("listitem").filter(has=button)).to_contain_text("1 published")
    button.click()
    expect(board.dialog.get_by_role("list", name="On this day")).to_contain_text("1 published")


def test_a_phone_lists_the_next_30_days_in_the_current_month(acme, new_dashboard):
    host = "links.example"
    board = new_dashboard(acme.slug, width=390, **BERLIN)
    # A month that is almost over, so that the next publication is in another one.
    board.page.clock.set_fixed_time("2031-10-30T12:00:00Z")
    due = [{"host": host, "version": 7, "state": "scheduled", "at": f"2031-11-{day}T12:00:00Z"} for day in (28, 30)]
    board.page.route("**/v1/publications?*", lambda route: route.fulfill(json={"items": due, "next": None}))
    open_page(board)
    agenda = board.page.get_by_role("list", name="Next 30 days")
    expect(agenda.get_by_role("listitem").filter(has_text="Friday, November 28, 2031")).to_contain_text(host)
    expect(agenda).not_to_contain_text("November 30")
    expect(board.page.get_by_role("button", name="Next month")).to_be_hidden()
    board.press("Show November 2031")
    expect(board.page.get_by_role("heading", name="November 2031")).to_be_focused()
    expect(board.page.get_by_role("list", name="November 2031")).to_contain_text("November 30")
    board.press("Previous month")
    expect(agenda).to_be_visible()
    # A wide window has a calendar of the month.
    board.page.set_viewport_size({"width": 1440, "height": 900})
    expect(board.page.get_by_role("heading", name="October 2031")).to_be_visible()
    expect(board.page.get_by_role("button", name="Next month")).to_be_visible()


def test_a_phone_lists_a_frequent_schedule_for_a_week_and_then_in_one_line(acme, new_dashboard):
    acme.made("/v1/schedules", NIGHTLY)
    acme.made("/v1/schedules", NIGHTLY | {"name": "weekly", "expression": "0 3 * * MON"})
    ends = (datetime.now(UTC) + timedelta(days=20)).replace(microsecond=0)
    body = {"label": "shop", "reason": "the winter sale", "endsAt": f"{ends:%Y-%m-%dT%H:%M:%SZ}"}
    acme.made("/v1/freezes", body)
    board = new_dashboard(acme.slug, width=390, **BERLIN)
    open_page(board)
    agenda = board.page.get_by_role("list", name="Next 30 days")
    seventh = berlin_today() + timedelta(days=6)
    expect(agenda.locator(f"[data-day='{seventh}']")).to_contain_text("nightly due, skipped (freeze)")
    folded = agenda.locator(":scope > li").filter(has_text=f"After {seventh:%A, %B} {seventh.day},")
    last = berlin_today() + timedelta(days=30)
    words = re.compile(rf"^\s*nightly 24 more runs until {last:%a, %b} {last.day}(, \d+)?, 1\d skipped \(freeze\)$")
    expect(folded.get_by_role("listitem")).to_have_text([words])
    later = folded.locator("xpath=following-sibling::li")
    assert later.filter(has_text="weekly").count() in (3, 4)
    assert later.filter(has_text="nightly").count() == 0
    # The freeze ends in the future: its last day is shown, the days before it are not repeated.
    end = ends.astimezone(BERLIN_ZONE)
    expect(later.filter(has_text=f"{end:%A, %B} {end.day},")).to_contain_text("Frozen: shop, the winter sale")
    assert later.count() <= 5


def test_the_list_the_page_and_the_calendar_show_why_a_schedule_is_suspended(acme, board):
    schedule = acme.made("/v1/schedules", NIGHTLY)
    reason = "nothing ran since 02:30"
    answer = {"items": [schedule | {"state": "suspended", "reason": reason, "nextDueAt": None}], "next": None}
    event = {
        "position": 1, "at": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.000Z}", "kind": "schedule.suspended",
        "subject": "nightly", "host": None, "actor": {"kind": "system", "name": "waymark"},
        "detail": {"schedule": schedule["id"], "reason": reason},
    }
    board.page.route("**/v1/schedules?*", lambda route: route.fulfill(json=answer))
    board.page.route("**/v1/events?*", lambda route: route.fulfill(json={"items": [event], "next": "x"}))
    open_page(board)
    expect(rows(board)).to_contain_text(f"Suspended: {reason}")
    expect(day_button(board, berlin_today())).to_have_accessible_name(re.compile(f"nightly, suspended: {reason}"))
    expect(board.page.get_by_role("button", name="Resume nightly")).to_be_visible()


def test_missed_runs_and_several_runs_in_a_day_are_shown(acme, board):
    acme.made("/v1/schedules", NIGHTLY)
    today = berlin_today()

    def with_runs(route):
        answer = route.fetch()
        body = answer.json()
        outcomes = {"published": 0, "unchanged": 7, "refused": 0, "frozen": 0, "failed": 0}
        ran = {
            "runs": 2, "run": None, "firstDueAt": f"{today}T10:00:00.000Z", "lastDueAt": f"{today}T11:30:00.000Z",
            "running": 0, "missed": 3, "outcomes": outcomes,
        }
        body["items"][0]["days"] = [{"date": f"{today}", "ran": ran, "due": []}]
        route.fulfill(response=answer, json=body)

    board.page.route("**/v1/schedule-calendar?*", with_runs)
    open_page(board)
    first, last = (datetime.fromisoformat(f"{today}T{time}Z").astimezone(BERLIN_ZONE) for time in ("10:00", "11:30"))
    words = f"{first:%H:%M} nightly, 2 runs until {last:%H:%M}: nothing changed, 3 runs missed before"
    expect(day_button(board, today)).to_have_accessible_name(re.compile(words))


def test_a_publication_that_will_be_suspended_is_not_shown_as_going_live(acme, board):
    host = acme.domain()
    soon = (datetime.now(UTC) + timedelta(hours=1)).replace(microsecond=0)
    acme.made(f"/v1/domains/{host}/publications", {"at": f"{soon:%Y-%m-%dT%H:%M:%SZ}"})
    acme.waymark.publish(host, token=acme.token)
    open_page(board)
    day = soon.astimezone(BERLIN_ZONE).date()
    if day.month != berlin_today().month:
        board.press("Next month")
    expect(day_button(board, day)).to_have_accessible_name(re.compile(f"{host}, version 1 will be suspended"))
    day_button(board, day).click()
    expect(board.dialog.get_by_role("listitem")).to_contain_text("another version went live after it was created")
    expect(board.dialog.get_by_text("goes live")).to_have_count(0)


def test_large_numbers_have_one_format(acme, board):
    acme.domain(labels=["shop"])
    schedule = acme.made("/v1/schedules", NIGHTLY)
    acme.run(schedule)

    def as_many(route):
        answer = route.fetch()
        body = answer.json()
        for item in body["items"]:
            item["lastRun"] |= {"domains": 1_800, "outcomes": dict.fromkeys(item["lastRun"]["outcomes"], 1_300)}
        route.fulfill(json=body)

    board.page.route("**/v1/schedules?*", as_many)
    open_page(board)
    expect(rows(board)).to_contain_text("1,300 published, 1,300 failed the checks, 1,300 failed, 1,300 skipped")
    board.page.unroute_all(behavior="ignoreErrors")
