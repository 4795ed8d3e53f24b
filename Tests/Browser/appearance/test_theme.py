"""The theme: the system's, light or dark. It is there from the first paint."""

import re

import pytest
from playwright.sync_api import expect

LUMINANCE = """() => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return (red + green + blue) / 3;
}"""


def is_dark(page):
    return page.evaluate(LUMINANCE) < 60


def choose(dashboard, name):
    dashboard.press("Account")
    dashboard.page.get_by_role("radio", name=name).check()
    dashboard.page.keyboard.press("Escape")


@pytest.mark.parametrize("system, theme", [("light", "Dark"), ("dark", "Light")])
def test_the_chosen_theme_wins_over_the_system_and_stays(new_dashboard, system, theme):
    dashboard = new_dashboard(color_scheme=system)
    dashboard.open("/events")
    assert is_dark(dashboard.page) == (system == "dark")
    choose(dashboard, theme)
    assert is_dark(dashboard.page) == (theme == "Dark")
    dashboard.open("/")
    assert is_dark(dashboard.page) == (theme == "Dark")
    dashboard.page.goto(f"{dashboard.url}/sign-in")
    assert is_dark(dashboard.page) == (theme == "Dark")
    dashboard.open("/events")
    dashboard.press("Account")
    expect(dashboard.page.get_by_role("radio", name=theme)).to_be_checked()
    dashboard.page.get_by_role("radio", name="System").check()
    assert is_dark(dashboard.page) == (system == "dark")


def test_the_first_paint_has_the_theme(new_dashboard):
    """The page has its colors and its navigation even if no module ever runs."""
    dashboard = new_dashboard(color_scheme="light")
    dashboard.open("/events")
    choose(dashboard, "Dark")
    dashboard.page.route(re.compile(r"/scripts/pages/"), lambda route: route.abort())
    dashboard.page.goto(f"{dashboard.url}/validate")
    assert is_dark(dashboard.page)
    expect(dashboard.page.get_by_role("link", name="Schedules")).to_be_visible()
    expect(dashboard.page.get_by_role("link", name="Findings")).to_be_hidden()


def test_other_tabs_follow(new_dashboard):
    first = new_dashboard(color_scheme="light")
    first.open("/events")
    second = new_dashboard(context=first.page.context)
    second.open("/apps")
    choose(first, "Dark")
    expect(second.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert is_dark(second.page)
