"""Nothing that a user types is lost: by Escape, by leaving, without the network, without a session, or by a click."""

import re
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import expect

from dashboard import until


# Whether the browser would ask before it leaves the page.
LEAVING = "!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"
FILE = '{"applinks": {"details": [{"appIDs": ["TESTTEAM01.com.example.shop"], "components": [{"/": "/typed/*"}]}]}}'


@dataclass
class Form:
    path: str
    opener: str | None  # the button that opens it
    texts: dict  # by label
    submit: str
    sends: str  # the end of the address that it sends to
    saved: str  # what the page shows then
    query: dict = field(default_factory=dict)


def forms(host, new_host):
    domain = {"query": {"host": host}}
    return {
        "add a domain": Form("/", "Add domain", {"Host": new_host}, "Add domain", "/domains", new_host),
        "a schedule": Form(
            "/schedules",
            "New schedule…",
            {"Name": f"typed {new_host}", "Domain": host},
            "Create schedule",
            "/schedules",
            f"typed {new_host}",
        ),
        "an app": Form(
            "/apps",
            "Add app…",
            {"Bundle ID": f"com.{new_host}", "Name": "Typed"},
            "Add app",
            "/apps",
            f"com.{new_host}",
        ),
        "an import": Form(
            "/domain/rules", "Import a file…", {"The file’s text": FILE}, "Import", "/import", "Imported", **domain
        ),
        "a rule": Form("/domain/rules", "Add a rule", {"Path": "/typed"}, "Save rule", "/rules", "/typed", **domain),
        "a test": Form(
            "/domain/tests", "Add a test", {"URL or path": "/typed/1"}, "Save test", "/tests", "/typed/1", **domain
        ),
        "labels": Form(
            "/domain/settings", None, {"Labels, separated": "typed"}, "Save", f"/{host}", "Labels saved", **domain
        ),
        "a review": Form(
            "/publish", None, {"Message": "typed"}, "Publish", "/publications", "Version 1 is live", **domain
        ),
    }


def show(dashboard, form):
    dashboard.open(form.path, **form.query)
    expect(dashboard.page.locator(".loading:visible")).to_have_count(0)
    if form.opener:
        dashboard.press(form.opener, exact=True)
    for name, text in form.texts.items():
        entry(dashboard, name).fill(text)


def entry(dashboard, name):
    fields = dashboard.page.locator("textarea, input:not([type=radio], [type=checkbox])")
    return dashboard.page.get_by_label(name).and_(fields).locator("visible=true").first


def expect_kept(dashboard, form):
    for name, text in form.texts.items():
        expect(entry(dashboard, name)).to_have_value(text)


@pytest.mark.parametrize("name", forms("", ""))
def test_a_form_survives_an_outage_a_signed_out_session_and_a_double_click(
    waymark, new_dashboard, session_of, host, name
):
    form = forms(host, waymark.new_host("typed"))[name]
    dashboard = new_dashboard()
    page, context = dashboard.page, dashboard.page.context
    show(dashboard, form)
    # Its page restores its input.
    if name != "a review":
        assert page.evaluate(LEAVING)
    submit = page.get_by_role("button", name=form.submit, exact=True).locator("visible=true").last

    context.set_offline(True)
    submit.click()
    alert = page.get_by_role("alert").filter(visible=True)
    expect(alert.filter(has_text="does not answer").first).to_be_visible()
    expect_kept(dashboard, form)
    context.set_offline(False)

    context.clear_cookies()
    submit.click()
    expect(alert.filter(has_text="You are signed out").first).to_be_visible()
    expect_kept(dashboard, form)
    context.add_cookies(session_of(waymark.organization))

    sent = []
    page.route(re.compile(rf"{re.escape(form.sends)}(\?(?!.*dryRun).*)?$"), lambda route: hold(route, sent))
    submit.dblclick()
    until(page, lambda: sent)
    sent[0].continue_()
    expect(page.get_by_text(form.saved).locator("visible=true").first).to_be_visible()
    if name != "add a domain":
        until(page, lambda: not page.evaluate(LEAVING))
    assert len(sent) == 1


def hold(route, sent):
    """Holds what changes something, so that the second click comes before the answer."""
    if route.request.method == "GET":
        route.continue_()
    else:
        sent.append(route)


@pytest.mark.parametrize("name", ["add a domain", "a schedule", "an import"])
def test_escape_asks_before_a_dialog_with_typed_text_closes(dashboard, host, name):
    form = forms(host, "typed.example")[name]
    show(dashboard, form)
    dialogs = dashboard.page.get_by_role("dialog")
    dashboard.page.keyboard.press("Escape")
    expect(dialogs.last).to_contain_text("Discard your changes?")
    dashboard.page.keyboard.press("Escape")
    expect(dialogs).to_have_count(1)
    expect_kept(dashboard, form)
    dashboard.page.keyboard.press("Escape")
    expect(dialogs).to_have_count(2)
    dashboard.press("Cancel", within=dialogs.last)
    expect(dialogs).to_have_count(1)
    expect_kept(dashboard, form)
    dashboard.page.keyboard.press("Escape")
    dashboard.press("Discard", within=dialogs.last)
    expect(dialogs).to_have_count(0)
    dashboard.press(form.opener, exact=True)
    dashboard.page.keyboard.press("Escape")
    expect(dialogs).to_have_count(0)


def test_the_tester_keeps_its_urls_on_the_way_to_another_page_and_back(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/typed/here")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    dashboard.review()
    dashboard.page.get_by_role("link", name=host).click()
    expect(dashboard.page.get_by_role("textbox", name="URLs, one per line")).to_have_value("/typed/here")
    expect(dashboard.verdict).to_contain_text("No app opens it")
