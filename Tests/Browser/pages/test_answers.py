"""Each act gives one answer. Results that only follow it are silent, unless they become worse."""

import re

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from hearing import hear, listen

BUY = {"url": "/buy/1", "expected": {"outcome": "opens", "app": SHOP}}


@pytest.fixture
def opened(waymark, dashboard, host):
    """The rules of a domain that has a test. The tester shows a result of the first rule."""
    assert waymark.api("POST", f"/v1/domains/{host}/tests", BUY).status_code == 201
    listen(dashboard)
    dashboard.open_domain(host)
    dashboard.ask("/nothing")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    said = hear(dashboard, lambda: (dashboard.ask("/buy/1"), expect(dashboard.verdict).to_contain_text("Opens Shop")))
    assert said == ["Opens Shop Rule 1 (/buy/*) is the first rule that matches."]
    return dashboard


def test_an_edit_says_what_it_did_and_then_only_what_became_worse(opened):
    def delete():
        opened.press("Delete rule 1, /buy/*")
        expect(opened.verdict).to_contain_text("No app opens it")
        link = opened.page.get_by_role("navigation", name="Parts of this page").get_by_role("link", name="Tests")
        expect(link).to_have_text("Tests 1 failing")

    def undo():
        opened.press("Undo", exact=True)
        expect(opened.verdict).to_contain_text("Opens Shop")
        expect(opened.page.get_by_text("1 failing")).to_be_hidden()

    assert hear(opened, delete) == ["Rule /buy/* deleted from the draft. Undo", "Tests 1 failing"]
    assert hear(opened, undo) == ["Undone: rule /buy/* deleted."]


def test_a_moved_rule_gives_one_answer(opened):
    def move():
        opened.choose(2, "Move up")
        expect(opened.verdict).to_contain_text("Rule 2 (/buy/*)")

    assert hear(opened, move) == ["Moved: /help/website/* is now rule 1 of 3."]


def test_a_changed_test_gives_one_answer(opened):
    opened.open_part("Tests")
    region = opened.page.get_by_role("region", name="Tests")
    expect(region).to_contain_text("The test passes.")

    def add():
        opened.press("Add a test")
        opened.type("URL or path", "/buy/2", within=region)
        opened.press("Save test", within=region)
        expect(region).to_contain_text("All 2 tests pass.")

    def delete():
        opened.press("Delete the test of /buy/2")
        expect(region).to_contain_text("The test passes.")

    def run():
        opened.press("Run again")
        opened.page.wait_for_function("heard.length")

    assert hear(opened, add) == ["Test saved."]
    assert hear(opened, delete) == ["Test of /buy/2 deleted. Undo"]
    assert hear(opened, run) == ["The test passes."]


def test_filtered_rules_are_counted_aloud(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule(f"/{number}/*") for number in range(9)])))
    listen(dashboard)
    dashboard.open_domain(host)
    field = dashboard.page.get_by_role("searchbox", name="Filter the rules")
    count = dashboard.page.get_by_text("1 of 9 rules")
    assert hear(dashboard, lambda: (field.fill("/7"), expect(count).to_be_visible())) == ["1 of 9 rules"]


def test_a_publication_is_read_out_without_its_steps(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    listen(dashboard)
    dashboard.open_review(published)

    def publish():
        dashboard.press("Publish", exact=True)
        expect(dashboard.progress).to_contain_text("Version 2 has reached the edge")

    said = hear(dashboard, publish)
    assert [text for text in said if "is live" in text] == [said[-1]]
    assert not [text for text in said if "the edge" in text]


def test_the_choice_of_a_release_says_the_result_of_the_checks(waymark, dashboard, apps):
    label = waymark.new_host("brand").split(".")[0]
    for _ in range(2):
        waymark.new_domain(draft(([SHOP], [rule("/new/*")])), labels=[label])
    listen(dashboard)
    dashboard.open("/releases")
    dashboard.page.get_by_role("link", name="New release…").click()

    def choose():
        dashboard.page.get_by_role("combobox", name="Label").fill(label)
        expect(dashboard.footer).to_contain_text("All checks pass on 2 domains.")
        expect(dashboard.page.get_by_text("2 domains change in the same way.")).to_be_visible()

    # The footer may also say what it waits for: before the choice, and while the domains are compared.
    said = set(hear(dashboard, choose)) - {"Checking…", "Choose the domains to see their changes and checks."}
    assert said == {"2 domains with this label.", "All checks pass on 2 domains."}


def test_a_bulk_run_is_read_out_at_its_end(waymark, slug, new_dashboard):
    dashboard = new_dashboard(slug)
    token = waymark.token(organization=slug)
    for _ in range(2):
        waymark.new_domain(token=token)
    listen(dashboard)
    dashboard.open("/")
    dashboard.page.get_by_role("checkbox", name="Select all shown domains").check()
    dashboard.press("Run tests")
    expect(dashboard.dialog.get_by_role("status")).to_have_text("Done: 2 domains.")
    said = dashboard.page.evaluate("heard")
    assert [text for text in said if re.search(r"\d+ of|Done", text)] == ["Done: 2 domains."]
