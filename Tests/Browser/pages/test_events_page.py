"""The page of events: one row for each act, newest first, with filters, and with new events appearing automatically."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule


@pytest.fixture
def told_host(waymark, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/buy/*")])))
    waymark.publish(host, message="the summer campaign")
    return host


def rows(dashboard):
    """One row for each act."""
    return dashboard.page.get_by_role("list", name=re.compile("^Events of")).locator(":scope > li")


def steps(row):
    return row.get_by_role("list", name="Steps").locator(":scope > li")


def unfold(row):
    row.get_by_role("button", name=re.compile("^Steps of")).click()


def positions_seen(dashboard):
    """The positions of all events that the page has been sent, to check that none is shown twice."""
    seen = []
    dashboard.page.on(
        "response",
        lambda response: "/v1/events?" in response.url
        and not re.search("limit=1(&|$)", response.url)
        and seen.extend(item["position"] for item in response.json()["items"]),
    )
    return seen


def test_acts_are_listed_newest_first_under_their_day(dashboard, told_host):
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).first).to_contain_text("Version 1 went live")
    expect(rows(dashboard).first).to_contain_text("the summer campaign")
    expect(rows(dashboard).last).to_contain_text("Domain added")
    expect(dashboard.page.get_by_role("heading", level=2, name="Today")).to_be_visible()
    rows(dashboard).first.get_by_role("link", name=told_host).click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text(told_host)


def test_a_publication_is_one_row_that_unfolds_to_its_steps(dashboard, told_host):
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).filter(has_text="Version 1")).to_have_count(1)
    expect(steps(rows(dashboard).first)).to_have_count(0)
    unfold(rows(dashboard).first)
    expect(steps(rows(dashboard).first)).to_contain_text(
        ["Version 1 went live", "Version 1 going live", "Version 1 queued", "Version 1 created"]
    )
    unfold(rows(dashboard).first)
    expect(steps(rows(dashboard).first)).to_have_count(0)


def test_the_edits_of_a_draft_are_one_row_until_a_publication(waymark, dashboard, told_host):
    for path in ("/one/*", "/two/*"):
        added = waymark.api("POST", f"/v1/domains/{told_host}/rules", rule(path, apps=[SHOP]), {"If-Match": "*"})
        assert added.status_code == 201, added.text
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard)).to_contain_text(["2 rules added", "Version 1 went live", "Draft edited", "Domain added"])
    expect(rows(dashboard).filter(has_text="Draft edited")).to_contain_text("1 rule added and 1 entry added")
    unfold(rows(dashboard).first)
    expect(steps(rows(dashboard).first)).to_contain_text(["Rule added: /two/*", "Rule added: /one/*"])


def test_an_administrator_sees_the_request_and_the_values_of_an_event(waymark, dashboard, told_host):
    answer = waymark.api(
        "PATCH", f"/v1/domains/{told_host}", {"labels": ["audited"]}, {"Request-Id": "seen-on-the-page"},
        params={"reason": "Ticket 812"},
    )
    assert answer.status_code == 200, answer.text
    dashboard.open("/events", host=told_host)
    row = rows(dashboard).filter(has_text="Labels set to audited")
    unfold(row)
    steps(row).get_by_role("button", name="Details: Labels set to audited").click()
    expect(dashboard.dialog.get_by_role("heading", name="Labels set to audited")).to_be_visible()
    for text in ("seen-on-the-page", "127.0.0.1", "Ticket 812", "domain.changed", told_host, "test-owner"):
        expect(dashboard.dialog).to_contain_text(text)
    expect(dashboard.dialog.get_by_role("group", name="Values")).to_contain_text('"before"')
    dashboard.dialog.get_by_role("button", name="Close").click()
    expect(steps(row).get_by_role("button", name="Details: Labels set to audited")).to_be_focused()


def test_other_members_see_no_details(waymark, new_context, new_dashboard, told_host):
    waymark.api("PATCH", f"/v1/domains/{told_host}", {"labels": ["audited"]})
    context = new_context()
    name, _, value = waymark.session("publisher")["Cookie"].partition("=")
    context.add_cookies([{"name": name, "value": value, "url": waymark.url}])
    dashboard = new_dashboard(context=context)
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).first).to_contain_text("Labels set to audited")
    expect(rows(dashboard).first.get_by_role("button", name="Steps of")).to_have_count(0)
    unfold(rows(dashboard).nth(1))
    expect(steps(rows(dashboard).nth(1)).first).to_be_visible()
    expect(dashboard.page.get_by_role("button", name="Details")).to_have_count(0)


def test_the_list_is_filtered_and_the_address_keeps_the_filters(dashboard, told_host):
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).filter(has_text="Domain added")).to_have_count(1)
    dashboard.page.get_by_label("Kind").select_option("Publications")
    expect(rows(dashboard)).to_have_count(1)
    dashboard.page.reload()
    expect(rows(dashboard)).to_have_count(1)
    host = dashboard.page.get_by_role("combobox", name="Host")
    host.fill("nobody")
    expect(dashboard.page.get_by_role("alert")).to_have_text("Enter the complete host, such as www.example.com.")
    host.fill("nobody.example")
    expect(dashboard.page.get_by_text("No events match these filters.")).to_be_visible()
    dashboard.press("Clear filters")
    expect(rows(dashboard).filter(has_text="Domain added").first).to_be_visible()
    expect(dashboard.page.get_by_role("button", name="Clear filters")).to_be_hidden()
    assert "kind=" not in dashboard.page.url


def test_an_address_with_half_a_host_says_what_to_write(dashboard, told_host):
    dashboard.open("/events", host="half")
    expect(dashboard.page.get_by_role("alert")).to_have_text("Enter the complete host, such as www.example.com.")
    dashboard.page.get_by_role("combobox", name="Host").fill(told_host)
    expect(rows(dashboard).last).to_contain_text("Domain added")


def test_the_filtered_events_are_copied_as_curl_and_downloaded(
    new_context, session_of, new_dashboard, waymark, told_host
):
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    context.add_cookies(session_of(waymark.organization))
    dashboard = new_dashboard(context=context)
    dashboard.open("/events", host=told_host, kind="draft")
    expect(rows(dashboard)).to_have_count(1)
    dashboard.press("Copy as curl")
    expect(dashboard.announcement).to_contain_text("Copied")
    copied = dashboard.page.evaluate("navigator.clipboard.readText()")
    assert f"/v1/events?sort=newest&host={told_host}&kind=draft&kind=rule&limit=200" in copied
    with dashboard.page.expect_download() as downloading:
        dashboard.press("Download")
    lines = Path(downloading.value.path()).read_text().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["draft.changed"]
    expect(dashboard.announcement).to_contain_text("1 event downloaded.")


def test_events_are_filtered_by_person_and_time(waymark, dashboard, told_host):
    waymark.api("PATCH", f"/v1/domains/{told_host}", {"labels": ["told"]}, token=waymark.token("editor"))
    dashboard.open("/events", host=told_host)
    rows(dashboard).filter(has_text="Labels set to told").get_by_role("button", name="test-editor").click()
    expect(rows(dashboard)).to_have_text([re.compile("Labels set to told")])
    expect(dashboard.page.get_by_role("combobox", name="Person")).to_have_value("test-editor")
    dashboard.press("Clear filters")
    dashboard.open("/events", host=told_host, time="1h")
    expect(rows(dashboard).last).to_contain_text("Domain added")
    dashboard.page.get_by_label("Time").select_option("Between two days…")
    dashboard.page.get_by_label("To", exact=True).fill("2001-02-03")
    expect(dashboard.page.get_by_text("No events match these filters.")).to_be_visible()
    expect(dashboard.page.get_by_role("status").filter(has_text="the chosen time has passed")).to_be_visible()


def test_new_events_appear_at_the_top_once_and_in_order(waymark, dashboard, told_host):
    seen = positions_seen(dashboard)
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).first).to_contain_text("Version 1 went live")
    before = rows(dashboard).count()
    waymark.put_draft(told_host, draft(([SHOP], [rule("/buy/*"), rule("/sell/*")])))
    expect(rows(dashboard).first).to_contain_text("Draft edited")
    waymark.new_domain()
    waymark.publish(told_host)
    expect(rows(dashboard).first).to_contain_text("Version 2 went live")
    expect(rows(dashboard)).to_have_count(before + 2)
    expect(dashboard.page.get_by_role("status").filter(has_text="Updating live")).to_be_visible()
    assert len(seen) == len(set(seen))


def test_new_events_do_not_move_what_is_being_read(waymark, dashboard, told_host):
    dashboard.open("/events", host=told_host)
    unfold(rows(dashboard).first)
    waymark.put_draft(told_host, draft(([SHOP], [rule("/sell/*")])))
    button = dashboard.page.get_by_role("button", name="Show 1 new event")
    expect(button).to_be_visible()
    expect(rows(dashboard).first).to_contain_text("Version 1 went live")
    button.click()
    expect(rows(dashboard).first).to_contain_text("Draft edited")
    expect(steps(rows(dashboard).nth(1)).first).to_be_visible()
    expect(rows(dashboard).first.get_by_role("button", name="Steps of")).to_be_focused()


def test_older_events_are_loaded_on_demand_into_their_acts(waymark, dashboard, told_host):
    seen = positions_seen(dashboard)
    for number in range(120):
        test = {"url": f"/{number}", "expected": {"outcome": "none"}}
        assert waymark.api("POST", f"/v1/domains/{told_host}/tests", test).status_code == 201
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard)).to_contain_text(["100 tests added"])
    dashboard.press("Load older")
    expect(rows(dashboard).first).to_contain_text("120 tests added")
    expect(rows(dashboard).last).to_contain_text("Domain added")
    expect(dashboard.page.get_by_role("button", name="Load older")).to_be_hidden()
    assert seen == sorted(seen, reverse=True) and len(set(seen)) == 127


def test_following_continues_after_a_network_failure(waymark, dashboard, told_host):
    dashboard.open("/events", host=told_host)
    expect(rows(dashboard).first).to_contain_text("Version 1 went live")
    # Requests already sent are answered; later ones are not.
    dashboard.page.route("**/v1/events?*", lambda route: route.abort())
    waymark.put_draft(told_host, draft(([SHOP], [rule("/one/*")])))
    expect(dashboard.page.get_by_text("Waymark does not answer")).to_be_visible()
    waymark.put_draft(told_host, draft(([SHOP], [rule("/two/*")])))
    dashboard.page.unroute("**/v1/events?*")
    expect(rows(dashboard).first).to_contain_text("Draft edited: 2 changes")


def test_a_release_is_one_row_that_unfolds_to_its_domains_and_links_to_its_page(waymark, dashboard, apps):
    hosts = sorted(waymark.new_domain(draft(([SHOP], [rule("/released/*")]))) for _ in range(20))
    waymark.release({"hosts": hosts, "message": "the autumn campaign"})
    dashboard.open("/events")
    row = rows(dashboard).filter(has_text="the autumn campaign")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("the autumn campaign Release went live on 20 domains")
    expect(row.get_by_role("button", name="test-owner")).to_be_visible()
    unfold(row)
    live = steps(row).filter(has_text="Version 1 went live · 20 domains")
    expect(live.get_by_role("link")).to_have_count(12)
    live.get_by_role("button", name="8 more").click()
    assert sorted(live.get_by_role("link").all_inner_texts()) == hosts
    expect(live.get_by_role("link").nth(12)).to_be_focused()
    live.get_by_role("button", name=f"Details: Version 1 went live, {hosts[7]}", exact=True).click()
    expect(dashboard.dialog).to_contain_text(hosts[7])
    dashboard.dialog.get_by_role("button", name="Close").click()
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
    frozen = rows(dashboard).filter(has_text="Freeze ended early").first
    expect(frozen).to_have_text(re.compile("^((?!the winter sale).)*the winter sale((?!the winter sale).)*$", re.DOTALL))
    run = rows(dashboard).filter(has_text=re.compile("each new year.*Run")).first
    run.get_by_role("link", name="each new year").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text("each new year")
    assert "run=" in dashboard.page.url


def test_events_of_older_and_newer_waymarks_are_shown_in_words(waymark, dashboard, told_host):
    """An older Waymark recorded fewer details; a newer one may record other kinds."""
    older = ["release.postponed", "release.failed", "release.live", "publication.postponed", "withdrawal.postponed"]
    kinds = [*older, "withdrawal.created", "replacement.postponed", "parcel.sent_back"]

    def with_less(route):
        body = route.fetch().json()
        if body["items"] and "limit=100" in route.request.url:
            one = body["items"][0]
            version = {"version": 3}
            body["items"] = [
                one
                | {"position": 10 - number, "at": f"2026-01-05T10:{number:02}:00.000Z", "subject": f"thing-{number}"}
                | {"kind": kind, "detail": version if "publication" in kind else {}, "host": None}
                for number, kind in enumerate(kinds)
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


def test_an_event_says_why_and_what_was_before(waymark, dashboard):
    waymark.api("POST", "/v1/teams", {"teamID": "WHYANDWHAT", "name": "Old name"})
    changed = waymark.api("PATCH", "/v1/teams/WHYANDWHAT", {"name": "New name"}, params={"reason": "the merger"})
    assert changed.status_code == 200, changed.text
    dashboard.open("/events", kind="team.changed")
    expect(rows(dashboard).first).to_contain_text("the merger · Before: name Old name")


def test_an_administrator_downloads_the_trail_with_proof(waymark, dashboard, tmp_path):
    dashboard.open("/events")
    with dashboard.page.expect_download() as download:
        dashboard.press("Sealed trail")
    file = tmp_path / "trail.ndjson"
    download.value.save_as(file)
    key = waymark.cli("key").stdout.strip()
    assert "are intact" in waymark.cli("audit", "verify", file, "--key", key).stdout


def test_a_publisher_is_not_offered_the_trail(waymark, new_member):
    board = new_member(waymark.organization, "Pat", "publisher")
    board.open("/events")
    expect(rows(board).first).to_be_visible()
    expect(board.page.get_by_role("button", name="Sealed trail")).to_be_hidden()


def test_an_edited_domain_names_its_labels_and_its_alias(waymark, dashboard, told_host):
    alias, other = waymark.new_domain(), waymark.new_domain()
    for host, body in ((told_host, {"labels": ["one", "two"]}), (told_host, {"labels": []}), (alias, {"aliasOf": other})):
        assert waymark.api("PATCH", f"/v1/domains/{host}", body).is_success
    dashboard.open("/events", host=told_host)
    expect(dashboard.page.get_by_text("Labels set to one and two")).to_have_count(1)
    expect(dashboard.page.get_by_text("Labels removed")).to_have_count(1)
    dashboard.open("/events", host=alias)
    expect(dashboard.page.get_by_text(f"Made an alias of {other}")).to_have_count(1)
    expect(dashboard.page.get_by_text("Before: alias of none")).to_have_count(1)
