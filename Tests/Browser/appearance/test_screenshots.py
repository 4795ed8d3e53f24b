"""Pictures of every page and dialog, to look at. They are taken only if WAYMARK_SCREENSHOTS names a folder for them.

A page that is wider than its window, and an error in the browser's console, fail the test after all pictures.
"""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Error

from checks import overflow
from dashboard import Dashboard
from showcase import showcase
from views import Views

FOLDER = os.environ.get("WAYMARK_SCREENSHOTS")
TALLEST = 2_400  # pixels of a page in its picture

pytestmark = pytest.mark.skipif(not FOLDER, reason="WAYMARK_SCREENSHOTS names no folder")


@pytest.fixture(scope="module", params=["empty", "blank", "typical", "full"])
def scene(request, waymark):
    found = showcase(waymark, request.param)
    found.kind = request.param
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1440, 2560])
def test_pictures(waymark, new_context, session_of, scene, width, scheme):
    context = new_context(width=width, height=800 if width < 1000 else 1000, color_scheme=scheme)
    context.add_cookies(session_of(scene.slug))
    context.set_default_timeout(10_000)
    dashboard = Dashboard(context.new_page(), waymark.url, scene.slug)
    folder = Path(FOLDER, scene.kind)
    folder.mkdir(parents=True, exist_ok=True)
    faults = []
    for name, show in shown(Views(dashboard, scene.host, scene.app), scene.kind):
        try:
            show()
        except Error as error:
            faults.append(f"{name} does not open: {error.message}")
        if overflow(dashboard.page) > 0:
            faults.append(f"{name} is too wide")
        faults += [f"{name}: {complaint}" for complaint in dashboard.complaints]
        dashboard.complaints.clear()
        # A dialog is at its place in the window, not on the page.
        is_dialog = dashboard.dialog.count()
        height = min(dashboard.page.evaluate("document.documentElement.scrollHeight"), TALLEST)
        clip = {} if is_dialog else {"full_page": True, "clip": {"x": 0, "y": 0, "width": width, "height": height}}
        dashboard.page.screenshot(path=folder / f"{name.replace(' ', '-')}-{width}-{scheme}.png", **clip)
    assert faults == []


def shown(views, kind):
    if kind == "empty":
        return [*views.lists(), *views.public()]
    if kind == "blank":
        return views.of_domain()
    return [*views.lists(), *views.of_domain(), *views.others(), *views.dialogs()]
