"""The page of schedules: the list, the form that writes an expression, and the history of runs."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo, available_timezones

import pytest
from playwright.sync_api import expect

from dashboard import SHOP
from installation import REPOSITORY
from schedules import BERLIN, BERLIN_ZONE, NIGHTLY, Organization, berlin_today, day_button, open_page, rows


@pytest.fixture
def acme(waymark):
    return Organization(waymark)


@pytest.fixture
def board(acme, new_dashboard):
    """A tab of a user in Berlin."""
    return new_dashboard(acme.slug, **BERLIN)


def test_the_list_shows_each_schedule_its_times_and_its_last_run(acme, board):
    host = acme.domain(labels=["shop"])
    schedule = acme.made("/v1/schedules", NIGHTLY)
    # Half an hour from now, so that it does not run during the test.
    minute = (datetime.now(UTC) + timedelta(minutes=30)).minute
    acme.made("/v1/schedules", {"name": "one", "host": host, "expression": f"{minute} * * * *", "zone": "UTC"})
    acme.run(schedule)
    open_page(board)
    expect(rows(board)).to_have_count(2)
    first = rows(board).first
    for words in ("nightly", "Active", "domains labelled shop", "At 02:30 every day, New York time", "1 published"):
        expect(first).to_contain_text(words)
    due = datetime.fromisoformat(schedule["nextDueAt"])
    expect(first).to_contain_text("02:30 New York time")
    expect(first).to_contain_text(f"{due.astimezone(ZoneInfo('Europe/Berlin')):%H:%M} your time")
    expect(rows(board).last.get_by_role("link", name=host)).to_be_visible()
    expect(rows(board).last).to_contain_text(f"At minute {minute} of every hour, UTC")
    expect(rows(board).last).to_contain_text("No runs yet")


def test_a_schedule_is_paused_resumed_run_and_deleted(acme, board):
    acme.domain(labels=["shop"])
    acme.made("/v1/schedules", NIGHTLY)
    open_page(board)
    board.press("Pause nightly")
    board.type("Reason", "holidays", within=board.dialog)
    board.press("Pause", exact=True, within=board.dialog)
    expect(rows(board)).to_contain_text("Paused: holidays")
    expect(rows(board)).to_contain_text("None")
    board.press("Resume nightly")
    expect(rows(board)).to_contain_text("Active")
    expect(rows(board)).not_to_contain_text("holidays")
    board.press("Run nightly now")
    expect(board.dialog).to_contain_text("passes the checks on every domain labelled shop")
    board.press("Run now", exact=True, within=board.dialog)
    expect(rows(board)).to_contain_text("1 published")
    expect(day_button(board, berlin_today())).to_have_accessible_name(re.compile("nightly, 1 published"))
    board.press("Delete nightly")
    expect(board.dialog).to_contain_text("This also deletes the history of its runs")
    board.press("Cancel", within=board.dialog)
    expect(rows(board)).to_have_count(1)
    board.press("Delete nightly")
    board.press("Delete schedule", within=board.dialog)
    expect(board.page.get_by_role("heading", name="No schedules yet")).to_be_visible()
    assert acme.api("GET", "/v1/schedules").json()["items"] == []


def test_the_choices_set_the_expression_and_show_the_next_ten_runs(acme, board):
    host = acme.domain()
    open_page(board)
    board.press("Create a schedule")
    dialog = board.dialog
    expect(dialog.get_by_label("Cron expression")).to_have_value("0 9 * * MON-FRI")
    expect(dialog.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    runs = dialog.get_by_role("group", name="Next runs")
    expect(runs.locator("tbody tr")).to_have_count(10)
    expect(runs.get_by_role("columnheader")).to_have_text(["Berlin time", "UTC"])

    dialog.get_by_label("Repeats").select_option("On chosen days of the week")
    for name in ("Tue", "Thu", "Fri"):
        dialog.get_by_role("checkbox", name=name).uncheck(force=True)
    dialog.get_by_role("checkbox", name="Sun").check(force=True)
    dialog.get_by_label("Time", exact=True).fill("02:30")
    expect(dialog.get_by_label("Cron expression")).to_have_value("30 2 * * MON,WED,SUN")
    dialog.get_by_label("Time zone").select_option("America/New_York")
    expect(dialog.get_by_role("status")).to_have_text("At 02:30 on Monday, Wednesday and Sunday, New York time.")
    expect(runs.get_by_role("columnheader")).to_have_text(["New York time", "Your time", "UTC"])
    preview = acme.api(
        "POST", "/v1/schedule-previews", {"expression": "30 2 * * MON,WED,SUN", "zone": "America/New_York"}
    ).json()["runs"]
    for index, run in enumerate(preview):
        there, everywhere = (datetime.fromisoformat(run[name]) for name in ("local", "at"))
        cells = runs.locator("tbody tr").nth(index).locator("td")
        expect(cells.first).to_contain_text(f"{there:%a, %b} {there.day}, ")
        expect(cells.first).to_contain_text(f"{there:%H:%M}")
        expect(cells.last).to_contain_text(f"{everywhere:%H:%M}")

    dialog.get_by_label("Cron expression").fill("15 * * * *")
    expect(dialog.get_by_label("Repeats")).to_have_value("hourly")
    expect(dialog.get_by_label("Minute of the hour")).to_have_value("15")
    dialog.get_by_label("Cron expression").fill("0 24 * * *")
    expect(dialog.get_by_label("Repeats")).to_have_value("other")
    expect(dialog.get_by_role("status")).to_contain_text("hour (column 3): 24 is not between 0 and 23")
    board.press("Create schedule")
    expect(dialog.get_by_label("Cron expression")).to_have_accessible_description(re.compile("24 is not between"))
    expect(dialog.get_by_label("Name")).to_have_accessible_description(re.compile("Enter a name"))
    expect(dialog.get_by_label("Domain", exact=True)).to_have_attribute("aria-invalid", "true")

    dialog.get_by_label("Cron expression").fill("0 18 31 * *")
    expect(dialog).to_contain_text("Months without that day are skipped.")
    dialog.get_by_label("Name").fill("month's end")
    dialog.get_by_label("Domain", exact=True).fill(host)
    dialog.get_by_label("Catch up missed runs").select_option("Never")
    expect(dialog).to_contain_text("it is skipped")
    board.press("Create schedule")
    expect(rows(board)).to_contain_text("At 18:00 on the 31st of the month, New York time")
    [made] = acme.api("GET", "/v1/schedules").json()["items"]
    assert (made["host"], made["expression"], made["zone"], made["catchUpSeconds"]) == (
        host, "0 18 31 * *", "America/New_York", 0,
    )


def next_last_sunday(month):
    """The next last Sunday of `month` after today. Clocks change in Berlin on such a day."""
    day = berlin_today() + timedelta(days=1)
    while (day.month, day.weekday()) != (month, 6) or (day + timedelta(days=7)).month == month:
        day += timedelta(days=1)
    return day


def test_the_form_counts_the_domains_with_the_label(acme, board):
    acme.domain(labels=["shop"])
    made = acme.made("/v1/schedules", NIGHTLY)
    open_page(board)
    board.press("New schedule…", exact=True)
    board.dialog.get_by_label("Every domain with a label").check()
    label = board.dialog.get_by_label("Label", exact=True)
    label.fill("shpo")
    expect(label).to_have_accessible_description(re.compile("^No domain has this label."))
    label.fill("shop")
    expect(label).to_have_accessible_description(re.compile("^1 domain with this label."))
    board.press("Cancel", within=board.dialog)
    board.press(f"Edit {made['name']}")
    expect(label).to_have_accessible_description(re.compile("^1 domain with this label."))


def test_the_form_warns_of_other_schedules_of_the_domain_or_the_label(acme, board):
    host = acme.domain(labels=["shop"])
    acme.made("/v1/schedules", NIGHTLY)
    open_page(board)
    board.press("New schedule…", exact=True)
    told = board.dialog.get_by_text("Already published by “nightly”: At 02:30 every day, New York time.")
    expect(told).to_be_hidden()
    board.dialog.get_by_label("Domain", exact=True).fill(host)
    expect(told).to_be_visible()
    board.dialog.get_by_label("Every domain with a label").check()
    expect(told).to_be_hidden()
    board.dialog.get_by_label("Label", exact=True).fill("shop")
    expect(told).to_be_visible()
    board.press("Cancel", within=board.dialog)
    board.press("Edit nightly")
    expect(board.dialog.get_by_label("Label", exact=True)).to_have_accessible_description(re.compile("^1 domain"))
    expect(told).to_be_hidden()


def test_clock_changes_are_shown_before_saving(acme, board):
    open_page(board)
    board.press("Create a schedule")
    forward, back = (next_last_sunday(month) for month in (3, 10))
    board.dialog.get_by_label("Cron expression").fill(f"30 2 {forward.day} 3 *")
    runs = board.dialog.get_by_role("group", name="Next runs")
    expect(runs).to_contain_text("02:30 does not exist on that day; runs right after the clocks go forward.")
    board.dialog.get_by_label("Cron expression").fill(f"30 2 {back.day} 10 *")
    expect(runs).to_contain_text("02:30 occurs twice; runs the first time.")


def test_a_schedule_is_edited_and_a_conflict_is_shown(acme, board):
    made = acme.made("/v1/schedules", NIGHTLY | {"catchUpSeconds": 5_400})
    open_page(board)
    board.press("Edit nightly")
    expect(board.dialog.get_by_label("Repeats")).to_have_value("daily")
    expect(board.dialog.get_by_label("Time", exact=True)).to_have_value("02:30")
    expect(board.dialog.get_by_label("Catch up missed runs")).to_have_value("5400")
    path = f"/v1/schedules/{made['id']}"
    assert acme.api("PATCH", path, {"message": "x"}, headers={"If-Match": '"1"'}).status_code == 200
    board.dialog.get_by_label("Repeats").select_option("On weekdays, Monday to Friday")
    board.press("Save", within=board.dialog)
    told = board.dialog.get_by_role("alert").filter(has_text="changed")
    expect(told).to_contain_text("in the meantime. It is now “nightly”, At 02:30 every day, New York time. Save again to apply")
    expect(board.dialog.get_by_label("Repeats")).to_have_value("weekdays")
    board.press("Save", within=board.dialog)
    expect(rows(board)).to_contain_text("At 02:30 on Monday to Friday, New York time")
    changed = acme.api("GET", path).json()
    assert (changed["expression"], changed["message"]) == ("30 2 * * MON-FRI", "x")
    board.press("Edit nightly")
    assert acme.api("DELETE", path, headers={"If-Match": "*"}).status_code == 204
    board.press("Save", within=board.dialog)
    expect(board.dialog.get_by_role("alert").filter(has_text="This schedule has been deleted")).to_be_visible()


def test_a_missing_choice_shows_an_error_at_its_field_and_no_runs(board):
    open_page(board)
    board.press("Create a schedule")
    dialog = board.dialog
    runs = dialog.get_by_role("group", name="Next runs").locator("tbody tr:visible")
    for repeats, field, wrong, words in [
        ("On a day of the month", "Day of the month", "32", "Enter a day from 1 to 31."),
        ("On a day of the month", "Day of the month", "", "Enter a day from 1 to 31."),
        ("Every hour", "Minute of the hour", "75", "Enter a minute from 0 to 59."),
        ("Every day", "Time", "", "Enter a time."),
    ]:
        dialog.get_by_label("Repeats").select_option(repeats)
        control = dialog.get_by_label(field, exact=True)
        right = control.input_value()
        control.fill(wrong)
        expect(dialog.get_by_role("status").filter(has_text=words)).to_be_visible()
        expect(runs).to_have_count(0)
        expect(dialog.get_by_label("Cron expression")).to_have_value("")
        board.press("Create schedule")
        expect(control).to_have_accessible_description(re.compile(re.escape(words)))
        expect(dialog.locator("[aria-invalid=true]")).to_have_count(1)
        control.fill(right)
        expect(runs).to_have_count(10)
    dialog.get_by_label("Repeats").select_option("On chosen days of the week")
    for box in dialog.get_by_role("checkbox").all():
        box.uncheck(force=True)
    expect(dialog.get_by_role("status").filter(has_text="Choose at least one day.")).to_be_visible()
    expect(runs).to_have_count(0)


def test_a_manual_run_warns_of_a_freeze_first(acme, board):
    acme.domain(labels=["shop"])
    acme.made("/v1/schedules", NIGHTLY)
    end = f"{datetime.now(UTC) + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"
    acme.made("/v1/freezes", {"label": "shop", "reason": "the winter sale", "endsAt": end})
    open_page(board)
    board.press("Run nightly now")
    expect(board.dialog).to_contain_text("Reason: the winter sale. A manual run, too, publishes nothing")
    expect(board.dialog).not_to_contain_text("goes live")


# Names, both numbers of Sunday, ranges that end on Sunday.
SAID = [
    "0 * * * *", "59 * * * *", "@hourly", "@daily", "@MIDNIGHT", "@weekly", "@monthly", "0 0 * * *", "30 2 * * *",
    "5 17 * * 1-5", "0 9 * * MON-FRI", "0 9 * * mon,WED", "0 9 * * 0", "0 9 * * 7", "0 9 * * FRI-SUN",
    "0 9 * * 5-7", "0 9 * * 0-7", "0 9 * * 0-2", "0 9 * * SUN-TUE,FRI", "0 9 * * 1-7", "0 0 1 * *", "0 0 31 * *",
]
# Steps, several times a day, both kinds of days, months, and invalid expressions.
NOT_SAID = [
    "@yearly", "*/5 * * * *", "0 */2 * * *", "0 9,17 * * *", "0 9 * * MON-FRI/2", "0 9 13 * FRI", "0 9 1,15 * *",
    "0 9 * 2 *", "0 0 29 2 *", "1 2 3 4 5", "0 9 */2 * MON", "0 9 * * */2", "", "0 9 * *", "0 24 * * *",
    "60 * * * *", "0 9 * * 8", "0 9 32 * *", "0 9 * * FRI-MON", "x",
]


def test_the_form_keeps_the_meaning_of_an_expression(acme, board):
    """An expression read into the form and written again has the same runs; one the form cannot show is unchanged."""
    open_page(board)
    module = """async (expression) => {
        const { readExpression, writeExpression } = await import("/scripts/pages/schedules/schedule/recurrence.js");
        const recurrence = readExpression(expression);
        return [recurrence.repeats, writeExpression(recurrence)];
    }"""

    def runs(expression):
        asked = {"expression": expression, "zone": "UTC", "count": 50}
        answer = acme.api("POST", "/v1/schedule-previews", asked)
        assert answer.status_code == 200, (expression, answer.text)
        return answer.json()["runs"]

    for expression in SAID:
        repeats, written = board.page.evaluate(module, expression)
        assert repeats != "other" and runs(written) == runs(expression), (expression, written)
    for expression in NOT_SAID:
        assert board.page.evaluate(module, expression) == ["other", None], expression


def test_the_history_shows_the_result_of_each_domain_and_its_reason(acme, board):
    good, faulty = acme.domain(labels=["shop"]), acme.domain(labels=["shop"])
    acme.waymark.put_draft(faulty, {"entries": []}, token=acme.token)
    test = {"url": "/1", "expected": {"outcome": "opens", "app": SHOP}}
    acme.made(f"/v1/domains/{faulty}/tests", test)
    schedule = acme.made("/v1/schedules", NIGHTLY | {"message": "as every night"})
    old = acme.run(schedule)
    for _ in range(21):
        acme.run(schedule)
    open_page(board, schedule=schedule["id"])
    page = board.page
    expect(page.get_by_role("heading", level=1)).to_have_text("nightly")
    expect(page.get_by_role("main")).to_contain_text("within 6 hours")
    expect(page.get_by_role("group", name="Next runs").locator("tbody tr")).to_have_count(10)
    runs = page.get_by_role("list", name="Runs").locator(":scope > li")
    expect(runs).to_have_count(20)
    expect(runs.first).to_contain_text("1 failed the checks")
    runs.first.locator("summary").click()
    outcome = runs.first.get_by_role("list", name="Domains").locator(":scope > li").first
    expect(outcome).to_contain_text("Failed the checks")
    expect(outcome.get_by_role("list", name="Check results")).to_contain_text("Saved tests fail")
    expect(outcome.get_by_role("list", name="Tests that fail")).to_contain_text("Expected: Opens")
    board.press("Show older runs")
    expect(runs).to_have_count(22)
    expect(runs.nth(20).locator("summary")).to_be_focused()
    expect(page.get_by_role("button", name="Show older runs")).to_be_hidden()

    open_page(board, schedule=schedule["id"], run=old["id"])
    expect(page.get_by_role("link", name=good)).to_be_visible()
    expect(runs.first).to_contain_text("1 published, 1 failed the checks")
    board.press("Run nightly now")
    board.press("Run now", exact=True, within=board.dialog)
    expect(runs.filter(has_text="running")).to_have_count(0)
    expect(runs.first).to_contain_text("1 failed the checks")
    board.press("Delete nightly")
    board.press("Delete schedule", within=board.dialog)
    expect(page.get_by_role("heading", name="No schedules yet")).to_be_visible()


def test_a_viewer_sees_no_buttons_that_would_fail(acme, board):
    acme.made("/v1/schedules", NIGHTLY)

    def as_viewer(route):
        answer = route.fetch()
        me = answer.json()
        for organization in me["organizations"]:
            organization["role"] = "viewer"
        route.fulfill(response=answer, json=me)

    board.page.route("**/v1/me", as_viewer)
    open_page(board)
    expect(rows(board)).to_have_count(1)
    for name in ("New schedule", "Freeze", "Run nightly now", "Pause nightly", "Edit nightly", "Delete nightly"):
        expect(board.page.get_by_role("button", name=name)).to_have_count(0)


def test_a_missing_schedule_shows_not_found(board):
    board.open("/schedules", schedule="00000000-0000-4000-8000-000000000000")
    expect(board.page.get_by_role("heading", name="Not found")).to_be_visible()


def test_an_old_zone_name_of_the_browser_is_replaced_by_the_current_one(acme, new_dashboard):
    """Chromium reports Asia/Calcutta, which not every PostgreSQL knows."""
    board = new_dashboard(acme.slug, timezone_id="Asia/Kolkata")
    host = acme.domain()
    page = open_page(board)
    assert page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone") == "Asia/Calcutta"
    expect(page.get_by_text("your time zone, Asia/Kolkata")).to_be_visible()
    board.press("Create a schedule")
    zone = board.dialog.get_by_label("Time zone")
    expect(zone).to_have_value("Asia/Kolkata")
    offered = zone.locator("option").evaluate_all("(options) => options.map((option) => option.value)")
    assert len(set(offered)) == len(offered) > 400
    known = set(available_timezones())
    assert {"Asia/Kolkata", "Europe/Kyiv", "America/Argentina/Buenos_Aires"} <= set(offered) <= known
    old = page.evaluate(
        """async () => {
            const { presentName } = await import("/scripts/shared/times/zone-names.js");
            return Intl.supportedValuesOf("timeZone").filter((zone) => presentName(zone) !== zone);
        }"""
    )
    assert len(old) > 10 and not set(old) & set(offered)
    board.dialog.get_by_label("Name").fill("mornings")
    board.dialog.get_by_label("Domain", exact=True).fill(host)
    board.press("Create schedule")
    expect(rows(board)).to_contain_text("Kolkata time")
    [made] = acme.api("GET", "/v1/schedules").json()["items"]
    assert made["zone"] == "Asia/Kolkata"
    board.open_review(host)
    board.page.get_by_label("Schedule").check()
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    board.page.get_by_label("Goes live at").fill(f"{tomorrow:%Y-%m-%dT%H:%M:%S}")
    board.press("Schedule", exact=True)
    board.expect_progress("Scheduled")
    [pending] = acme.api("GET", f"/v1/domains/{host}/publications?state=pending").json()["items"]
    assert pending["zone"] == "Asia/Kolkata"


def test_an_overdue_run_is_shown_in_the_list_the_calendar_and_on_its_page(acme, board):
    made = acme.made("/v1/schedules", NIGHTLY)
    due = (datetime.now(UTC) - timedelta(minutes=10)).replace(microsecond=0)
    late = {"overdue": True, "nextDueAt": f"{due:%Y-%m-%dT%H:%M:%SZ}"}

    def overdue(route):
        answer = route.fetch()
        body = answer.json()
        for item in body.get("items", [body]):
            item.get("schedule", item).update(late)
        route.fulfill(response=answer, json=body)

    page = board.page
    for address in ("**/v1/schedules?*", f"**/v1/schedules/{made['id']}", "**/v1/schedule-calendar?*"):
        page.route(address, overdue)
    local = due.astimezone(BERLIN_ZONE)
    open_page(board, month=f"{local:%Y-%m}")
    told = f"The run due at {local:%a, %b} {local.day}, {local:%H:%M} has not started yet."
    expect(rows(board)).to_contain_text("Overdue")
    expect(rows(board)).to_contain_text(told)
    entry = re.compile(f"{local:%H:%M} nightly, overdue: it has not started yet")
    expect(day_button(board, local.date())).to_have_accessible_name(entry)
    open_page(board, schedule=made["id"])
    expect(page.get_by_role("main")).to_contain_text("Overdue")
    expect(page.get_by_role("main")).to_contain_text(told)


def in_place_of(board, script, before, after):
    """Replaces a text in one of the page's scripts. The page then runs its scripts as they are in `public/`."""
    changed = 0
    for path in (REPOSITORY / "public/scripts/pages/schedules").rglob("*.js"):
        text = path.read_text()
        if path.name == script:
            assert text.count(before) == 1
            changed += 1
            text = text.replace(before, after)
        address = path.relative_to(REPOSITORY / "public")
        board.page.route(f"**/{address}", partial(fulfil, text))
    # The bundled page starts with a script that has all of these in it.
    board.page.route("**/scripts/chunks/*.js", partial(fulfil, 'import "/scripts/pages/schedules/page.js";'))
    assert changed == 1


def fulfil(text, route):
    route.fulfill(body=text, content_type="text/javascript")


def test_the_page_shows_new_schedules_and_freezes_of_others(acme, board):
    # Without an event, the page would update after an hour.
    in_place_of(board, "page.js", "15_000", "3_600_000")
    open_page(board)
    main = board.page.get_by_role("main")
    expect(rows(board)).to_have_count(0)
    acme.made("/v1/schedules", NIGHTLY)
    expect(rows(board)).to_have_count(1)
    end = f"{datetime.now(UTC) + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"
    freeze = acme.made("/v1/freezes", {"reason": "the winter sale", "endsAt": end})
    expect(board.page.locator("[data-part=current-freezes]")).to_contain_text("the winter sale")
    acme.api("DELETE", f"/v1/freezes/{freeze['id']}")
    expect(board.page.locator("[data-part=current-freezes]")).to_be_empty()


def test_the_history_has_no_gap_after_more_runs_than_a_page(acme, board):
    made = acme.made("/v1/schedules", NIGHTLY)
    acme.run(made)
    in_place_of(board, "run-list.js", "pageSize = 20", "pageSize = 2")
    open_page(board, schedule=made["id"])
    runs = board.page.get_by_role("list", name="Runs").get_by_role("listitem")
    expect(runs).to_have_count(1)
    board.page.route("**/runs?*", lambda route: route.abort())
    for _ in range(3):
        acme.run(made)
    board.page.unroute("**/runs?*")
    expect(runs).to_have_count(2)
    board.press("Show older runs")
    expect(runs).to_have_count(4)


def test_the_page_of_a_schedule_shows_changes_by_others(acme, board):
    acme.domain(labels=["shop"])
    made = acme.made("/v1/schedules", NIGHTLY)
    path = f"/v1/schedules/{made['id']}"
    # Without an event, the page would update after an hour.
    in_place_of(board, "schedule-view.js", "15_000", "3_600_000")
    open_page(board, schedule=made["id"])
    main = board.page.get_by_role("main")
    expect(main).to_contain_text("Active")

    def change(**fields):
        assert acme.api("PATCH", path, fields, headers={"If-Match": "*"}).status_code == 200

    change(state="paused", reason="holidays")
    expect(main).to_contain_text("Paused: holidays")
    change(state="active", expression="0 9 * * *")
    expect(main).to_contain_text("At 09:00 every day")
    acme.run(made)
    expect(board.page.get_by_role("list", name="Runs")).to_contain_text("1 published")
    board.press("Pause nightly")
    board.press("Pause", exact=True, within=board.dialog)
    expect(main).to_contain_text("Paused")
    assert acme.api("GET", path).json()["state"] == "paused", "the button acts on the current schedule"


def test_a_preview_lists_each_error(acme, board):
    open_page(board)
    board.press("Create a schedule")
    board.dialog.get_by_label("Cron expression").fill("60 24 * * *")
    expect(board.dialog.get_by_role("status")).to_have_text(
        "minute (column 1): 60 is not between 0 and 59. hour (column 4): 24 is not between 0 and 23."
    )
