"""Back restores the loaded rows and the scroll position."""

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


@pytest.mark.parametrize("path, name", [("/", "Domains"), ("/events", "Events")])
def test_back_restores_the_loaded_rows_and_the_scroll_position(new_dashboard, many, path, name):
    board = new_dashboard(many.slug)
    board.open(path)
    rows = board.page.get_by_role("list", name=name, exact=True).locator(":scope > li")
    expect(rows).to_have_count(50)
    board.page.get_by_role("button", name="Show").last.click()
    expect(rows).not_to_have_count(50)
    total = rows.count()
    link = rows.nth(64).get_by_role("link").first
    host = link.text_content()
    link.click()
    expect(board.page.get_by_role("heading", level=1)).to_have_text(host)
    board.page.go_back()
    expect(rows).to_have_count(total)
    expect(rows.nth(64)).to_be_in_viewport()
    expect(rows.nth(64).get_by_role("link").first).to_be_focused()
