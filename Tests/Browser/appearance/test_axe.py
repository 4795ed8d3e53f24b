"""Every page, dialog, menu and form without a violation that axe finds."""

import pytest
from playwright.sync_api import expect

from checks import violations
from showcase import showcase
from views import Views

MEMBERS = ["/", "/apps", "/schedules", "/releases", "/events", "/people", "/approvals", "/account"]
PARTS = ["/domain/rules", "/domain/tests", "/domain/versions", "/domain/serving", "/domain/settings", "/publish"]
EVERYONE = ["/validate", "/finding", "/finding?code=WM020", "/api", "/api#createPublication", "/api#problems"]
ARRIVALS = ["/sign-in", "/sign-in/return?error=access_denied", "/sign-up", "/sign-up#unknown", "/password-reset", "/password-reset#unknown"]
OTHERS = ["/invitation", "/invitation#unknown", "/styleguide", "/no/such/page"]


def settled(page):
    expect(page.locator(".loading:visible")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


@pytest.mark.parametrize("paths", [MEMBERS, PARTS], ids=["of-an-organization", "of-a-domain"])
def test_pages_of_members(dashboard, published, paths):
    for path in paths:
        dashboard.open(path, **({"host": published} if path in PARTS else {}))
        settled(dashboard.page)
        assert violations(dashboard.page) == [], path


@pytest.mark.parametrize("paths", [EVERYONE, ARRIVALS, OTHERS], ids=["tools", "arrivals", "others"])
def test_public_pages(validator, paths):
    for path in paths:
        validator.page.goto("about:blank")
        validator.page.goto(validator.url + path)
        settled(validator.page)
        assert violations(validator.page) == [], path


@pytest.fixture(scope="module")
def scene(waymark):
    return showcase(waymark, "typical")


@pytest.mark.parametrize("path", sorted({path for path, *_ in Views(None).openings()}))
def test_every_dialog_menu_and_form_of(path, scene, new_dashboard):
    dashboard = new_dashboard(scene.slug)
    for name, show in Views(dashboard, scene.host, scene.app).dialogs(of=path):
        show()
        assert violations(dashboard.page) == [], name


def test_the_finder_without_results(dashboard, host):
    dashboard.open_domain(host)
    dashboard.page.keyboard.press("Control+k")
    dashboard.page.get_by_role("combobox", name="Find").fill("nothing has this name")
    expect(dashboard.dialog.get_by_role("status")).to_have_text("Nothing found.")
    assert violations(dashboard.page) == []
