"""The page "People" as users see it."""

from playwright.sync_api import expect


def opened(dashboard):
    """Opens the page. Returns the dashboard."""
    dashboard.open("/people")
    expect(dashboard.page.locator(".loading:visible")).to_have_count(0)
    return dashboard


def row(dashboard, name, of="API tokens"):
    """The entry of a list that has this text. `of` is the list's name, such as "Members"."""
    return dashboard.page.get_by_role("list", name=of, exact=True).get_by_role("listitem").filter(has_text=name)
