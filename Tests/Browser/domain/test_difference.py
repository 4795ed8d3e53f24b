"""The changes of a publication, by meaning: the URLs whose result changes, by rule, then the rules and the lines. The answers are made here in the
shape of the contract, so that the page shows every kind of change.
"""

import pytest
from playwright.sync_api import expect

from dashboard import HELP, SHOP, draft, rule


def verdict(outcome, app=None, index=None):
    decided_by = None if index is None else f"/applinks/details/0/components/{index}"
    return {"outcome": outcome, "app": app, "decidedBy": decided_by}


def outcome(url, before, after, given=False, apps=()):
    return {"url": url, "given": given, "os": "ios14", "before": before, "after": after, "apps": list(apps)}


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
        outcome("/gifts/1", verdict("none"), verdict("opens", SHOP, 0)),
        outcome("/gifts/2", verdict("none"), verdict("opens", SHOP, 0)),
        outcome("/help/website/1", verdict("excluded", None, 1), verdict("none"), given=True),
        outcome(
            "/buy/1",
            verdict("opens", SHOP, 0),
            verdict("opens", SHOP, 2),
            apps=[{"app": HELP, "before": verdict("none"), "after": verdict("opens", HELP)}],
        ),
        outcome("/old/1", verdict("opens", SHOP, 3), verdict("none")),
    ],
    "urls": {"tried": 40, "given": 1, "changed": 5},
    "systems": ["ios14"],
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

    dashboard.page.route("**/draft/diff*", answer)
    dashboard.page.route("**/versions/*/diff?*", answer)
    return asked


def items(dashboard, name):
    return dashboard.page.get_by_role("list", name=name, exact=True).locator(":scope > li")


def test_the_review_groups_the_urls_by_the_rule_that_changes_them_losses_first(dashboard, changed_draft):
    answering(dashboard, DIFFERENCE)
    dashboard.open_review(changed_draft)
    expect(dashboard.page.get_by_text("3 of 40 sample URLs change where they open.")).to_be_visible()
    expect(dashboard.page.get_by_text("Waymark made these URLs from the rules.")).to_be_visible()
    expect(dashboard.footer).to_contain_text("All 7 checks pass.")
    expect(dashboard.footer).not_to_contain_text("sample URL")
    kept = dashboard.page.get_by_text("2 sample URLs open where they did, for another reason.")
    expect(kept).to_be_hidden()
    expect(items(dashboard, "More links that change")).to_have_count(0)
    dashboard.page.get_by_text("2 rules without an effect on the outcome").click()
    expect(kept).to_be_visible()
    expect(items(dashboard, "More links that change")).to_have_count(2)
    lists = [items(dashboard, name).all_inner_texts() for name in ("Links that change", "More links that change")]
    assert [" ".join(text.split()) for text in sum(lists, [])] == [
        "Changed Opens /new/*?id=?* Shop 1 sample URL that opened Shop now opens in the browser. /old/1",
        "Added Opens /gifts/* Shop 2 sample URLs that opened in the browser now open Shop. /gifts/1 and 1 more",
        "Removed Stays on the web /help/website/* Shop "
        "1 sample URL still opens in the browser, now because no rule matches. /help/website/1 saved test",
        "Moved Opens /buy/* Shop 1 sample URL still opens Shop. Help: no rule matches, now a rule matches. /buy/1",
    ]
    folded = dashboard.page.get_by_text("/gifts/2")
    expect(folded).to_be_hidden()
    dashboard.page.get_by_text("and 1 more").click()
    expect(folded).to_be_visible()


def test_the_review_folds_the_rules_and_the_lines(dashboard, changed_draft):
    answering(dashboard, DIFFERENCE)
    dashboard.open_review(changed_draft)
    expect(dashboard.page.get_by_role("list", name="Changed rules")).to_be_hidden()
    summary = "4 rule changes: 1 added, 1 removed, 1 moved, 1 changed. 1 rule written differently with the same meaning."
    dashboard.page.get_by_text(summary).click()
    expect(items(dashboard, "Changed rules")).to_have_text(
        [
            "AddedOpens /gifts/* Shop",
            "RemovedStays on the web /help/website/* Shop",
            "MovedOpens /buy/* ShopFrom place 1 to place 3.",
            'ChangedOpens /new/*?id=?* ShopPath: /old/*, now /new/*. Query: not set, now {"id":"?*"}.',
        ]
    )
    expect(items(dashboard, "Other changes")).to_have_text(
        ["Apps added: Help.", "webcredentials: Shop added.", '$(food): not set, now ["sushi"].']
    )
    expect(dashboard.page.get_by_label("Changed lines")).to_be_hidden()
    dashboard.page.get_by_text("Compared with the live file").click()
    expect(dashboard.page.get_by_label("Changed lines")).to_contain_text("/gifts/*")


def test_a_difference_without_effect_says_so(dashboard, changed_draft):
    answering(dashboard, SAME)
    dashboard.open_review(changed_draft)
    expect(dashboard.page.get_by_text("No sample URL changes its outcome.", exact=True)).to_be_visible()
    expect(dashboard.page.get_by_text("No rule changes its meaning.")).to_be_visible()


def test_without_a_comparison_by_meaning_the_text_is_compared(dashboard, changed_draft):
    absent = {"status": 404, "code": "not_found", "detail": "There is no such route."}
    dashboard.page.route("**/draft/diff*", lambda route: route.fulfill(status=404, json=absent))
    dashboard.open_review(changed_draft)
    expect(dashboard.page.get_by_label("Changed lines")).to_contain_text("/gifts/*")
    expect(dashboard.page.get_by_role("list", name="Links that change")).to_be_hidden()


def test_many_rules_with_an_effect_are_folded(waymark, dashboard, changed_draft):
    waymark.put_draft(changed_draft, draft(([SHOP], [rule(f"/path-{number}/*") for number in range(30)])))
    dashboard.open_review(changed_draft)
    expect(items(dashboard, "Links that change")).to_have_count(10)
    dashboard.page.get_by_text("more rules with an effect").click()
    expect(dashboard.page.get_by_role("list", name="More links that change")).to_contain_text("/path-29/*")


def test_an_old_version_is_compared_with_the_live_one(waymark, dashboard, changed_draft):
    waymark.publish(changed_draft)
    asked = answering(dashboard, DIFFERENCE)
    dashboard.open_domain(changed_draft, "versions")
    dashboard.press("Compare version 1 with another")
    expect(dashboard.dialog.get_by_role("heading", name="Changes in version 1")).to_be_visible()
    expect(dashboard.dialog.get_by_label("Compare with").locator("option:checked")).to_have_text("Version 2 (live)")
    dashboard.dialog.get_by_text("4 rule changes").click()
    expect(items(dashboard, "Changed rules")).to_have_count(4)
    dashboard.dialog.get_by_text("Compared with version 2").click()
    removed = dashboard.dialog.get_by_label("Changed lines").locator("[data-change=removed]")
    expect(removed.filter(has_text="/gifts/*")).to_have_count(1)
    assert [address.rpartition("/versions/")[2] for address in asked] == ["1/diff?from=2"]
    dashboard.press("Close", within=dashboard.dialog)
    dashboard.review(version=1)
    expect(items(dashboard, "Links that change")).to_have_count(2)


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
    dashboard.dialog.get_by_text("rule changes:").click()
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
    dashboard.open_review(old_and_new)
    outcomes = items(dashboard, "Links that change")
    expect(outcomes.filter(has_text="/gifts/*")).to_contain_text("that opened in the browser now open Shop.")
    search = outcomes.filter(has_text="/search?q=*")
    expect(search).to_contain_text("now open Shop on iOS 14 and later.")
    expect(outcomes.filter(has_text="on iOS 9 to 12")).to_have_count(0)
    expect(dashboard.page.get_by_text("Compared for iOS 14 and later and iOS 9 to 12.")).to_be_visible()
    expect(items(dashboard, "Other changes")).to_have_text(
        ["The rules for iOS 9 to 12 change."]
    )
    assert dashboard.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_a_change_on_old_systems_only_names_them(waymark, dashboard, old_and_new):
    waymark.put_draft(old_and_new, draft(([SHOP], [rule("/buy/*")]), compatibility="ios13"))
    dashboard.open_review(old_and_new)
    change = items(dashboard, "Links that change").filter(has_text="/buy/*")
    expect(change).to_contain_text("that opened Shop now open in the browser on iOS 9 to 12.")
    expect(items(dashboard, "Other changes")).to_have_text(["The rules for iOS 9 to 12 change."])


def test_a_long_value_is_shortened(dashboard, changed_draft):
    values = [f"value-{number}" for number in range(5_000)]
    answering(dashboard, DIFFERENCE | {"variables": [{"name": "long", "before": None, "after": values}]})
    dashboard.open_review(changed_draft)
    variable = items(dashboard, "Other changes").filter(has_text="$(long)")
    expect(variable).to_contain_text("value-1\"")
    expect(variable).to_contain_text("…")
    assert len(variable.text_content()) < 400
