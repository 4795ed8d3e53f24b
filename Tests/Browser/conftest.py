"""Fixtures for tests that open the pages of a running Waymark in Chromium."""

import os
import re
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from dashboard import HELP, SHOP, Dashboard, draft, rule
from validator import Validator

# The time limit for each action and expectation, in milliseconds. It is long because a machine may be slow.
PATIENCE = 60_000

# Prefer the headless shell, because the full browser itself uses as much processor time as our pages.
CHROMIUM = os.environ.get("WAYMARK_CHROMIUM") or next(
    filter(None, map(shutil.which, ["chromium-headless-shell", "chromium", "google-chrome"])), None
)


@pytest.fixture(scope="session")
def chromium():
    if not CHROMIUM:
        pytest.exit("there is no chromium: install it, or name it by WAYMARK_CHROMIUM", returncode=3)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        # As root, Chromium runs only without its sandbox. This is safe, because it opens only our own pages.
        arguments = ["--no-sandbox", "--disable-gpu", "--process-per-site"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


def opened(chromium, width=1440, height=900, color_scheme="light", **more):
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme=color_scheme, reduced_motion="reduce", **more
    )
    context.set_default_timeout(PATIENCE)
    return context


@pytest.fixture
def new_context(chromium):
    """Creates separate browser contexts, for example with `new_context(width=360, color_scheme="dark")`."""
    contexts = []

    def make(**settings):
        contexts.append(opened(chromium, **settings))
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def usual_context(chromium, waymark):
    """A browser context of the usual size. All tests share it, so that scripts and styles stay in its cache. Its first
    page stays open and keeps Chromium's process for the site, because a new process for each test is slow."""
    context = opened(chromium)
    context.new_page().goto(f"{waymark.url}/readyz")
    return context


@pytest.fixture
def context(usual_context):
    """The shared browser context. After each test, its pages, cookies and stored data are removed."""
    yield usual_context
    for page in usual_context.pages[1:]:
        if page.url.startswith("http"):
            page.evaluate("localStorage.clear()")
        page.close()
    usual_context.clear_cookies()
    usual_context.clear_permissions()
    usual_context.set_offline(False)
    usual_context.unroute_all()


@pytest.fixture(scope="session")
def session_of(waymark):
    """Returns the session cookies of an organization's owner. Each owner signs in only once."""
    sessions = {}

    def cookies(organization):
        if organization not in sessions:
            sessions[organization] = [
                {"name": name, "value": value, "url": waymark.url}
                for name, value in waymark.sign_in(organization).items()
            ]
        return sessions[organization]

    return cookies


@pytest.fixture
def new_dashboard(waymark, new_context, context, session_of):
    """Opens dashboards in tabs with a signed-in owner. The test fails if a tab reports a complaint, such as an error or
    a violation of the page's policy."""
    dashboards = []
    usual = context

    def make(organization=None, context=None, **settings):
        organization = organization or waymark.organization
        if context is None:
            # The first dashboard uses the shared context. Later ones, and those with settings, get their own.
            context = new_context(**settings) if settings or usual.pages[1:] else usual
            context.add_cookies(session_of(organization))
        dashboard = Dashboard(context.new_page(), waymark.url, organization)
        dashboards.append(dashboard)
        return dashboard

    yield make
    assert [complaint for dashboard in dashboards for complaint in dashboard.complaints] == []


@pytest.fixture
def new_member(waymark, new_context, new_dashboard):
    """Adds people to an organization: `new_member(slug, "Ada", "publisher", width=390)`. Returns their dashboards."""

    def make(slug, name, role, **settings):
        options = ("--organization", slug, "--role", role, "--name", name)
        added = waymark.cli("user", "add", f"{name.split()[0].lower()}@{slug}.example", *options)
        answer = waymark.client.post("/v1/session", json={"code": re.search(r"/sign-in#(\S+)", added.stdout)[1]})
        cookies = [{"name": key, "value": value, "url": waymark.url} for key, value in answer.cookies.items()]
        waymark.client.cookies.clear()
        context = new_context(base_url=waymark.url, **settings)
        context.add_cookies(cookies)
        return new_dashboard(slug, context=context)

    return make


@pytest.fixture
def slug(waymark):
    """The short name of a new organization."""
    return waymark.create_organization()


@pytest.fixture
def dashboard(new_dashboard):
    return new_dashboard()


@pytest.fixture
def new_validator(waymark, new_context, context):
    """Opens the public validator in tabs, without signing in. The test fails if a tab reports a complaint."""
    validators = []

    def make(**settings):
        page = (new_context(**settings) if settings or context.pages[1:] else context).new_page()
        validators.append(Validator(page, waymark.url, organization=None))
        return validators[-1].open()

    yield make
    assert [complaint for validator in validators for complaint in validator.complaints] == []


@pytest.fixture
def validator(new_validator):
    return new_validator()


@pytest.fixture(scope="session")
def apps(waymark):
    """Two registered apps: "Shop" and "Help"."""
    waymark.api("POST", "/v1/teams", {"teamID": "TESTTEAM01", "name": "Test Team"})
    for app, name in ((SHOP, "Shop"), (HELP, "Help")):
        answer = waymark.api("POST", "/v1/apps", {"teamID": app[:10], "bundleID": app[11:], "name": name})
        assert answer.status_code == 201, answer.text
    return SHOP, HELP


@pytest.fixture
def host(waymark, apps):
    """A domain with one app and three rules."""
    rules = [rule("/buy/*"), rule("/help/website/*", exclude=True), rule("/help/*", query={"articleNumber": "????"})]
    return waymark.new_domain(draft(([SHOP], rules)))


@pytest.fixture
def published(waymark, host):
    """The host of the fixture `host`, after its first version went live."""
    waymark.publish(host)
    return host
