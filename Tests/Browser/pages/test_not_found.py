"""A wrong address answers a browser with a page, and a program with a problem."""

import re

import httpx
import pytest
from playwright.sync_api import expect


def test_a_user_at_a_wrong_address_gets_a_page_with_links(waymark, dashboard):
    answer = dashboard.page.goto(f"{waymark.url}/no/such/page")
    assert answer.status == 404
    expect(dashboard.page.get_by_role("heading", name="Page not found")).to_be_visible()
    expect(dashboard.page.get_by_role("main")).to_contain_text("No page exists at /no/such/page.")
    expect(dashboard.page.get_by_text("Did you mean")).to_be_hidden()
    dashboard.page.get_by_role("link", name="All domains").click()
    expect(dashboard.page.get_by_role("heading", name=re.compile("^(Domains|Add your first domain)$"))).to_be_visible()


@pytest.mark.parametrize("typed, meant", [("/schedule", "/schedules"), ("/Domains", "/"), ("/openapi", "/api")])
def test_a_slip_leads_to_the_page_that_was_meant(waymark, dashboard, typed, meant):
    dashboard.open("/events")
    dashboard.page.goto(f"{waymark.url}{typed}")
    link = dashboard.page.get_by_text("Did you mean").get_by_role("link")
    expect(link).to_have_attribute("href", f"{meant}?organization={dashboard.organization}")


def test_a_host_as_the_address_leads_to_its_domain(waymark, dashboard, host):
    dashboard.open("/events")
    dashboard.page.goto(f"{waymark.url}/{host}")
    dashboard.page.get_by_text("Did you mean").get_by_role("link").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(host)


def test_a_page_is_found_from_the_page_that_was_not(waymark, dashboard):
    dashboard.page.goto(f"{waymark.url}/no/such/page")
    dashboard.press("Find a page…")
    expect(dashboard.page.get_by_role("combobox")).to_be_focused()


def test_a_program_gets_a_problem_and_so_does_a_browser_below_the_api(waymark):
    page = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path, headers in (("/no/such/page", {}), ("/v1/no/such/path", page)):
        answer = httpx.get(waymark.url + path, headers=headers)
        assert answer.status_code == 404, path
        assert answer.headers["Content-Type"] == "application/problem+json", path
    assert httpx.head(f"{waymark.url}/no/such/page", headers=page).status_code == 404
    assert httpx.post(f"{waymark.url}/no/such/page", headers=page).headers["Content-Type"] == "application/problem+json"
