"""Replacing an app in many drafts from the app's page: the choice of drafts, the result, and earlier replacements."""

import pytest
from playwright.sync_api import expect

from dashboard import draft, rule
from installation import eventually


@pytest.fixture
def pair(waymark, apps):
    """The app to replace, "Old", and its replacement, "New", which no draft uses yet."""
    stem = waymark.new_host("app").split(".")[0]
    pair = []
    for name in ("Old", "New"):
        bundle = f"com.example.{stem}.{name.lower()}"
        answer = waymark.api("POST", "/v1/apps", {"teamID": "TESTTEAM01", "bundleID": bundle, "name": f"{name} {stem}"})
        assert answer.status_code == 201, answer.text
        pair.append(answer.json())
    return pair


@pytest.fixture
def hosts(waymark, pair):
    """Three domains that use the old app, two of them with a label, and a test that expects it."""
    label = waymark.new_host("brand").split(".")[0]
    hosts = [
        waymark.new_domain(draft(([pair[0]["appID"]], [rule("/*")])), labels=labels)
        for labels in ([label], [label], [])
    ]
    test = {"url": "/buy", "expected": {"outcome": "opens", "app": pair[0]["appID"]}}
    assert waymark.api("POST", f"/v1/domains/{hosts[0]}/tests", test).status_code == 201
    return label, hosts


def named(waymark, host):
    entries = waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"]
    return [app for entry in entries for app in entry["apps"]]


def open_replacing(dashboard, app):
    dashboard.open("/app", app=app["appID"])
    dashboard.press("Replace in drafts…")
    return dashboard.dialog


def choose_every(dialog):
    dialog.get_by_role("radio", name="All domains whose draft uses this app").check()


def counts(dashboard):
    return dashboard.dialog.get_by_role("list", name="Result").get_by_role("listitem")


def test_an_app_is_replaced_in_every_draft_that_uses_it(waymark, dashboard, pair, hosts):
    old, new = pair
    dialog = open_replacing(dashboard, old)
    expect(dialog).to_contain_text("Nothing is published")
    dialog.get_by_role("combobox", name="With").select_option(new["appID"])
    choose_every(dialog)
    dashboard.type("Message", "the new app", within=dialog)
    dashboard.press("Replace in drafts", exact=True, within=dialog)
    expect(dialog.get_by_role("heading", name=f"{old['name']} replaced with {new['name']}")).to_be_visible()
    expect(dialog.get_by_role("progressbar", name="Drafts")).to_have_attribute("aria-valuetext", "3 of 3 drafts")
    expect(counts(dashboard)).to_have_text(
        [
            "3 changed",
            "3 of these pass the checks",
            "0 of these fail the checks",
            f"0 not changed: no longer using {old['name']}",
            f"1 saved test changed to expect {new['name']}",
        ]
    )
    for host in hosts[1]:
        assert named(waymark, host) == [new["appID"]]
    # A release cannot be created for "all domains".
    expect(dialog.get_by_role("link", name="Release these domains…")).to_have_count(0)


def test_drafts_that_fail_are_listed_with_their_failed_checks(waymark, dashboard, pair, hosts):
    old, new = pair
    for url in ("/nothing", "/buy"):
        test = {"url": url, "expected": {"outcome": "none"}}
        assert waymark.api("POST", f"/v1/domains/{hosts[1][2]}/tests", test).status_code == 201
    dialog = open_replacing(dashboard, old)
    dialog.get_by_role("combobox", name="With").select_option(new["appID"])
    choose_every(dialog)
    dashboard.press("Replace in drafts", exact=True, within=dialog)
    refusals = dialog.get_by_role("list", name="Drafts that now fail the checks")
    expect(refusals).to_contain_text("Saved tests fail")
    expect(counts(dashboard).nth(2)).to_have_text("1 of these fail the checks")
    refusals.get_by_role("link", name=hosts[1][2]).click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text(hosts[1][2])


def test_domains_of_a_replacement_by_label_can_be_released_next(waymark, dashboard, pair, hosts):
    old, new = pair
    label, (first, second, third) = hosts
    dialog = open_replacing(dashboard, old)
    dialog.get_by_role("combobox", name="With").select_option(new["appID"])
    dialog.get_by_role("radio", name="With a label").check()
    dialog.get_by_role("combobox", name="Label").fill(label)
    expect(dialog.get_by_text("2 domains with this label.")).to_be_visible()
    dashboard.press("Replace in drafts", exact=True, within=dialog)
    expect(counts(dashboard).first).to_have_text("2 changed")
    assert [named(waymark, host) for host in (first, second, third)] == [[new["appID"]], [new["appID"]], [old["appID"]]]
    dialog.get_by_role("link", name="Release these domains…").click()
    release = dashboard.page.get_by_role("form", name="Review and publish")
    expect(release.get_by_role("combobox", name="Label")).to_have_value(label)
    dashboard.press("Publish", exact=True, within=release)
    expect(dashboard.page.get_by_text("2 domains went live in one step.")).to_be_visible()


def test_errors_are_shown_at_their_fields(waymark, dashboard, pair, hosts):
    dialog = open_replacing(dashboard, pair[0])
    dialog.get_by_role("combobox", name="With").select_option(pair[1]["appID"])
    dialog.get_by_role("radio", name="From a list").check()
    for typed, told in (("nobody.example", "no domain nobody.example"), (f"{hosts[1][0]} x_y", ": x_y")):
        dashboard.type("Hosts", typed, within=dialog)
        dashboard.press("Replace in drafts", exact=True, within=dialog)
        expect(dialog.locator(".field-error").filter(has_text=told)).to_be_visible()
        expect(dialog.get_by_role("textbox", name="Hosts")).to_have_attribute("aria-invalid", "true")
    assert named(waymark, hosts[1][0]) == [pair[0]["appID"]]


def test_a_change_of_many_drafts_has_no_preselected_choice(waymark, dashboard, pair, hosts):
    dialog = open_replacing(dashboard, pair[0])
    other = dialog.get_by_role("combobox", name="With")
    expect(other).to_have_value("")
    expect(dialog.get_by_role("radio", checked=True)).to_have_count(0)
    dashboard.press("Replace in drafts", exact=True, within=dialog)
    expect(dialog.get_by_text("Choose the new app.")).to_be_visible()
    expect(dialog.get_by_text("Choose which domains.")).to_be_visible()
    expect(other).to_be_focused()
    other.select_option(pair[1]["appID"])
    expect(dialog.get_by_text("Choose the new app.")).to_be_hidden()
    choose_every(dialog)
    expect(dialog.get_by_text("Choose which domains.")).to_be_hidden()
    assert [named(waymark, host) for host in hosts[1]] == [[pair[0]["appID"]]] * 3


def test_earlier_replacements_are_listed_and_shown_again(waymark, dashboard, pair, hosts):
    old, new = pair
    path = f"/v1/apps/{old['appID']}/replacements"
    made = waymark.api("POST", path, {"with": new["appID"], "hosts": hosts[1][:1], "message": "the first one"})
    assert made.status_code == 202, made.text
    shown = f"{path}/{made.json()['id']}"
    eventually(lambda: waymark.api("GET", shown).json()["state"] == "done", what="the end of the replacement")
    dialog = open_replacing(dashboard, old)
    past = dialog.get_by_role("list", name="Earlier replacements").get_by_role("listitem")
    expect(past).to_have_count(1)
    expect(past).to_contain_text("1 draft changed")
    expect(past).to_contain_text("“the first one”")
    dashboard.press(f"Show the replacement with {new['appID']}", within=past)
    expect(counts(dashboard).first).to_have_text("1 changed")
    expect(dialog.get_by_role("textbox", name="Message")).to_be_hidden()


def test_a_viewer_cannot_replace_an_app(dashboard, pair):
    def as_viewer(route):
        me = route.fetch().json()
        me["organizations"] = [{**organization, "role": "viewer"} for organization in me["organizations"]]
        route.fulfill(json=me)

    dashboard.page.route("**/v1/me", as_viewer)
    dashboard.open("/app", app=pair[0]["appID"])
    expect(dashboard.page.get_by_role("heading", level=1, name=pair[0]["name"])).to_be_visible()
    for name in ("Edit…", "Replace in drafts…", "Delete…"):
        expect(dashboard.page.get_by_role("button", name=name)).to_have_count(0)
