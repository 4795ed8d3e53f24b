"""The page that shows every shared component, in both schemes."""

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, low_contrast, overflow
from installation import REPOSITORY


@pytest.fixture
def guide(new_validator):
    def opened(**settings):
        validator = new_validator(**settings)
        validator.page.goto(f"{validator.url}/styleguide")
        expect(validator.page.get_by_role("heading", name="Dark", exact=True)).to_be_visible()
        return validator.page

    return opened


@pytest.mark.parametrize("width", [360, 1440])
def test_every_component_fits_and_is_readable_in_both_schemes(guide, width):
    page = guide(width=width)
    assert overflow(page) <= 0
    assert low_contrast(page) == []
    assert page.evaluate(NAMELESS) == []
    ids = page.evaluate("() => [...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert sorted(set(ids)) == sorted(ids)


def test_the_schemes_differ_side_by_side(guide):
    backgrounds = guide().locator("[data-theme] .panel").evaluate_all(
        "panels => panels.map((panel) => getComputedStyle(panel).backgroundColor)"
    )
    assert len(set(backgrounds)) == 2


def test_no_page_links_to_it():
    pages = [*(REPOSITORY / "public").rglob("*.html"), *(REPOSITORY / "public/scripts").rglob("*.js")]
    assert [page for page in pages if "/styleguide" in page.read_text() and page.stem != "styleguide"
            and "styles/pages/styleguide" not in page.read_text()] == []
