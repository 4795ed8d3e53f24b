"""A wrong address answers a browser with a page, and a program with a problem."""

import httpx
from playwright.sync_api import expect


def test_a_user_at_a_wrong_address_gets_a_page_with_links(waymark, dashboard):
    answer = dashboard.page.goto(f"{waymark.url}/no/such/page")
    assert answer.status == 404
    expect(dashboard.page.get_by_role("heading", name="Page not found")).to_be_visible()
    dashboard.page.get_by_role("link", name="All domains").click()
    expect(dashboard.page.get_by_role("button", name="Sign out")).to_be_visible()


def test_a_program_gets_a_problem_and_so_does_a_browser_below_the_api(waymark):
    page = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path, headers in (("/no/such/page", {}), ("/v1/no/such/path", page)):
        answer = httpx.get(waymark.url + path, headers=headers)
        assert answer.status_code == 404, path
        assert answer.headers["Content-Type"] == "application/problem+json", path
    assert httpx.head(f"{waymark.url}/no/such/page", headers=page).status_code == 404
    assert httpx.post(f"{waymark.url}/no/such/page", headers=page).headers["Content-Type"] == "application/problem+json"
