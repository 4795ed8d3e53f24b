"""The start page: the health of each domain, what needs attention, and the order of the list."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, low_contrast, overflow
from installation import eventually
from overview import BUY, HELP, WRONG, Overview, hosts, row, rows


@pytest.fixture
def overview(waymark, new_dashboard):
    return Overview(waymark, new_dashboard)


def test_a_row_shows_the_state_the_chain_and_the_health(overview):
    live = overview.domain("live", tests=[BUY], publish=True)
    wrong = overview.domain("wrong", WRONG)
    overview.checked()
    board = overview.open()
    first = row(board, live)
    expect(first).to_contain_text("Live")
    expect(first).to_contain_text("v1 just now")
    expect(first.get_by_title(re.compile("^Apps: "))).to_have_text("com.example.shop")
    expect(first).to_contain_text(re.compile(r"(No problems|warnings?) · 1 test passed"))
    expect(first.get_by_role("img", name="The draft is live, without unpublished changes.")).to_be_visible()
    expect(first.get_by_role("img", name="Every edge and directory serves the live version.")).to_be_visible()
    expect(row(board, wrong)).to_contain_text("Nothing live")
    expect(row(board, wrong)).to_contain_text(re.compile("[0-9] errors?"))
    row(board, wrong).get_by_role("link", name=f"Fix the rules: {wrong}").click()
    board.page.wait_for_url(re.compile(r"/domain/rules\?"))
    board.page.go_back()
    expect(board.page.get_by_text("2 domains", exact=True)).to_be_visible()


def test_a_publication_that_will_be_suspended_is_no_good_news(overview):
    host = overview.domain("late", publish=True)
    later = (datetime.now(UTC) + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    for path, body in (("/x", {"at": later}), ("/y", {"override": True, "reason": "now"})):
        overview.waymark.api("POST", f"/v1/domains/{host}/rules", {"path": path}, {"If-Match": "*"}, token=overview.token)
        assert overview.api("POST", f"/v1/domains/{host}/publications", body).status_code == 202
    eventually(lambda: overview.api("GET", f"/v1/domains/{host}").json()["live"]["version"] == 3)
    board = overview.open()
    expect(row(board, host)).to_contain_text("Version 2 will be suspended")
    expect(row(board, host).get_by_role("link", name="Review the version")).to_be_visible()
    board.page.route("**/v1/publications?*", lambda route: route.abort())
    with board.page.expect_event("requestfailed", lambda request: "/v1/publications?" in request.url):
        board.page.get_by_role("searchbox", name="Search by name").fill("late")
    board.page.wait_for_timeout(300)
    expect(row(board, host)).to_contain_text("Version 2 will be suspended")


def test_what_needs_attention_comes_first_with_the_next_step(overview):
    overview.domain("fine", tests=[BUY])
    failing = overview.domain("failing", tests=[BUY, HELP])
    overview.domain("wrong", WRONG)
    overview.checked(count=2)
    board = overview.open()
    expect(board.page.get_by_role("rowheader", name="Needs attention")).to_be_visible()
    expect(board.page.get_by_text("2 need attention")).to_be_visible()
    expect(rows(board)).to_have_count(3)
    expect(rows(board).nth(0)).to_contain_text(re.compile("[0-9] errors?"))
    expect(rows(board).nth(1)).to_contain_text("1 of 2 tests fail")
    board.page.get_by_role("link", name=f"Open the tests: {failing}").click()
    board.page.wait_for_url(re.compile(r"/domain/tests\?"))


def test_an_organization_without_problems_is_reported_as_fine(overview):
    overview.domain("a", tests=[BUY], publish=True)
    overview.domain("b")
    overview.checked(count=0)
    board = overview.open()
    expect(board.page.get_by_text("No problems", exact=True).first).to_be_visible()
    expect(board.page.get_by_role("rowheader", name="Needs attention")).to_be_hidden()


def test_a_draft_that_nobody_has_edited_is_not_a_problem(waymark, overview):
    fresh = waymark.new_domain(token=overview.token)
    wrong = overview.domain("wrong", WRONG)
    overview.checked(count=1)
    board = overview.open()
    assert hosts(board) == [wrong, fresh]
    expect(board.page.get_by_role("rowheader", name="All other domains")).to_be_visible()
    expect(row(board, fresh)).to_contain_text("No rules yet")
    board.page.get_by_role("combobox", name="Sort by").select_option("Problems first")
    expect(rows(board).first).to_contain_text(wrong)
    board.page.get_by_role("button", name="1 needs attention").click()
    expect(rows(board)).to_have_count(1)
    assert hosts(board) == [wrong] and "problem=any" in board.page.url
    expect(board.page.get_by_role("combobox", name="Health")).to_be_focused()
    waymark.api("DELETE", f"/v1/domains/{wrong}", token=overview.token)
    overview.checked(count=0)
    board = overview.open()
    expect(board.page.get_by_text("No problems", exact=True).first).to_be_visible()
    expect(board.page.get_by_role("rowheader", name="Needs attention")).to_be_hidden()


def test_the_list_is_narrowed_to_problems_and_sorted_and_the_address_keeps_both(overview):
    overview.domain("a")
    failing = overview.domain("b", tests=[HELP])
    wrong = overview.domain("c", WRONG)
    overview.checked(count=2)
    board = overview.open()
    board.page.get_by_role("combobox", name="Sort by").select_option("Problems first")
    expect(rows(board).first).to_contain_text(wrong)
    board.page.get_by_role("combobox", name="Health").select_option("Failing tests (1)")
    expect(rows(board)).to_have_count(1)
    assert hosts(board) == [failing]
    assert "problem=tests" in board.page.url and "sort=problems" in board.page.url
    expect(board.page.get_by_role("rowheader", name="Needs attention")).to_be_hidden()
    board.page.reload()
    expect(rows(board)).to_have_count(1)
    board.page.get_by_role("combobox", name="Health").select_option("Any health")
    expect(rows(board)).to_have_count(3)


def test_a_row_changes_when_another_user_publishes(overview):
    host = overview.domain("shop")
    board = overview.open()
    expect(row(board, host)).to_contain_text("Nothing live")
    overview.waymark.publish(host, token=overview.token)
    expect(row(board, host)).to_contain_text("v1 just now")
    expect(board.page.get_by_role("heading", level=1)).to_have_text("Domains")


def test_a_draft_that_is_being_checked_says_so_until_it_is_checked(overview):
    host = overview.domain("shop", tests=[BUY])
    overview.checked()
    board = overview.new_dashboard(overview.slug)
    hidden = {"on": True}

    def unchecked(route):
        body = route.fetch().json()
        if hidden["on"]:
            body["items"] = [{**item, "checks": None} for item in body["items"]]
        route.fulfill(json=body)

    board.page.route("**/v1/domains?*", unchecked)
    board.open("/")
    expect(row(board, host)).to_contain_text("checking…")
    hidden["on"] = False
    expect(row(board, host)).to_contain_text("1 test passed")


def test_starred_domains_come_first_and_stay_there(overview):
    for name in ("a", "b"):
        overview.domain(name)
    starred = overview.domain("c")
    board = overview.open()
    board.press(f"Star {starred}")
    expect(board.page.get_by_role("button", name=f"Remove the star of {starred}")).to_have_attribute(
        "aria-pressed", "true"
    )
    board.page.reload()
    expect(board.page.get_by_role("rowheader", name="Starred", exact=True)).to_be_visible()
    expect(rows(board)).to_have_count(3)
    assert hosts(board)[0] == starred
    board.press(f"Remove the star of {starred}")
    board.page.reload()
    expect(rows(board)).to_have_count(3)
    expect(board.page.get_by_role("rowheader", name="Starred", exact=True)).to_be_hidden()
    assert hosts(board)[2] == starred


def test_recently_used_domains_come_first_in_a_long_list(overview):
    names = [f"site-{number:02}" for number in range(16)]
    made = [overview.domain(name) for name in names]
    board = overview.open("/domain", {"host": made[9]})
    board.open("/")
    expect(board.page.get_by_role("rowheader", name="Recently used")).to_be_visible()
    expect(rows(board)).to_have_count(16)
    assert hosts(board)[0] == made[9]
    row(board, made[3]).get_by_role("link").click()
    board.page.wait_for_url(re.compile(r"/domain"))
    board.page.go_back()
    expect(rows(board)).to_have_count(16)
    assert hosts(board)[0] == made[9], "Back shows the same rows in the same order"


def test_labels_are_suggested(overview):
    overview.domain("a", labels=["brand-acme", "europe"])
    board = overview.open()
    board.page.get_by_role("combobox", name="Label").fill("bra")
    options = board.page.locator("#label-suggestions option")
    expect(options).to_have_count(1)
    expect(options).to_have_attribute("value", "brand-acme")


def test_back_returns_to_the_same_rows_and_place_of_a_long_list(overview):
    for number in range(1_000):
        overview.domain(f"site-{number:04}", content=None, labels=["even" if number % 2 == 0 else "odd"])
    board = overview.open()
    expect(board.page.get_by_text("1,000 domains", exact=True)).to_be_visible()
    board.page.get_by_role("combobox", name="Label").fill("odd")
    expect(board.page.get_by_text("500 domains", exact=True)).to_be_visible()
    for count in (100, 150):
        board.press("Show more")
        expect(rows(board)).to_have_count(count)
    followed = rows(board).nth(130).get_by_role("rowheader").get_by_role("link")
    followed.scroll_into_view_if_needed()
    board.page.wait_for_timeout(300)
    host, top = followed.inner_text(), board.page.evaluate("scrollY")
    assert top > 1_000
    followed.click()
    expect(board.page.get_by_role("heading", level=1)).to_have_text(host)
    board.page.go_back()
    expect(rows(board)).to_have_count(150)
    expect(board.page.get_by_role("link", name=host, exact=True)).to_be_focused()
    assert abs(board.page.evaluate("scrollY") - top) < 2
    assert "label=odd" in board.page.url


@pytest.mark.parametrize("width", [320, 360, 768, 1216, 1440, 2560])
def test_the_list_fits_and_is_readable(overview, width):
    long = "a-very-long-name-of-a-host-that-goes-on-and-on"
    overview.domain(long, WRONG, tests=[HELP], labels=["staging", "a-label-that-is-long", "brand-acme", "europe"])
    live = overview.domain("live", publish=True)
    assert overview.api("POST", "/v1/domains", {"host": f"alias.{live}", "aliasOf": live}).status_code == 201
    overview.checked(count=1)
    board = overview.open(width=width)
    board.page.get_by_role("checkbox", name=f"Select {live}", exact=True).check()
    expect(rows(board)).to_have_count(3)
    if width >= 768:
        board.press("2 more labels: brand-acme and europe", within=row(board, rows(board).nth(0).get_attribute("data-key")))
    assert overflow(board.page) <= 0
    assert low_contrast(board.page) == []
    assert board.page.evaluate(NAMELESS) == []
    heights = [box.bounding_box()["height"] for box in rows(board).all()]
    assert max(heights) <= (44 if width >= 1216 else 136), heights
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    if width < 768:
        assert rows(board).locator(".health").evaluate_all(cut) == []
