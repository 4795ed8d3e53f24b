"""The changes of a publication, by meaning: rules, and URLs whose result changes. The answers are made here in the
shape of the contract, so that the page shows every kind of change.
"""

import pytest
from playwright.sync_api import expect

from dashboard import HELP, SHOP, draft, rule


def verdict(outcome, app=None):
    return {"outcome": outcome, "app": app, "decidedBy": None}


def changed(change, index, before=None, after=None, to=None, values=()):
    place = "/applinks/details/0/components/{}".format
    return {
        "change": change,
        "from": before and place(index),
        "to": after and place(index if to is None else to),
        "apps": [SHOP],
        "before": before,
        "after": after,
        "parts": [value["part"] for value in values],
        "values": list(values),
    }


DIFFERENCE = {
    "rules": [
        changed("added", 0, after={"/": "/gifts/*"}),
        changed("removed", 1, before={"/": "/help/website/*", "exclude": True}),
        changed("moved", 0, {"/": "/buy/*"}, {"/": "/buy/*"}, to=2),
        changed(
            "changed",
            3,
            {"/": "/old/*"},
            {"/": "/new/*", "?": {"id": "?*"}},
            values=[
                {"part": "path", "before": "/old/*", "after": "/new/*"},
                {"part": "query", "before": None, "after": {"id": "?*"}},
            ],
        ),
        changed("same_meaning", 4, {"/": "/a"}, {"/": "/a", "caseSensitive": True}),
    ],
    "entries": [],
    "apps": {"added": [HELP], "removed": [], "reordered": False},
    "services": [{"service": "webcredentials", "added": [SHOP], "removed": []}],
    "variables": [{"name": "food", "before": None, "after": ["sushi"]}],
    "defaults": [],
    "other": [],
    "outcomes": [
        {"url": "/gifts/1", "before": verdict("none"), "after": verdict("opens", SHOP), "apps": []},
        {"url": "/help/website/1", "before": verdict("excluded"), "after": verdict("none"), "apps": []},
        {
            "url": "/buy/1",
            "before": verdict("opens", SHOP),
            "after": verdict("opens", SHOP),
            "apps": [{"app": HELP, "before": verdict("none"), "after": verdict("opens", HELP)}],
        },
    ],
    "urls": {"tried": 40, "given": 0, "changed": 3},
    "isEmpty": False,
    "isTruncated": False,
}

SAME = {
    **DIFFERENCE,
    "rules": [],
    "apps": {"added": [], "removed": [], "reordered": False},
    "services": [],
    "variables": [],
    "outcomes": [],
    "urls": {"tried": 40, "given": 0, "changed": 0},
    "isEmpty": True,
}


@pytest.fixture
def changed_draft(waymark, published):
    """A domain whose draft differs from the live version."""
    waymark.put_draft(published, draft(([SHOP], [rule("/gifts/*"), rule("/buy/*")])))
    return published


def answering(dashboard, difference):
    asked = []

    def answer(route):
        asked.append(route.request.url)
        route.fulfill(json=difference)

    dashboard.page.route("**/draft/diff", answer)
    dashboard.page.route("**/versions/*/diff?*", answer)
    return asked


def items(dashboard, name):
    return dashboard.dialog.get_by_role("list", name=name).get_by_role("listitem")


def test_publishing_shows_the_rules_and_the_urls_that_change(dashboard, changed_draft):
    answering(dashboard, DIFFERENCE)
    dashboard.open_domain(changed_draft, "versions")
    dashboard.press("Publish…", exact=True)
    expect(dashboard.dialog).to_contain_text("3 of 40 sample URLs change.")
    expect(items(dashboard, "URLs whose result changes")).to_have_text(
        [
            "/gifts/1 before: No app opens it → now: Opens Shop ",
            "/help/website/1 before: Stays on the web → now: No app opens it ",
            "/buy/1 before: Opens Shop → now: Opens Shop Help: no rule matches, now a rule matches.",
        ]
    )
    expect(items(dashboard, "Changed rules")).to_have_text(
        [
            "AddedOpens /gifts/* Shop",
            "RemovedStays on the web /help/website/* Shop",
            "MovedOpens /buy/* ShopFrom place 1 to place 3.",
            'ChangedOpens /new/*?id=?* ShopPath: /old/*, now /new/*. Query: not set, now {"id":"?*"}.',
        ]
    )
    expect(dashboard.dialog).to_contain_text("1 rule written differently with the same meaning.")
    expect(items(dashboard, "Other changes")).to_have_text(
        ["Apps added: Help.", "webcredentials: Shop added.", '$(food): not set, now ["sushi"].']
    )
    expect(dashboard.dialog.get_by_label("Changed lines")).to_contain_text("/gifts/*")


def test_a_difference_without_effect_says_so(dashboard, changed_draft):
    answering(dashboard, SAME)
    dashboard.open_domain(changed_draft, "versions")
    dashboard.press("Publish…", exact=True)
    expect(dashboard.dialog).to_contain_text("No sample URL changes, of 40 made from")
    expect(dashboard.dialog).to_contain_text("No rule changes its meaning.")


def test_without_a_comparison_by_meaning_the_text_is_compared(dashboard, changed_draft):
    absent = {"status": 404, "code": "not_found", "detail": "There is no such route."}
    dashboard.page.route("**/draft/diff", lambda route: route.fulfill(status=404, json=absent))
    dashboard.open_domain(changed_draft, "versions")
    dashboard.press("Publish…", exact=True)
    expect(dashboard.dialog.get_by_label("Changed lines")).to_contain_text("/gifts/*")
    expect(dashboard.dialog.get_by_role("heading", name="Links")).to_be_hidden()


def test_an_old_version_is_compared_with_the_live_one(waymark, dashboard, changed_draft):
    waymark.publish(changed_draft)
    asked = answering(dashboard, DIFFERENCE)
    dashboard.open_domain(changed_draft, "versions")
    dashboard.press("Compare version 1 with another")
    expect(dashboard.dialog.get_by_role("heading", name="Changes in version 1")).to_be_visible()
    expect(dashboard.dialog.get_by_label("Compare with").locator("option:checked")).to_have_text("Version 2 (live)")
    expect(items(dashboard, "Changed rules")).to_have_count(4)
    removed = dashboard.dialog.get_by_label("Changed lines").locator("[data-change=removed]")
    expect(removed.filter(has_text="/gifts/*")).to_have_count(1)
    assert [address.rpartition("/versions/")[2] for address in asked] == ["1/diff?from=2"]
    dashboard.press("Close", within=dashboard.dialog)
    dashboard.press("Publish version 1 again")
    expect(items(dashboard, "URLs whose result changes")).to_have_count(3)


def test_any_two_versions_are_compared_by_rules_text_and_bytes(waymark, dashboard, changed_draft):
    for path in ("/second/*", "/third/*"):
        waymark.put_draft(changed_draft, draft(([SHOP], [rule(path)])))
        waymark.publish(changed_draft)
    versions = waymark.api("GET", f"/v1/domains/{changed_draft}/versions").json()["items"]
    sizes = [f"{version['size']} bytes" for version in versions]
    dashboard.open_domain(changed_draft, "versions")
    dashboard.press("Compare version 3 with another")
    against = dashboard.dialog.get_by_label("Compare with")
    expect(against.locator("option")).to_have_text(["The draft", "Version 2", "Version 1"])
    expect(against.locator("option:checked")).to_have_text("Version 2")
    text = dashboard.dialog.get_by_label("Changed lines")
    expect(text.locator("[data-change=removed]").filter(has_text="/second/*")).to_have_count(1)
    expect(dashboard.dialog).to_contain_text(
        f"Compared with version 2: 1 line added, 1 line removed; {sizes[1]} before, {sizes[0]} now."
    )
    against.select_option("Version 1")
    expect(text.locator("[data-change=removed]").filter(has_text="/second/*")).to_have_count(0)
    expect(dashboard.dialog).to_contain_text(f"{sizes[2]} before, {sizes[0]} now.")
    expect(items(dashboard, "Changed rules").filter(has_text="/third/*")).to_have_count(1)


def test_the_only_version_is_compared_with_the_draft(dashboard, published):
    dashboard.open_domain(published, "versions")
    dashboard.press("Compare version 1 with another")
    expect(dashboard.dialog.get_by_label("Compare with").locator("option")).to_have_text(["The draft"])
    expect(dashboard.dialog).to_contain_text("The file is identical to version 1.")


@pytest.fixture
def old_and_new(waymark, apps):
    """A domain for iOS 9 and later whose draft has one more rule, and one that old systems ignore."""
    host = waymark.new_domain(draft(([SHOP], [rule("/buy/*")]), compatibility="ios9"))
    waymark.publish(host)
    rules = [rule("/buy/*"), rule("/gifts/*"), rule("/search", query="q=*")]
    waymark.put_draft(host, draft(([SHOP], rules), compatibility="ios9"))
    return host


@pytest.mark.parametrize("width", [360, 1600])
def test_changes_on_old_systems_are_shown_with_those_on_new_ones(new_dashboard, old_and_new, width):
    dashboard = new_dashboard(width=width)
    dashboard.open_domain(old_and_new, "versions")
    dashboard.press("Publish…", exact=True)
    outcomes = items(dashboard, "URLs whose result changes")
    on_all = outcomes.filter(has=dashboard.page.get_by_text("/gifts/x", exact=True))
    expect(on_all).to_have_text("/gifts/x before: No app opens it → now: Opens Shop ")
    search = outcomes.filter(has_text="/search").filter(has_text="Opens")
    expect(search.first).to_contain_text("on iOS 14 and later")
    expect(outcomes.filter(has_text="on iOS 9 to 12")).to_have_count(0)
    expect(dashboard.dialog).to_contain_text("Compared for iOS 14 and later and iOS 9 to 12.")
    expect(items(dashboard, "Other changes")).to_have_text(
        ["The rules for iOS 9 to 12 change."]
    )
    assert dashboard.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_a_change_on_old_systems_only_names_them(waymark, dashboard, old_and_new):
    waymark.put_draft(old_and_new, draft(([SHOP], [rule("/buy/*")]), compatibility="ios13"))
    dashboard.open_domain(old_and_new, "versions")
    dashboard.press("Publish…", exact=True)
    change = items(dashboard, "URLs whose result changes").filter(has_text="/buy/x ")
    expect(change.first).to_contain_text("on iOS 9 to 12")
    expect(change.first).to_contain_text("before: Opens Shop → now: No app opens it")
    expect(items(dashboard, "Other changes")).to_have_text(["The rules for iOS 9 to 12 change."])


def test_a_long_value_is_shortened(dashboard, changed_draft):
    values = [f"value-{number}" for number in range(5_000)]
    answering(dashboard, DIFFERENCE | {"variables": [{"name": "long", "before": None, "after": values}]})
    dashboard.open_domain(changed_draft, "versions")
    dashboard.press("Publish…", exact=True)
    variable = items(dashboard, "Other changes").filter(has_text="$(long)")
    expect(variable).to_contain_text("value-1\"")
    expect(variable).to_contain_text("…")
    assert len(variable.text_content()) < 400
