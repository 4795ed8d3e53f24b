"""Selecting domains on the start page, and acting on all of them."""

import re

import pytest
from playwright.sync_api import expect

from checks import low_contrast
from dashboard import SHOP, draft, rule
from overview import BUY, HELP, Overview, rows


@pytest.fixture
def overview(waymark, new_dashboard):
    return Overview(waymark, new_dashboard)


def select(board, host, **how):
    board.page.get_by_role("checkbox", name=f"Select {host}", exact=True).click(**how)


def selected(board):
    return board.page.locator(".domain-row input:checked")


def labels(overview, host):
    return overview.api("GET", f"/v1/domains/{host}").json()["labels"]


def change_label(board, name, label):
    board.press(f"{name}…")
    board.dialog.get_by_role("combobox", name="Label").fill(label)
    board.press(name, exact=True, within=board.dialog)
    expect(board.dialog.get_by_role("button", name="Close")).to_be_visible()


def test_a_click_with_shift_selects_the_rows_between(overview):
    made = [overview.domain(f"site-{number}", content=None) for number in range(5)]
    board = overview.open()
    select(board, made[1])
    select(board, made[3], modifiers=["Shift"])
    expect(selected(board)).to_have_count(3)
    expect(board.page.get_by_text("3 selected")).to_be_visible()
    board.press("Clear", exact=True)
    expect(selected(board)).to_have_count(0)
    expect(board.page.get_by_text("5 domains", exact=True)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_badge_of_a_selected_row_keeps_its_shape(overview, scheme):
    host = overview.domain("site", publish=True)
    overview.waymark.put_draft(host, draft(([SHOP], [rule("/new/*")])), token=overview.token)
    board = overview.open(color_scheme=scheme)
    select(board, host)
    badge = rows(board).locator(".badge", has_text="Unpublished changes")
    colors = badge.evaluate(
        "badge => [badge, badge.closest('.domain-row')].map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert colors[0] != colors[1]
    assert low_contrast(board.page) == []


def test_all_matching_domains_are_selected_even_those_that_are_not_shown(overview):
    for number in range(53):
        overview.domain(f"site-{number:02}", content=None, labels=["site"])
    overview.domain("other", content=None)
    board = overview.open(query={"label": "site"})
    board.page.get_by_role("checkbox", name="Select all shown domains").check()
    expect(board.page.get_by_text("50 selected")).to_be_visible()
    board.press("Select all 53 matching")
    expect(board.page.get_by_text("53 selected")).to_be_visible()
    board.press("Publish…", exact=True)
    board.page.wait_for_url(re.compile(r"/publish\?.*label=site"))


def test_a_label_is_added_to_all_selected_domains_and_removed_again(overview):
    made = [overview.domain(f"site-{number}", content=None, labels=["kept"]) for number in range(3)]
    board = overview.open()
    board.page.get_by_role("checkbox", name="Select all shown domains").check()
    select(board, made[2])
    change_label(board, "Add label", "winter")
    expect(board.dialog.get_by_role("status")).to_have_text("Done: 2 domains.")
    board.press("Close", within=board.dialog)
    assert [sorted(labels(overview, host)) for host in made] == [["kept", "winter"], ["kept", "winter"], ["kept"]]
    expect(rows(board).nth(0)).to_contain_text("winter")
    expect(selected(board)).to_have_count(2)
    change_label(board, "Remove label", "winter")
    board.press("Close", within=board.dialog)
    assert [labels(overview, host) for host in made] == [["kept"]] * 3


def test_a_domain_that_fails_is_listed_and_the_others_are_changed(overview):
    full = overview.domain("full", content=None, labels=[f"label-{number}" for number in range(20)])
    other = overview.domain("other", content=None)
    board = overview.open()
    board.page.get_by_role("checkbox", name="Select all shown domains").check()
    change_label(board, "Add label", "winter")
    expect(board.dialog.get_by_role("status")).to_have_text("Done: 2 domains, 1 failed.")
    results = board.dialog.get_by_role("list", name="Results").get_by_role("listitem")
    expect(results.first).to_contain_text(full)
    assert labels(overview, other) == ["winter"]


def test_the_tests_of_all_selected_domains_are_run(overview):
    overview.domain("a", tests=[BUY])
    failing = overview.domain("b", tests=[BUY, HELP])
    overview.domain("c")
    board = overview.open()
    board.page.get_by_role("checkbox", name="Select all shown domains").check()
    board.press("Run tests")
    expect(board.dialog.get_by_role("status")).to_have_text("Done: 3 domains, 1 failed.")
    results = board.dialog.get_by_role("list", name="Results").get_by_role("listitem")
    expect(results.first).to_have_text(f"{failing} 1 of 2 tests fail")
    expect(results.filter(has_text="1 test passed")).to_have_count(1)
    expect(results.filter(has_text="No tests")).to_have_count(1)
    results.first.get_by_role("link").click()
    board.page.wait_for_url(re.compile(r"/domain/tests\?"))


def test_a_run_can_be_stopped_and_says_how_far_it_got(overview):
    for number in range(6):
        overview.domain(f"site-{number}", tests=[BUY])
    board = overview.open()
    held = []
    board.page.route("**/test-runs", lambda route: held.append(route))
    board.page.get_by_role("checkbox", name="Select all shown domains").check()
    board.press("Run tests")
    board.press("Stop", within=board.dialog)
    expect(board.dialog.get_by_role("status")).to_have_text("Stopped after 0 of 6 domains.")
    assert len(held) <= 3


def test_the_selection_survives_a_visit_of_a_domain(overview):
    made = [overview.domain(f"site-{number}", content=None) for number in range(3)]
    board = overview.open()
    select(board, made[0])
    select(board, made[2])
    board.page.get_by_role("table", name="Domains").get_by_role("link", name=made[1], exact=True).click()
    board.page.wait_for_url(re.compile(r"/domain"))
    board.page.go_back()
    expect(selected(board)).to_have_count(2)
    expect(board.page.get_by_text("2 selected")).to_be_visible()
    board.press("Publish…", exact=True)
    board.page.wait_for_url(re.compile(rf"/publish\?.*host={re.escape(made[0])}&host={re.escape(made[2])}"))


def test_a_viewer_can_only_run_tests(overview):
    host = overview.domain("a", tests=[BUY])
    board = overview.new_dashboard(overview.slug)

    def as_viewer(route):
        me = route.fetch().json()
        me["organizations"] = [{**organization, "role": "viewer"} for organization in me["organizations"]]
        route.fulfill(json=me)

    board.page.route("**/v1/me", as_viewer)
    board.open("/")
    select(board, host)
    expect(board.page.get_by_role("button", name="Run tests")).to_be_visible()
    for name in ("Add label…", "Remove label…", "Publish…"):
        expect(board.page.get_by_role("button", name=name)).to_be_hidden()
