"""The page "Your account", and the confirmation before changes of access."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from checks import low_contrast, overflow, violations
from dashboard import Dashboard

PASSWORD = "correct pony staple wagon"
OTHER = "another staple wagon pony"


def opened(dashboard, path="/account"):
    dashboard.open(path)
    expect(dashboard.page.locator(".loading:visible")).to_have_count(0)
    return dashboard


def set_password(dashboard, password=PASSWORD):
    dashboard.page.get_by_label("New password").fill(password)
    dashboard.page.get_by_role("button", name=re.compile("^(Set|Change) password$")).click()
    expect(dashboard.page.get_by_label("New password")).to_have_value("")
    expect(dashboard.announcement).to_contain_text("Password saved.")


def sessions(dashboard):
    return dashboard.page.get_by_role("list", name="Sessions").get_by_role("listitem")


@pytest.fixture
def owner(slug, new_dashboard):
    return opened(new_dashboard(slug))


@pytest.fixture
def elsewhere(waymark, slug, new_context, new_dashboard):
    """Signs the owner in from another browser."""

    def sign_in(password=PASSWORD):
        tab = new_dashboard(slug, context=new_context())
        tab.page.goto(f"{waymark.url}/sign-in")
        tab.type("E-mail address", f"owner@{slug}.example")
        tab.page.get_by_label("Password", exact=True).fill(password)
        tab.press("Sign in", exact=True)
        expect(tab.page.get_by_role("button", name="Account")).to_be_visible()
        return tab

    return sign_in


def test_a_name_and_a_password_are_set(waymark, slug, owner, elsewhere):
    page = owner.page
    assert violations(page) == [] and low_contrast(page) == []
    expect(page.get_by_label("E-mail address")).to_have_value(f"owner@{slug}.example")
    owner.type("Name", "")
    owner.press("Save name")
    expect(page.get_by_text("Enter your name.")).to_be_visible()
    owner.type("Name", "Olga Owner")
    owner.press("Save name")
    expect(owner.announcement).to_contain_text("Name saved.")
    owner.press("Account")
    expect(page.locator("#account-menu")).to_contain_text("Olga Owner")
    expect(page.get_by_role("link", name="Your account")).to_have_attribute("aria-current", "page")
    page.keyboard.press("Escape")

    expect(page.get_by_text("You have no password yet.")).to_be_visible()
    expect(page.get_by_label("New password")).to_have_attribute("autocomplete", "new-password")
    page.get_by_label("New password").fill("password1234")
    owner.press("Set password")
    expect(page.get_by_text("must be harder to guess")).to_be_visible()
    assert violations(page) == []
    set_password(owner)
    expect(page.get_by_text("You have no password yet.")).to_be_hidden()
    expect(page.get_by_label("New password")).to_have_value("")
    tab = elsewhere()
    set_password(owner, OTHER)
    tab.page.reload()
    expect(tab.page.get_by_role("heading", name="Sign in")).to_be_visible()
    elsewhere(OTHER)


def test_a_session_is_ended_from_another_browser(slug, owner, elsewhere):
    set_password(owner)
    tabs = [elsewhere() for _ in range(3)]
    owner.page.reload()
    expect(sessions(owner)).to_have_count(4)
    own = sessions(owner).filter(has_text="This session")
    expect(own).to_have_count(1)
    expect(own.get_by_role("button")).to_have_count(0)
    for words in ("Chrome on Linux", "127.0.0.1", "Last used ", "Signed in "):
        expect(sessions(owner).filter(has_text="Chrome").first).to_contain_text(words)
    assert violations(owner.page) == [] and low_contrast(owner.page) == []

    # The session that was used last is the first one.
    sessions(owner).get_by_role("button", name="Sign out Chrome on Linux").first.click()
    expect(owner.announcement).to_contain_text("Chrome on Linux signed out.")
    expect(sessions(owner)).to_have_count(3)
    owner.press("Sign out everywhere else")
    expect(owner.announcement).to_contain_text("Signed out everywhere else.")
    expect(sessions(owner)).to_have_count(1)
    expect(owner.page.get_by_role("button", name="Sign out everywhere else")).to_have_count(0)
    for tab in tabs:
        tab.page.reload()
        expect(tab.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_the_first_page_of_an_owner_without_a_password_says_so(owner):
    owner.open("/")
    link = owner.page.get_by_role("link", name="Set a password")
    link.click()
    expect(owner.page.get_by_role("heading", name="Your account")).to_be_visible()
    set_password(owner)
    owner.open("/")
    expect(owner.page.get_by_role("heading", level=1)).to_have_text("Add your first domain")
    expect(link).to_have_count(0)


def test_a_narrow_page_by_keyboard(slug, new_dashboard):
    owner = opened(new_dashboard(slug, width=390, color_scheme="dark"))
    page, keyboard = owner.page, owner.page.keyboard
    assert overflow(page) <= 0 and violations(page) == [] and low_contrast(page) == []
    page.get_by_label("New password").focus()
    keyboard.type(PASSWORD)
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(page.get_by_label("New password")).to_have_attribute("type", "text")
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(owner.announcement).to_contain_text("Password saved.")
    keyboard.press("Control+k")
    keyboard.type("profile")
    expect(owner.dialog.get_by_role("option", selected=True)).to_have_text("Your account")


@pytest.fixture
def aged(external, new_context):
    """A Waymark whose owner has a session, and a function that makes all confirmations old."""
    waymark, cluster = external
    owner = Dashboard(new_context().new_page(), waymark.url, waymark.organization)

    def age():
        cluster.sql("update sessions set confirmed_at = now() - interval '11 minutes'")
        # The service keeps a session for up to a second.
        owner.page.wait_for_timeout(1_500)

    owner.page.goto(waymark.sign_in_link())
    expect(owner.page.get_by_role("button", name="Account")).to_be_visible()
    yield waymark, owner, age
    assert owner.complaints == []


def test_an_old_session_asks_for_the_password_and_keeps_what_was_typed(aged):
    waymark, owner, age = aged
    page = owner.page
    opened(owner)
    set_password(owner)
    opened(owner, "/people")
    age()
    owner.press("Create token…")
    owner.type("Name", "CI of the shop", within=owner.dialog)
    owner.press("Create token", exact=True, within=owner.dialog)
    confirmation = page.get_by_role("dialog", name="Confirm that it is you")
    expect(confirmation.get_by_label("Password", exact=True)).to_be_focused()
    assert violations(page) == [] and low_contrast(page) == []

    # Cancelling changes nothing and loses nothing.
    owner.press("Cancel", within=confirmation)
    expect(owner.dialog).to_contain_text("Nothing changed. Try again, and confirm that it is you.")
    expect(owner.dialog.get_by_label("Name")).to_have_value("CI of the shop")
    owner.press("Create token", exact=True, within=owner.dialog)
    confirmation.get_by_label("Password", exact=True).fill("wrong pony staple wagon")
    owner.press("Confirm", exact=True, within=confirmation)
    expect(confirmation).to_contain_text("The password is wrong.")
    before = page.context.cookies()
    confirmation.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(owner.dialog.get_by_role("heading", name="Token CI of the shop created")).to_be_visible()
    owner.press("Done")
    # The session has a new secret, and the old one has ended.
    [(name, old)] = [(cookie["name"], cookie["value"]) for cookie in before]
    assert page.context.cookies()[0]["value"] != old
    assert httpx.get(f"{waymark.url}/v1/me", cookies={name: old}).status_code == 401

    age()
    owner.press("Invite people…")
    owner.type("E-mail addresses", "ada@new.example\ngrace@new.example", within=owner.dialog)
    owner.press("Invite", exact=True, within=owner.dialog)
    confirmation.get_by_label("Password", exact=True).fill(PASSWORD)
    owner.press("Confirm", exact=True, within=confirmation)
    expect(owner.dialog.get_by_role("heading", name="2 people invited")).to_be_visible()
    owner.press("Done")
    owner.press("Withdraw the invitation of ada@new.example…")
    owner.press("Withdraw", exact=True, within=owner.dialog)
    # Confirmed for ten minutes.
    expect(owner.announcement).to_contain_text("withdrawn")


def test_a_user_without_a_password_confirms_by_a_new_link(aged):
    waymark, owner, age = aged
    page = opened(owner).page
    age()
    page.get_by_label("New password").fill(PASSWORD)
    owner.press("Set password")
    confirmation = page.get_by_role("dialog", name="Confirm that it is you")
    expect(confirmation).to_contain_text("waymark user sign-in-link owner@")
    assert violations(page) == [] and low_contrast(page) == []
    confirmation.get_by_label("Sign-in link").fill("nonsense")
    owner.press("Confirm", exact=True, within=confirmation)
    expect(confirmation).to_contain_text("Ask for a new one.")
    confirmation.get_by_label("Sign-in link").fill(waymark.sign_in_link())
    owner.press("Confirm", exact=True, within=confirmation)
    expect(owner.announcement).to_contain_text("Password saved.")
    expect(page.get_by_text("You have no password yet.")).to_be_hidden()
