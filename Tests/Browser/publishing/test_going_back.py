"""Back restores the loaded rows and the scroll position."""

import re

import pytest
from playwright.sync_api import expect

from schedules import Organization


@pytest.fixture(scope="module")
def many(waymark):
    """An organization with more domains than the list shows at first."""
    organization = Organization(waymark)
    for number in range(70):
        body = {"host": f"d{number:02}-{organization.slug}.example"}
        assert organization.api("POST", "/v1/domains", body).status_code == 201
    return organization


def domains(page):
    return page.get_by_role("table", name="Domains").locator(".domain-row")


def acts(page):
    return page.get_by_role("list", name=re.compile("^Events of")).locator(":scope > li")


@pytest.mark.parametrize(
    "path, rows_of, more", [("/", domains, "Show more"), ("/events", acts, "Load older events")]
)
def test_back_restores_the_loaded_rows_and_the_scroll_position(new_dashboard, many, path, rows_of, more):
    board = new_dashboard(many.slug)
    board.open(path)
    rows = rows_of(board.page)
    expect(rows.nth(9)).to_be_attached()
    first = rows.count()
    board.page.get_by_role("button", name=more).click()
    expect(rows.nth(first)).to_be_attached()
    board.page.wait_for_timeout(500)
    total = rows.count()
    link = rows.nth(total - 5).get_by_role("link").first
    host = link.text_content()
    link.click()
    expect(board.page.get_by_role("heading", level=1)).to_have_text(host)
    board.page.go_back()
    expect(rows).to_have_count(total)
    expect(rows.nth(total - 5)).to_be_in_viewport()
    expect(rows.nth(total - 5).get_by_role("link").first).to_be_focused()
