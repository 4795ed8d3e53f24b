"""The page of a domain shows changes by others as they happen: it follows the domain's events."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from dashboard import SHOP, draft, rule, until_quiet
from schedules import NIGHTLY, Organization


def soon(seconds):
    return f"{datetime.now(UTC) + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%SZ}"


def live(dashboard, version):
    return dashboard.page.get_by_role("main").get_by_text(f"Version {version} · went live", exact=True)


def out_of_date(dashboard):
    return dashboard.page.get_by_role("status").filter(has_text="may be out of date")


def test_a_publication_by_another_user_is_shown_without_reloading(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    expect(live(dashboard, 1)).to_be_visible()
    loads = []
    dashboard.page.on("load", lambda page: loads.append(page.url))
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    waymark.publish(published, message="by somebody else")
    expect(live(dashboard, 2)).to_be_visible()
    versions = dashboard.page.get_by_role("region", name="Versions")
    # It may also be listed as going live.
    expect(versions.locator(".version").filter(has_text="by somebody else")).to_contain_text("Live")
    dashboard.page.get_by_text("Publication history").click()
    expect(dashboard.page.locator(".publication")).to_have_count(2)
    dashboard.open_part("Serving")
    panel = dashboard.page.get_by_role("region", name="Serving")
    expect(panel.get_by_role("listitem").filter(has_text="-edge")).to_contain_text("Serves version 2")
    assert loads == []


def test_pending_publications_appear_and_disappear_automatically_and_the_focus_stays(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    view = dashboard.page.get_by_role("button", name="View the file of version 1")
    view.focus()
    path = f"/v1/domains/{published}/publications"
    waymark.put_draft(published, draft(([SHOP], [rule("/later/*")])))
    made = waymark.api("POST", path, {"at": soon(3_600)}).json()
    pending = dashboard.page.get_by_role("list", name="Pending").get_by_role("listitem")
    expect(pending.first).to_contain_text("Version 2")
    expect(dashboard.page.get_by_role("region", name="Versions").get_by_text("Version 2").last).to_be_visible()
    expect(view).to_be_focused()
    assert waymark.api("DELETE", f"{path}/{made['id']}").status_code == 200
    expect(dashboard.page.get_by_role("heading", name="Pending")).to_be_hidden()
    expect(dashboard.page.locator(".publication").first).to_contain_text("Cancelled")


def test_the_page_of_an_alias_follows_the_domain_whose_file_it_serves(waymark, dashboard, published):
    alias = waymark.new_domain(aliasOf=published)
    dashboard.open("/domain", host=alias)
    expect(live(dashboard, 1)).to_be_visible()
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    waymark.publish(published)
    expect(live(dashboard, 2)).to_be_visible()


def test_the_page_says_that_the_api_is_unreachable_and_then_misses_nothing(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    expect(live(dashboard, 1)).to_be_visible()
    expect(out_of_date(dashboard)).to_have_count(0)
    # Requests already sent are answered; later ones are not.
    dashboard.page.route("**/v1/events?*", lambda route: route.abort())
    waymark.put_draft(published, draft(([SHOP], [rule("/one/*")])))
    expect(out_of_date(dashboard)).to_contain_text("Waymark does not answer.")
    waymark.publish(published)
    dashboard.page.unroute("**/v1/events?*")
    expect(live(dashboard, 2)).to_be_visible()
    expect(out_of_date(dashboard)).to_have_count(0)


def test_a_part_that_fails_to_load_is_retried(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    expect(live(dashboard, 1)).to_be_visible()
    address = re.compile(rf"/v1/domains/{re.escape(published)}$")
    dashboard.page.route(address, lambda route: route.abort())
    waymark.put_draft(published, draft(([SHOP], [rule("/one/*")])))
    expect(out_of_date(dashboard)).to_be_visible()
    # No other event makes the page load it again.
    dashboard.page.unroute(address)
    expect(dashboard.page.get_by_text("Unpublished changes")).to_be_visible()
    expect(out_of_date(dashboard)).to_have_count(0)


def test_schedules_and_freezes_by_label_appear_and_disappear_on_the_domains_page(waymark, new_dashboard):
    acme = Organization(waymark)
    host = acme.domain(labels=["shop"])
    board = new_dashboard(acme.slug)
    board.open_domain(host, "versions")
    expect(board.page.get_by_text("No schedule publishes this domain.")).to_be_visible()
    acme.made("/v1/schedules", NIGHTLY)
    listed = board.page.get_by_role("list", name="Schedules").get_by_role("listitem")
    expect(listed).to_contain_text("by label shop")
    head = board.page.locator(".domain-top")
    for label in ("shop", None):
        freeze = acme.made("/v1/freezes", {"label": label, "reason": "the winter sale", "endsAt": soon(3_600)})
        expect(head.get_by_text("Reason: the winter sale.")).to_be_visible()
        expect(listed).to_contain_text("Frozen until")
        assert acme.api("DELETE", f"/v1/freezes/{freeze['id']}").is_success
        expect(head.get_by_text("Reason: the winter sale.")).to_be_hidden()
    assert acme.api("PATCH", f"/v1/domains/{host}", {"labels": []}).is_success
    expect(board.page.get_by_text("No schedule publishes this domain.")).to_be_visible()


def test_a_release_of_the_domain_appears_and_disappears_automatically(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    expect(live(dashboard, 1)).to_be_visible()
    heading = dashboard.page.get_by_role("heading", name="Pending")
    waymark.put_draft(published, draft(([SHOP], [rule("/later/*")])))
    made = waymark.api("POST", "/v1/releases", {"hosts": [published], "at": soon(3_600), "message": "at noon"}).json()
    waiting = dashboard.page.get_by_role("list", name="Pending").get_by_role("listitem").filter(has_text="at noon")
    expect(waiting).to_contain_text("Scheduled")
    assert waymark.api("DELETE", f"/v1/releases/{made['id']}").is_success
    expect(heading).to_be_hidden()


def test_an_idle_page_requests_only_events(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    path = f"/v1/domains/{published}/publications"
    made = waymark.api("POST", path, {"at": soon(3_600)}).json()
    expect(dashboard.page.get_by_role("heading", name="Pending")).to_be_visible()
    # The progress of consumers sends no events.
    until_quiet(dashboard.page, 4_000, besides=lambda url: url.endswith("/serving"))
    assert waymark.api("DELETE", f"{path}/{made['id']}").status_code == 200


def test_signing_in_in_another_tab_keeps_the_input_and_follows_again(waymark, dashboard, host):
    page = dashboard.open_domain(host)
    dashboard.press("Edit rule 1, /buy/*")
    dashboard.type("Path", "/typed/*")
    cookies = page.context.cookies()
    page.context.clear_cookies()
    waymark.put_draft(host, draft(([SHOP], [rule("/first/*")])))
    notice = page.get_by_role("status").filter(has_text="You are signed out. Your input is kept.")
    expect(notice).not_to_contain_text("Reload")
    link = notice.get_by_role("link", name="Sign in")
    with page.expect_popup() as other:
        link.click()
    expect(other.value.get_by_role("heading", name="Sign in").first).to_be_visible()
    page.context.add_cookies(cookies)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(notice).to_have_count(0)
    expect(dashboard.path).to_have_value("/typed/*")
    waymark.put_draft(host, draft(([SHOP], [rule("/new/*")])))
    dashboard.press("Show the newest draft")
    expect(page.locator(".rule-pattern", has_text="/new/*")).to_be_visible()
