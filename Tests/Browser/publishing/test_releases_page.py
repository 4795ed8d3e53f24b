"""Releases in the dashboard: created, followed to their end, shown by domain, cancelled and rolled back."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule, until, until_quiet


def put(waymark, hosts, path):
    for number, host in enumerate(hosts):
        waymark.put_draft(host, draft(([SHOP], [rule(f"{path}/{number}/*")])))


@pytest.fixture
def label(waymark):
    return waymark.new_host("brand").split(".")[0]


@pytest.fixture
def hosts(waymark, apps, label):
    """Three domains with a label; the drafts of the first two change their live versions."""
    hosts = [waymark.new_domain(draft(([SHOP], [rule("/old/*")])), labels=[label]) for _ in range(3)]
    for host in hosts[:2]:
        waymark.publish(host)
    put(waymark, hosts, "/new")
    return hosts


@pytest.fixture
def bad_host(waymark, apps):
    """A domain whose draft fails two checks."""
    host = waymark.new_domain({"entries": [{"apps": ["not an app"], "rules": [{"path": "/*"}]}]})
    test = {"url": "/buy/1", "expected": {"outcome": "opens", "app": SHOP}}
    assert waymark.api("POST", f"/v1/domains/{host}/tests", test).status_code == 201
    return host


def open_new(dashboard):
    dashboard.open("/releases")
    dashboard.page.get_by_role("link", name="New release…").click()
    form = dashboard.page.get_by_role("form", name="Review and publish")
    expect(form).to_be_visible()
    return form


def open_release(dashboard, release):
    dashboard.open("/releases", release=release["id"])
    return dashboard.page


def outcome(dashboard):
    return dashboard.page.locator(".release-outcome[role=status]")


def bar(dashboard, name):
    return dashboard.page.get_by_role("progressbar", name=name)


def listed(dashboard, name):
    return dashboard.page.get_by_role("list", name=name, exact=True).locator(":scope > li")


def in_an_hour():
    return f"{datetime.now(UTC) + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"


def test_domains_with_a_label_are_released_and_followed_to_the_edge(waymark, dashboard, hosts, label):
    form = open_new(dashboard)
    expect(form.get_by_role("radio", name="With a label")).to_be_focused()
    form.get_by_role("combobox", name="Label").fill(label)
    expect(form.get_by_text("3 domains with this label.")).to_be_visible()
    dashboard.type("Message", "the new paths", within=form)
    dashboard.press("Publish", exact=True, within=form)
    expect(outcome(dashboard)).to_contain_text("3 domains went live in one step.")
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("the new paths")
    for step in ("Checked", "Ready", "Live"):
        expect(bar(dashboard, step)).to_have_attribute("aria-valuetext", "3 of 3 domains")
    expect(dashboard.page.get_by_text("Reached the edge.")).to_be_visible()
    expect(bar(dashboard, re.compile(", edge$"))).to_have_attribute("aria-valuetext", "3 of 3 domains")
    expect(listed(dashboard, "Domains of the release")).to_have_count(3)
    row = listed(dashboard, "Domains of the release").filter(has_text=hosts[0])
    expect(row).to_contain_text("version 2 · previously version 1")
    row.get_by_role("link", name=hosts[0]).click()
    dashboard.open_part("Versions")
    dashboard.page.get_by_text("Publication history").click()
    dashboard.page.get_by_role("link", name="Part of a release").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("the new paths")


def test_domains_of_a_list_are_checked_without_publishing_and_then_published(waymark, dashboard, hosts):
    form = open_new(dashboard)
    form.get_by_role("radio", name="From a list").check()
    dashboard.type("Hosts", f"https://{hosts[0]}/buy/1, {hosts[1]}", within=form)
    expect(form.get_by_text("2 domains", exact=True)).to_be_visible()
    form.get_by_role("searchbox", name="Choose from your domains").fill(hosts[2])
    form.get_by_role("checkbox", name=hosts[2]).check()
    expect(form.get_by_text("3 domains", exact=True)).to_be_visible()
    form.get_by_role("searchbox", name="Choose from your domains").fill(hosts[1])
    form.get_by_role("checkbox", name=hosts[1]).uncheck()
    expect(form.get_by_text("2 domains", exact=True)).to_be_visible()
    dashboard.press("Check only", within=form)
    expect(outcome(dashboard)).to_contain_text("2 domains passed the checks.")
    expect(bar(dashboard, "Live")).to_have_count(0)
    assert waymark.api("GET", f"/v1/domains/{hosts[2]}").json()["live"] is None
    dashboard.page.get_by_role("link", name="Publish these…").click()
    first, second = sorted([hosts[0], hosts[2]])
    expect(dashboard.page.get_by_role("textbox", name="Hosts")).to_have_value(f"{first}\n{second}\n")
    dashboard.press("Publish", exact=True)
    expect(outcome(dashboard)).to_contain_text("2 domains went live in one step.")


def test_equal_changes_of_domains_are_shown_once(waymark, dashboard, apps, label):
    # The second has another rule, so its sample URLs are more, and the new rule is at another place.
    old = [[rule("/old/*")], [rule("/old/*"), rule("/older/*")], [rule("/old/*")]]
    hosts = [waymark.new_domain(draft(([SHOP], rules)), labels=[label]) for rules in old]
    for host in hosts:
        waymark.publish(host)
    for host, rules in zip(hosts[:2], old):
        waymark.put_draft(host, draft(([SHOP], [*rules, rule("/new/*")])))
    dashboard.open("/publish", label=label)
    summary = "2 domains change in the same way. 1 domain without changes is skipped."
    expect(dashboard.page.get_by_text(summary)).to_be_visible()
    groups = listed(dashboard, "Domains with equal changes")
    expect(groups).to_have_count(2)
    for host in hosts[:2]:
        expect(groups.first.get_by_role("link", name=host)).to_be_visible()
    expect(groups.first).to_contain_text("sample URLs that opened in the browser now open Shop.")
    expect(groups.last).to_contain_text(hosts[2])
    expect(dashboard.footer).to_contain_text("All checks pass on 2 domains.")
    dashboard.press("Publish", exact=True)
    expect(outcome(dashboard)).to_contain_text("2 domains went live in one step.")


def test_domains_with_an_empty_draft_are_not_among_the_changed_ones(waymark, dashboard, hosts, label):
    empty = [waymark.new_domain(labels=[label]) for _ in range(2)]
    waymark.put_draft(empty[1], {"entries": []})
    dashboard.open("/publish", label=label)
    expect(dashboard.page.get_by_text("in 3 different ways. 2 domains have no rules yet.")).to_be_visible()
    group = listed(dashboard, "Domains with equal changes").filter(has_text="2 domains have no rules yet")
    for host in empty:
        expect(group.get_by_role("link", name=host)).to_be_visible()
    expect(group).not_to_contain_text("No sample URL changes its outcome.")
    expect(dashboard.footer).to_contain_text("2 of 5 domains cannot be published.")
    expect(listed(dashboard, "Domains that cannot be published")).to_contain_text(["It has no rules yet."] * 2)
    expect(listed(dashboard, "Checks")).to_have_count(0)
    dashboard.press("Leave out the failing domains (2)")
    expect(dashboard.footer).to_contain_text("All checks pass on 3 domains.")
    dashboard.open("/publish", host=empty)
    expect(dashboard.footer).to_contain_text("Nothing to publish yet.")
    expect(dashboard.page.get_by_text("domains change")).to_have_count(0)


def test_a_domain_that_fails_the_checks_blocks_the_release_and_is_named(waymark, dashboard, hosts, bad_host):
    form = open_new(dashboard)
    form.get_by_role("radio", name="From a list").check()
    dashboard.type("Hosts", f"{hosts[0]} {bad_host}", within=form)
    expect(dashboard.footer).to_contain_text("1 of 2 domains cannot be published.")
    expect(form.get_by_role("button", name="Publish", exact=True)).to_be_hidden()
    failed = listed(dashboard, "Checks").filter(has_text="The file has errors")
    expect(failed).to_contain_text(bad_host)
    # The check and the domain say what the error is.
    error = '"not an app" is not a valid app ID'
    expect(failed).to_contain_text(error)
    expect(listed(dashboard, "Domains that cannot be published")).to_contain_text(error)
    listed(dashboard, "Domains that cannot be published").get_by_role("link", name=bad_host).click()
    expect(dashboard.footer).to_contain_text("2 of 7 checks failed.")
    dashboard.page.go_back()
    expect(form.get_by_role("textbox", name="Hosts")).to_have_value(f"{hosts[0]} {bad_host}")
    dashboard.type("Hosts", hosts[0], within=form)
    expect(dashboard.footer).to_contain_text("All checks pass on 1 domain.")


def test_failing_domains_are_left_out_and_put_back(waymark, dashboard, hosts, label, bad_host):
    assert waymark.api("PATCH", f"/v1/domains/{bad_host}", {"labels": [label]}).is_success
    dashboard.open("/publish", label=label)
    expect(dashboard.footer).to_contain_text("1 of 4 domains cannot be published. Fix it or leave it out.")
    dashboard.press("Leave out the failing domains (1)")
    left_out = dashboard.page.get_by_role("status").filter(has_text=f"1 domain left out: {bad_host}.")
    expect(left_out).to_be_visible()
    expect(left_out.get_by_role("button", name="Put back")).to_be_focused()
    expect(dashboard.footer).to_contain_text("All checks pass on 3 domains.")
    dashboard.press("Put back")
    expect(dashboard.page.get_by_role("combobox", name="Label")).to_have_value(label)
    expect(left_out).to_be_hidden()
    expect(dashboard.footer).to_contain_text("1 of 4 domains cannot be published.")
    dashboard.press("Leave out the failing domains (1)")
    expect(dashboard.footer).to_contain_text("All checks pass on 3 domains.")
    dashboard.press("Publish", exact=True)
    expect(outcome(dashboard)).to_contain_text("3 domains went live in one step.")
    assert waymark.api("GET", f"/v1/domains/{bad_host}").json()["live"] is None


def test_a_lost_answer_creates_no_second_release(waymark, dashboard, hosts, label):
    def lose(route):
        if route.request.method != "POST":
            return route.continue_()
        assert route.fetch().status == 202
        route.abort()

    dashboard.page.route("**/v1/releases", lose)
    dashboard.open("/publish", label=label)
    expect(dashboard.footer).to_contain_text("All checks pass on 3 domains.")
    dashboard.press("Publish", exact=True)
    expect(dashboard.page.get_by_role("alert").filter(has_text="does not answer")).to_be_visible()
    dashboard.page.unroute_all()
    dashboard.press("Publish", exact=True)
    expect(outcome(dashboard)).to_contain_text("3 domains went live in one step.")
    releases = waymark.api("GET", "/v1/releases?limit=50").json()["items"]
    assert len([release for release in releases if release["label"] == label]) == 1


def test_a_release_can_be_published_only_once_its_domains_are_reviewed(waymark, dashboard, hosts, label):
    form = open_new(dashboard)
    publish = form.get_by_role("button", name="Publish", exact=True)
    expect(dashboard.footer).to_contain_text("Choose the domains to see their changes and checks.")
    expect(publish).to_be_hidden()
    field = form.get_by_role("combobox", name="Label")
    field.fill("nothing-has-it")
    expect(dashboard.footer).to_contain_text("No domain has this label.")
    expect(publish).to_be_hidden()
    # Publishing reports why the domains cannot be loaded.
    dashboard.page.route(re.compile(r"/v1/domains\?.*label="), lambda route: route.abort())
    field.fill(label)
    expect(dashboard.footer).to_contain_text("Waymark does not answer")
    expect(publish).to_be_visible()
    dashboard.page.unroute_all()
    waiting = []
    dashboard.page.route("**/publication-checks", lambda route: waiting.append(route))
    form.get_by_role("radio", name="From a list").check()
    dashboard.type("Hosts", hosts[0], within=form)
    expect(dashboard.footer).to_contain_text("Checking…")
    expect(publish).to_be_hidden()
    until(dashboard.page, lambda: waiting)
    waiting.pop().continue_()
    expect(dashboard.footer).to_contain_text("All checks pass on 1 domain.")
    expect(publish).to_be_visible()


def test_a_new_release_says_to_choose_domains_before_it_shows_checks(waymark, dashboard, hosts, label):
    form = open_new(dashboard)
    checks = form.get_by_role("region", name="Checks", exact=True)
    override = form.get_by_role("checkbox", name="Publish even if a file differs a lot")
    expect(dashboard.footer).to_contain_text("Choose the domains to see their changes and checks.")
    expect(checks).to_be_hidden()
    expect(override).to_be_hidden()
    field = form.get_by_role("combobox", name="Label")
    field.fill("nothing-has-it")
    expect(dashboard.footer).to_contain_text("No domain has this label.")
    field.fill(label)
    expect(dashboard.footer).to_contain_text("All checks pass on 3 domains.")
    expect(checks).to_contain_text("7 checks passed")
    # Now, nothing needs an override.
    expect(override).to_be_hidden()
    form.get_by_role("radio", name="Schedule").check()
    override.check()
    dashboard.type("Reason for overriding", "it is meant", within=form)
    # Neither another choice nor a reload loses what was typed.
    field.fill("")
    expect(checks).to_be_hidden()
    dashboard.page.reload()
    expect(override).to_be_checked()
    expect(form.get_by_label("Reason for overriding")).to_have_value("it is meant")


def test_an_organization_without_releases_has_nothing_to_filter(waymark, new_dashboard):
    board = new_dashboard(waymark.create_organization())
    board.open("/releases")
    expect(board.page.get_by_role("heading", name="No releases yet")).to_be_visible()
    expect(board.page.get_by_role("combobox", name="State")).to_be_hidden()
    expect(board.page.get_by_text("No releases match.")).to_be_hidden()


def test_errors_of_a_release_are_shown_at_their_fields(waymark, dashboard, hosts, label):
    form = open_new(dashboard)
    dashboard.press("Check only", within=form)
    expect(form.get_by_text("Enter a label.")).to_be_visible()
    form.get_by_role("combobox", name="Label").fill("nothing-has-it")
    dashboard.press("Check only", within=form)
    field = form.get_by_role("combobox", name="Label")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(form.get_by_text("No domain has this label.").first).to_be_visible()
    form.get_by_role("radio", name="From a list").check()
    for typed, told in [("", "Enter at least one domain."), ("nobody.example", "nobody.example"), ("x_y", ": x_y")]:
        dashboard.type("Hosts", typed, within=form)
        dashboard.press("Check only", within=form)
        expect(form.locator(".field-error").filter(has_text=told)).to_be_visible()
        expect(form.get_by_role("textbox", name="Hosts")).to_have_attribute("aria-invalid", "true")
    dashboard.type("Hosts", hosts[0], within=form)
    form.get_by_role("radio", name="Schedule").check()
    form.get_by_role("checkbox", name="Publish even if a file differs a lot").check()
    form.get_by_role("radio", name="Now").check()
    dashboard.press("Publish", exact=True, within=form)
    expect(form.get_by_role("textbox", name="Reason for overriding")).to_have_attribute("aria-invalid", "true")
    form.get_by_role("checkbox", name="Publish even if a file differs a lot").uncheck()
    form.get_by_role("radio", name="On devices by…").check()
    form.get_by_label("Reach devices by").fill(f"{datetime.now() + timedelta(hours=1):%Y-%m-%dT%H:%M:%S}")
    dashboard.press("Schedule", exact=True, within=form)
    expect(form.get_by_label("Reach devices by")).to_have_attribute("aria-invalid", "true")


def test_a_release_that_must_reach_devices_by_a_time_is_due_early_enough(waymark, dashboard, hosts, label):
    form = open_new(dashboard)
    form.get_by_role("combobox", name="Label").fill(label)
    form.get_by_role("radio", name="On devices by…").check()
    form.get_by_label("Reach devices by").fill(f"{datetime.now() + timedelta(days=60):%Y-%m-%dT%H:%M:%S}")
    expect(form.get_by_text("It goes live at")).to_be_visible()
    dashboard.press("Schedule", exact=True, within=form)
    expect(outcome(dashboard)).to_contain_text("Everything is ready and goes live at")
    expect(dashboard.page.get_by_text("Reaches devices by")).to_be_visible()
    (made,) = waymark.api("GET", "/v1/releases?state=scheduled").json()["items"]
    wanted, due = (datetime.fromisoformat(made[name]) for name in ("effectiveBy", "at"))
    assert wanted - due == timedelta(days=8, minutes=5)
    assert timedelta(days=59) < wanted - datetime.now(UTC) < timedelta(days=61)

    def late(route):
        route.fulfill(json={**route.fetch().json(), "late": 187})

    address = re.compile(rf"/v1/releases/{made['id']}$")
    dashboard.page.route(address, late)
    dashboard.page.reload()
    expect(dashboard.page.get_by_text("3 min too late to reach devices by")).to_be_visible()
    # The page may send another request at this moment.
    dashboard.page.unroute_all(behavior="wait")
    waymark.api("DELETE", f"/v1/releases/{made['id']}")
    expect(dashboard.page.get_by_text("Was meant to reach devices by")).to_be_visible()


def test_all_failed_checks_of_all_domains_are_shown(waymark, dashboard, hosts, bad_host):
    refused = waymark.release({"hosts": [*hosts, bad_host]}, state="refused")
    open_release(dashboard, refused)
    expect(outcome(dashboard)).to_contain_text("1 of 4 domains failed the checks.")
    expect(listed(dashboard, "Domains of the release")).to_have_count(1)
    row = listed(dashboard, "Domains of the release").first
    expect(row.get_by_role("list", name="Failed checks").get_by_role("listitem")).to_have_count(2)
    expect(row).to_contain_text("The file has errors")
    expect(row).to_contain_text("Saved tests fail")
    row.get_by_text("Check results").click()
    expect(row.get_by_role("list", name="Tests that fail")).to_contain_text("/buy/1")
    expect(row).to_contain_text("is not a valid app ID")
    states = dashboard.page.get_by_role("combobox", name="State of the domains")
    expect(states.get_by_role("option")).to_have_text(["All (4)", "Failed the checks (1)", "Passed the checks (3)"])
    states.select_option("Passed the checks (3)")
    expect(listed(dashboard, "Domains of the release")).to_have_count(3)
    row = listed(dashboard, "Domains of the release").first
    row.get_by_role("link").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text(min(hosts))


def test_many_domains_are_shown_page_after_page(waymark, dashboard, apps):
    hosts = [waymark.new_domain(draft(([SHOP], [rule(f"/{number}/*")]))) for number in range(60)]
    open_release(dashboard, waymark.release({"hosts": hosts}))
    expect(listed(dashboard, "Domains of the release")).to_have_count(50)
    dashboard.press("Show more")
    expect(listed(dashboard, "Domains of the release")).to_have_count(60)
    expect(dashboard.page.get_by_role("button", name="Show more")).to_be_hidden()
    shown = dashboard.page.locator(".release-domain a").all_text_contents()
    assert shown == sorted(hosts)


def test_a_scheduled_release_waits_and_is_cancelled(waymark, dashboard, hosts, label):
    made = waymark.api("POST", "/v1/releases", {"label": label, "at": in_an_hour(), "message": "at noon"}).json()
    open_release(dashboard, made)
    expect(outcome(dashboard)).to_contain_text("Everything is ready and goes live at")
    expect(bar(dashboard, "Ready")).to_have_attribute("aria-valuetext", "3 of 3 domains")
    expect(bar(dashboard, "Live")).to_have_attribute("aria-valuetext", "0 of 3 domains")
    dashboard.press("Cancel release")
    dashboard.press("Keep it", within=dashboard.dialog)
    expect(outcome(dashboard)).to_contain_text("Everything is ready")
    dashboard.press("Cancel release")
    dashboard.press("Cancel release", within=dashboard.dialog)
    expect(outcome(dashboard)).to_contain_text("It was cancelled by")
    expect(dashboard.page.get_by_role("button", name="Cancel release")).to_be_hidden()
    assert waymark.api("GET", f"/v1/releases/{made['id']}").json()["state"] == "cancelled"


def test_an_open_page_shows_changes_by_others(waymark, dashboard, new_dashboard, hosts, label):
    made = waymark.api("POST", "/v1/releases", {"label": label, "at": in_an_hour(), "message": "seen by two"}).json()
    open_release(dashboard, made)
    expect(outcome(dashboard)).to_contain_text("Everything is ready")
    another = new_dashboard()
    released = waymark.release({"hosts": hosts[:1]})
    open_release(another, released)
    expect(another.page.get_by_text("went live in one step")).to_be_visible()
    assert waymark.api("POST", f"/v1/releases/{released['id']}/rollbacks", {}).status_code == 202
    expect(another.page.get_by_role("link", name="Rolled back by another release")).to_be_visible()
    other = new_dashboard()
    other.open("/releases")
    row = listed(other, "Releases").filter(has_text="seen by two")
    expect(row).to_contain_text("Scheduled")
    waymark.api("DELETE", f"/v1/releases/{made['id']}")
    expect(outcome(dashboard)).to_contain_text("It was cancelled by")
    expect(row).to_contain_text("Cancelled")


def test_a_pending_release_warns_of_a_freeze(waymark, dashboard, hosts, label):
    made = waymark.api("POST", "/v1/releases", {"label": label, "at": in_an_hour()}).json()
    assert made["freeze"] is None
    open_release(dashboard, made)
    expect(outcome(dashboard)).to_contain_text("Everything is ready")
    told = dashboard.page.get_by_text("Reason: the winter sale.")
    expect(told).to_have_count(0)
    ends = f"{datetime.now(UTC) + timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}"
    freeze = waymark.api("POST", "/v1/freezes", {"label": label, "reason": "the winter sale", "endsAt": ends}).json()
    expect(told).to_contain_text("will not go live when it is due. Nothing scheduled is published until")
    assert waymark.api("DELETE", f"/v1/freezes/{freeze['id']}").is_success
    expect(told).to_be_hidden()
    waymark.api("DELETE", f"/v1/releases/{made['id']}")


def test_the_form_warns_of_frozen_domains(waymark, dashboard, hosts, label):
    ends = f"{datetime.now(UTC) + timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}"
    freeze = waymark.api("POST", "/v1/freezes", {"label": label, "reason": "the winter sale", "endsAt": ends}).json()
    body = {"label": "another", "reason": "an audit", "endsAt": ends}
    other = waymark.api("POST", "/v1/freezes", body).json()
    form = open_new(dashboard)
    told = form.get_by_text("A release of these domains that is due before then is suspended")
    form.get_by_label("Schedule").check()
    expect(told).to_contain_text(f"Domains labelled {label}: Frozen until")
    expect(told).to_contain_text("Domains labelled another: Frozen until")
    expect(told).to_contain_text("the winter sale.")
    form.get_by_label("Now").check()
    expect(told).to_be_hidden()
    assert waymark.api("DELETE", f"/v1/freezes/{other['id']}").is_success
    assert waymark.api("DELETE", f"/v1/freezes/{freeze['id']}").is_success


def test_the_form_lists_earlier_changes_once_a_time_and_domains_are_chosen(waymark, dashboard, hosts, label):
    soon = f"{datetime.now(UTC) + timedelta(minutes=30):%Y-%m-%dT%H:%M:%SZ}"
    publication = waymark.api("POST", f"/v1/domains/{hosts[0]}/publications", {"at": soon}).json()
    form = open_new(dashboard)
    before = form.get_by_role("list", name="Goes live first").get_by_role("listitem")
    form.get_by_role("combobox", name="Label").fill(label)
    form.get_by_role("radio", name="Schedule").check()
    at = form.get_by_label("Goes live at")
    at.fill(f"{datetime.now() + timedelta(hours=1):%Y-%m-%dT%H:%M:%S}")
    expect(before).to_have_count(1)
    expect(before).to_contain_text(f"{hosts[0]} is published at")
    expect(form.get_by_text("If one of them goes live, the release is suspended.")).to_be_visible()
    form.get_by_role("checkbox", name="Publish even if a file differs a lot").check()
    expect(form.get_by_text("The release goes live anyway")).to_be_visible()
    at.fill(f"{datetime.now() + timedelta(minutes=20):%Y-%m-%dT%H:%M:%S}")
    expect(before).to_have_count(0)
    withdrawal = waymark.api("POST", f"/v1/domains/{hosts[1]}/withdrawals", {"reason": "sold"}).json()
    at.fill(f"{datetime.now() + timedelta(hours=2):%Y-%m-%dT%H:%M:%S}")
    expect(before).to_have_count(2)
    expect(before.last).to_contain_text(f"{hosts[1]} is withdrawn at")
    expect(form.get_by_text("A withdrawal stops the release")).to_be_visible()
    form.get_by_role("radio", name="Now").check()
    expect(before).to_have_count(0)
    form.get_by_role("radio", name="Schedule").check()
    expect(before).to_have_count(2)
    # A missing answer blocks nothing.
    dashboard.page.route("**/v1/release-previews", lambda route: None)
    form.get_by_role("radio", name="From a list").check()
    dashboard.type("Hosts", hosts[2], within=form)
    with dashboard.page.expect_request("**/v1/release-previews"):
        dashboard.type("Hosts", f"{hosts[2]} {hosts[0]}", within=form)
    form.get_by_role("checkbox", name="Publish even if a file differs a lot").uncheck()
    dashboard.press("Check only", within=form)
    expect(outcome(dashboard)).to_contain_text("2 domains passed the checks.")
    waymark.api("DELETE", f"/v1/domains/{hosts[1]}/withdrawals/{withdrawal['id']}")
    waymark.api("DELETE", f"/v1/domains/{hosts[0]}/publications/{publication['id']}")


def test_changes_that_come_before_a_release_are_listed_and_publishing_warns_of_it(
    waymark, dashboard, hosts, label
):
    soon = f"{datetime.now(UTC) + timedelta(minutes=30):%Y-%m-%dT%H:%M:%SZ}"
    made = waymark.api("POST", "/v1/releases", {"label": label, "at": in_an_hour(), "message": "at noon"}).json()
    open_release(dashboard, made)
    expect(outcome(dashboard)).to_contain_text("Everything is ready")
    before = listed(dashboard, "Goes live first")
    expect(before).to_have_count(0)
    publication = waymark.api("POST", f"/v1/domains/{hosts[0]}/publications", {"at": soon}).json()
    expect(before).to_have_count(1)
    expect(before.first).to_contain_text(f"{hosts[0]} is published at")
    expect(dashboard.page.get_by_text("If one of them goes live, the release is suspended.")).to_be_visible()
    waymark.api("DELETE", f"/v1/domains/{hosts[0]}/publications/{publication['id']}")
    expect(before).to_have_count(0)

    dashboard.open("/domain/versions", host=hosts[0])
    waiting = listed(dashboard, "Pending").filter(has_text="at noon")
    expect(waiting).to_contain_text(f"A release of 3 domains labelled {label} that go live together.")
    dashboard.review()
    expect(dashboard.page.get_by_text("Publishing now will suspend:")).to_be_visible()
    expect(dashboard.page.get_by_role("list", name="Will be suspended")).to_contain_text(
        "All of the release “at noon”, due at"
    )
    dashboard.page.get_by_role("link", name="Cancel").click()
    dashboard.open_part("Versions")
    waiting.get_by_role("link", name="at noon").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("at noon")
    held = "this release will not go live when it is due: the live version changed after the release was checked:"
    expect(dashboard.page.get_by_text(f"{held} {hosts[0]}. Cancel it, then release again.")).to_be_hidden()
    waymark.publish(hosts[0])
    expect(dashboard.page.get_by_text(f"{held} {hosts[0]}. Cancel it, then release again.")).to_be_visible()
    waymark.api("DELETE", f"/v1/releases/{made['id']}")
    expect(outcome(dashboard)).to_contain_text("It was cancelled by")


def test_a_release_that_a_freeze_suspended_changed_nothing(waymark, dashboard, hosts, label):
    ends = f"{datetime.now(UTC) + timedelta(hours=2):%Y-%m-%dT%H:%M:%SZ}"
    freeze = waymark.api("POST", "/v1/freezes", {"label": label, "reason": "the winter sale", "endsAt": ends}).json()
    in_a_moment = f"{datetime.now(UTC) + timedelta(seconds=8):%Y-%m-%dT%H:%M:%SZ}"
    made = waymark.api("POST", "/v1/releases", {"label": label, "at": in_a_moment, "message": "too soon"}).json()
    waymark.ended_release(made["id"], state="suspended")
    assert waymark.api("DELETE", f"/v1/freezes/{freeze['id']}").is_success
    dashboard.open("/releases")
    expect(listed(dashboard, "Releases").filter(has_text="too soon")).to_contain_text("3 domains not published")


def test_a_release_is_rolled_back_as_a_whole(waymark, dashboard, hosts):
    released = waymark.release({"hosts": hosts, "message": "to be taken back"})
    open_release(dashboard, released)
    dashboard.page.get_by_role("link", name="Roll back…").click()
    expect(dashboard.page.get_by_role("main")).to_contain_text("2 domains return to the versions that were live before this release.")
    expect(dashboard.page.get_by_role("main")).to_contain_text("1 domain had nothing live before: it does not change.")
    expect(dashboard.page.get_by_text("has gone live since")).to_be_hidden()
    expect(dashboard.page.get_by_text("2 domains change in 2 different ways.")).to_be_visible()
    dashboard.press("Roll back", exact=True)
    expect(outcome(dashboard)).to_contain_text("2 domains went live in one step.")
    expect(listed(dashboard, "Domains of the release").filter(has_text="Not rolled back")).to_have_count(1)
    assert [waymark.api("GET", f"/v1/domains/{host}").json()["live"]["version"] for host in hosts] == [1, 1, 1]
    dashboard.page.get_by_role("link", name="Rolls back another release").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("to be taken back")
    expect(dashboard.page.get_by_role("link", name="Rolled back by another release")).to_be_visible()


def test_a_roll_back_names_the_domains_with_a_newer_live_version(waymark, dashboard, hosts):
    released = waymark.release({"hosts": hosts})
    put(waymark, hosts[:1], "/newer")
    waymark.publish(hosts[0])
    open_release(dashboard, released)
    dashboard.page.get_by_role("link", name="Roll back…").click()
    expect(dashboard.page.get_by_role("main")).to_contain_text("Another version has gone live since on 1 of these domains.")
    moved = listed(dashboard, "Domains with a newer live version")
    expect(moved.get_by_role("link", name=hosts[0])).to_be_visible()
    dashboard.press("Roll back", exact=True)
    expect(outcome(dashboard)).to_contain_text("Nothing went live: the live version changed")
    moved = listed(dashboard, "Domains of the release")
    expect(moved).to_have_count(1)
    expect(moved.first).to_contain_text(hosts[0])
    open_release(dashboard, released)
    dashboard.page.get_by_role("link", name="Roll back…").click()
    dashboard.page.get_by_role("checkbox", name="Roll back even if another version is live").check()
    dashboard.type("Reason for overriding", "the shop is closed")
    dashboard.press("Roll back", exact=True)
    expect(outcome(dashboard)).to_contain_text("2 domains went live in one step.")


def test_the_list_is_narrowed_by_state_and_the_address_keeps_it(waymark, dashboard, hosts, bad_host):
    waymark.release({"hosts": [bad_host], "message": "bad one"}, state="refused")
    waymark.release({"hosts": hosts, "message": "good one"})
    dashboard.open("/releases")
    expect(listed(dashboard, "Releases").first).to_contain_text("3 domains live")
    expect(listed(dashboard, "Releases").first).to_contain_text("Reached the edge.")
    bad = listed(dashboard, "Releases").filter(has_text="bad one").first
    expect(bad).to_contain_text("1 of 1 domain failed the checks")
    dashboard.page.get_by_role("combobox", name="State").select_option("Failed the checks")
    expect(listed(dashboard, "Releases").filter(has_text="good one")).to_have_count(0)
    expect(listed(dashboard, "Releases").first).to_contain_text("bad one")
    dashboard.page.reload()
    expect(dashboard.page.get_by_role("combobox", name="State")).to_have_value("refused")
    expect(listed(dashboard, "Releases").first).to_contain_text("bad one")
    dashboard.page.get_by_role("combobox", name="State").select_option("Pending")
    expect(dashboard.page.get_by_text("No releases match.")).to_be_visible()


def test_progress_is_shown_in_words_while_a_release_is_checked(waymark, dashboard, hosts):
    """The checks are too quick to see here, so the answers are held at the state of a larger release."""
    released = waymark.release({"hosts": hosts})

    held = [True]

    def judging(route):
        if not held:
            return route.continue_()
        answer = route.fetch().json()
        counts = {**answer["domains"], "live": 0, "passed": 1, "waiting": 2}
        route.fulfill(json={**answer, "state": "judging", "endedAt": None, "domains": counts, "rollback": None})

    dashboard.page.route(re.compile(rf"/v1/releases/{released['id']}$"), judging)
    open_release(dashboard, released)
    expect(bar(dashboard, "Checked")).to_have_attribute("aria-valuetext", "1 of 3 domains")
    expect(bar(dashboard, "Ready")).to_have_attribute("aria-valuetext", "0 of 3 domains")
    expect(outcome(dashboard)).to_contain_text("Nothing is published until all have passed.")
    expect(dashboard.page.get_by_role("button", name="Cancel release")).to_be_visible()
    # No event reports its progress: the page updates automatically.
    held.clear()
    expect(outcome(dashboard)).to_contain_text("3 domains went live in one step.")


def test_an_idle_page_requests_only_events(waymark, dashboard, hosts):
    released = waymark.release({"hosts": hosts})
    reached = "Reached the edge."
    for open_page in (lambda: open_release(dashboard, released), lambda: dashboard.open("/releases")):
        open_page()
        expect(dashboard.page.get_by_text(reached).first).to_be_visible()
        questions = until_quiet(dashboard.page, 5_000)
        # A waiting request may end and be sent again.
        assert len(questions) <= 1 and all("wait=30" in url for url in questions), questions


def test_changes_of_other_releases_cause_no_requests(waymark, dashboard, hosts):
    open_release(dashboard, waymark.release({"hosts": hosts}))
    expect(dashboard.page.get_by_text("Reached the edge.")).to_be_visible()
    # The requests caused by its own events have been sent.
    until_quiet(dashboard.page, 2_000)
    urls = []
    dashboard.page.on("request", lambda request: urls.append(request.url))
    with dashboard.page.expect_response(lambda answer: "/v1/events?" in answer.url and answer.json()["items"]):
        waymark.release({"hosts": hosts}, state="unchanged")
    dashboard.page.wait_for_timeout(1_000)
    assert [url for url in urls if "/v1/events?" not in url] == []


def test_the_progress_of_the_checks_is_loaded_every_two_seconds(waymark, dashboard, hosts):
    released = waymark.release({"hosts": hosts})

    def judging(route):
        answer = route.fetch().json()
        counts = {**answer["domains"], "live": 0, "waiting": 3}
        route.fulfill(json={**answer, "state": "judging", "endedAt": None, "domains": counts, "rollback": None})

    dashboard.page.route(re.compile(rf"/v1/releases/{released['id']}$"), judging)
    open_release(dashboard, released)
    expect(bar(dashboard, "Checked")).to_be_visible()
    times = []
    for _ in range(4):
        with dashboard.page.expect_request_finished(lambda request: request.url.endswith(released["id"])) as question:
            pass
        times.append(question.value.timing["startTime"])
    # By the browser's clock; an event of the release may cause one more request.
    assert times[-1] - times[0] > 3_500, times


def test_a_viewer_sees_no_buttons_that_would_fail(waymark, dashboard, hosts):
    def as_viewer(route):
        me = route.fetch().json()
        me["organizations"] = [{**organization, "role": "viewer"} for organization in me["organizations"]]
        route.fulfill(json=me)

    released = waymark.release({"hosts": hosts})
    dashboard.page.route("**/v1/me", as_viewer)
    dashboard.open("/releases")
    expect(listed(dashboard, "Releases").first).to_be_visible()
    expect(dashboard.page.get_by_role("link", name="New release…")).to_have_count(0)
    open_release(dashboard, released)
    expect(outcome(dashboard)).to_contain_text("3 domains went live")
    expect(dashboard.page.get_by_role("link", name="Roll back…")).to_have_count(0)


def test_a_missing_release_shows_not_found(dashboard):
    dashboard.open("/releases", release="00000000-0000-4000-8000-000000000000")
    expect(dashboard.page.get_by_role("heading", name="Not found")).to_be_visible()
