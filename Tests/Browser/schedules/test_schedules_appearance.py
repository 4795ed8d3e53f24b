"""The page of schedules on narrow and wide screens, light and dark, with every kind of content."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, low_contrast, overflow
from dashboard import SHOP, draft, rule
from installation import eventually

LONG = "A schedule with a name that goes on for quite a while, as names of people who mean well do"
COUNTS = [{"published": 12}, {"refused": 3, "published": 1}, {"unchanged": 3}, {"failed": 1}, {"frozen": 3}]


@pytest.fixture(scope="module")
def busy(waymark):
    """An organization with schedules in every state, a freeze, and a run with each result; and one schedule."""
    organization = waymark.create_organization()
    token = waymark.token("owner", organization)

    def ask(method, path, body=None, **more):
        answer = waymark.api(method, path, body, token=token, **more)
        assert answer.is_success, answer.text
        return answer.json()

    hosts = [waymark.new_domain(draft(([SHOP], [rule("/1")])), token=token, labels=["shop"]) for _ in range(2)]
    waymark.put_draft(hosts[0], {"entries": []}, token=token)
    made = {"label": "shop", "expression": "30 2 * * *", "zone": "America/New_York", "message": "as every night"}
    schedule = ask("POST", "/v1/schedules", made | {"name": LONG})
    paused = ask("POST", "/v1/schedules", made | {"name": "paused", "expression": "5,10,15 */3 1-20 1-6,8 MON"})
    body = {"state": "paused", "reason": "until the new app is out"}
    ask("PATCH", f"/v1/schedules/{paused['id']}", body, headers={"If-Match": "*"})
    runs = f"/v1/schedules/{schedule['id']}/runs"
    first = ask("POST", runs)
    eventually(lambda: ask("GET", f"{runs}/{first['id']}")["state"] == "ended")
    ends = f"{datetime.now(UTC) + timedelta(days=9):%Y-%m-%dT%H:%M:%SZ}"
    ask("POST", "/v1/freezes", {"label": "shop", "reason": LONG, "endsAt": ends})
    ask("POST", runs)
    return organization, schedule["id"], hosts[1]


def with_a_past(route):
    """The calendar's answer with past runs of every result, which the API cannot create."""
    answer = route.fetch()
    body = answer.json()
    for days, counts in enumerate(COUNTS, 1):
        at = datetime.now(UTC) - timedelta(days=days)
        outcomes = {"published": 0, "unchanged": 0, "refused": 0, "frozen": 0, "failed": 0} | counts
        due = f"{at:%Y-%m-%dT06:30:00.000Z}"
        ran = {"runs": 1, "run": None, "firstDueAt": due, "lastDueAt": due, "running": 0, "missed": days % 2}
        body["items"][0]["days"].append({"date": f"{at:%Y-%m-%d}", "due": [], "ran": ran | {"outcomes": outcomes}})
    route.fulfill(response=answer, json=body)


def views(dashboard, schedule):
    """Each view and dialog of the page in turn, by name."""
    page = dashboard.page
    page.route("**/v1/schedule-calendar?*", with_a_past)
    dashboard.open("/schedules")
    expect(page.locator(".loading:visible")).to_have_count(0)
    for summary in page.get_by_text("Earlier this month").locator("visible=true").all():
        summary.click()
    yield "overview"
    for button in ("New schedule…", "Freeze…", f"Pause {LONG}"):
        page.get_by_role("button", name=button, exact=True).click()
        if button == "New schedule…":
            dashboard.dialog.get_by_label("Repeats").select_option("weekly")
            dashboard.dialog.get_by_label("Time zone").select_option("Australia/Lord_Howe")
            expect(dashboard.dialog.locator("tbody tr")).to_have_count(10)
        yield button
        dashboard.press("Cancel", within=dashboard.dialog)
    page.locator("[aria-current=date]").locator("visible=true").click()
    expect(dashboard.dialog.get_by_role("listitem").first).to_be_visible()
    yield "a day"
    page.keyboard.press("Escape")
    dashboard.open("/schedules", schedule=schedule)
    page.get_by_role("list", name="Runs").locator("summary").last.click()
    expect(page.get_by_text("Failed the checks").first).to_be_visible()
    yield "one schedule"


@pytest.mark.parametrize("width", [320, 390, 768, 1100, 1440])
def test_nothing_is_wider_than_the_window(new_dashboard, busy, width):
    organization, schedule, host = busy
    dashboard = new_dashboard(organization, width=width, timezone_id="Asia/Kathmandu")
    for view in views(dashboard, schedule):
        assert overflow(dashboard.page) <= 0, view
        if dashboard.dialog.count():
            assert dashboard.dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0, view
    dashboard.open_domain(host, "versions")
    assert overflow(dashboard.page) <= 0


@pytest.mark.parametrize("width", [390, 1440])
def test_text_has_enough_contrast_and_every_control_has_a_name(new_dashboard, busy, width):
    organization, schedule, host = busy
    dashboard = new_dashboard(organization, width=width, timezone_id="Asia/Kathmandu")
    for view in views(dashboard, schedule):
        assert low_contrast(dashboard.page) == [], view
        assert dashboard.page.evaluate(NAMELESS) == [], view
        ids = dashboard.page.evaluate("() => [...document.querySelectorAll('[id]')].map((element) => element.id)")
        assert sorted(set(ids)) == sorted(ids), view
    dashboard.open_domain(host, "versions")
    assert low_contrast(dashboard.page) == []


def test_controls_are_large_enough_to_press(new_dashboard, busy):
    """WCAG 2.2, 2.5.8: 24 by 24 pixels at least."""
    organization, schedule, _ = busy
    dashboard = new_dashboard(organization, width=390)
    for view in views(dashboard, schedule):
        for button in dashboard.page.locator("button:visible, select:visible, summary:visible").all():
            box = button.bounding_box()
            assert min(box["width"], box["height"]) >= 23.5, f"{view}: {button.inner_text()} {box}"
