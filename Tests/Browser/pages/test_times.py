"""Times have one format on every page: the relative time, then the moment."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from schedules import NIGHTLY, Organization, open_page

MOMENT = r"[A-Z][a-z]{2}, [A-Z][a-z]{2} \d{1,2}, (\d{4}, )?\d{2}:\d{2}"
PAST = re.compile(rf"(just now|\d+ \w+ ago|yesterday) · {MOMENT}")
OTHER_CLOCK = re.compile(r"\d:\d{2}(:\d{2})?\s?[AP]M")


def test_every_time_is_relative_first_in_one_format(waymark, new_dashboard):
    organization = Organization(waymark)
    host = organization.domain()
    waymark.publish(host, token=organization.token)
    tomorrow = datetime.now(UTC).replace(second=30, microsecond=0) + timedelta(days=1, minutes=1)
    waymark.put_draft(host, draft(([SHOP], [rule("/later/*")])), token=organization.token)
    organization.made(f"/v1/domains/{host}/publications", {"at": f"{tomorrow:%Y-%m-%dT%H:%M:%SZ}"})
    organization.made("/v1/schedules", NIGHTLY)
    board = new_dashboard(organization.slug, timezone_id="Europe/Berlin")
    board.open_domain(host, "versions")
    expect(board.page.locator(".version time").first).to_have_text(PAST)
    due = board.page.get_by_role("list", name="Pending").locator("time").first
    expect(due).to_have_text(re.compile(rf"(tomorrow|in \d+ \w+) · {MOMENT}:30 Berlin time \(.*{tomorrow:%H:%M:%S} UTC\)"))
    board.review()
    board.page.get_by_label("Schedule").check()
    board.page.get_by_label("Goes live at").fill("2031-02-03T09:05:00")
    expect(board.page.get_by_text("Mon, Feb 3, 2031, 08:05 UTC")).to_be_visible()
    for path in ("/", "/events", "/schedules", "/releases"):
        if path == "/schedules":
            open_page(board)
        else:
            board.open(path)
            expect(board.page.get_by_text("Loading")).to_be_hidden()
        assert not OTHER_CLOCK.search(board.page.locator("main").inner_text()), path
    board.open("/events")
    # The heading above has the day.
    expect(board.page.get_by_role("heading", name="Today")).to_be_visible()
    expect(board.page.get_by_role("list", name="Events").locator("time").first).to_have_text(
        re.compile(r"(just now|\d+ \w+ ago) · \d{2}:\d{2}")
    )


def test_relative_times_stay_correct_while_the_page_is_open(new_dashboard, published):
    # In its own window: a clock stays installed for all later pages of a window.
    board = new_dashboard(width=1440)
    board.page.clock.install()
    board.open_domain(published, "versions")
    created = board.page.locator(".version time").first
    expect(created).to_contain_text("just now")
    board.page.clock.fast_forward("05:00")
    expect(created).to_have_text(re.compile(r"^5 min ago · "))


def test_days_in_relative_times_are_those_of_the_calendar(new_dashboard):
    board = new_dashboard(width=1440)
    board.open("/events")
    board.page.clock.install(time="2026-11-25T16:44:00Z")
    words = board.page.evaluate(
        """times => import("/scripts/shared/times/moments.js").then(({ ago }) => times.map(ago))""",
        ["2026-11-26T23:00:00Z", "2026-11-27T09:00:00Z", "2026-11-23T20:00:00Z", "2027-02-23T16:44:00Z"],
    )
    assert words == ["tomorrow", "in 2 days", "2 days ago", "in 3 mo"]
