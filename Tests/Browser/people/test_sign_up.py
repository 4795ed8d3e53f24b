"""Visitors create accounts and organizations in the browser, with a real mail server."""

import re

import pytest
from playwright.sync_api import expect

from checks import fits
from dashboard import Dashboard
from mail_server import code

PASSWORD = "correct pony staple wagon"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_visitor_creates_an_account_and_an_organization(mailing, new_window, width, scheme):
    email = f"visitor-{width}@example.com"
    visitor = new_window(width=width, color_scheme=scheme)
    visitor.page.goto(f"{mailing.url}/sign-in")
    visitor.page.get_by_role("link", name="Create one").click()
    visitor.press("Send the link")
    expect(visitor.page.get_by_text("Enter your e-mail address.", exact=True)).to_be_visible()
    fits(visitor)
    visitor.type("E-mail address", email)
    visitor.press("Send the link")
    expect(visitor.page.get_by_role("heading", name="Look at your mail")).to_be_focused()
    fits(visitor)
    there = f"{mailing.url}/sign-up#{code(mailing.server.next_to(email))}"
    visitor.page.goto("about:blank")
    visitor.page.goto(there)
    visitor.press("Create account")
    expect(visitor.page.get_by_text("Enter your name.", exact=True)).to_be_visible()
    fits(visitor)
    visitor.type("Your name", "Grace Hopper")
    visitor.page.get_by_role("textbox", name="New password").fill(PASSWORD)
    visitor.press("Create account")
    visitor.page.wait_for_url(re.compile("/account"))
    organizations = visitor.page.get_by_role("region", name="Organizations")
    expect(organizations.get_by_text("You belong to no organization yet.")).to_be_visible()
    fits(visitor)
    # Signing in again leads there too.
    again = new_window(width=width, color_scheme=scheme)
    again.page.goto(f"{mailing.url}/sign-in")
    again.type("E-mail address", email)
    again.page.get_by_role("textbox", name="Password").fill(PASSWORD)
    again.press("Sign in", exact=True)
    again.page.wait_for_url(re.compile("/account"))
    organizations.get_by_role("button", name="New organization…").click()
    visitor.type("Name", f"Söhne & Co {width}", within=visitor.dialog)
    expect(visitor.dialog.get_by_label("Short name")).to_have_value(f"sohne-co-{width}")
    fits(visitor)
    visitor.type("Short name", "acme", within=visitor.dialog)
    visitor.press("Create", within=visitor.dialog)
    expect(visitor.dialog.get_by_text("This short name is taken.")).to_be_visible()
    visitor.type("Short name", f"sohne-co-{width}", within=visitor.dialog)
    visitor.press("Create", within=visitor.dialog)
    expect(visitor.page.get_by_role("heading", name="Add your first domain")).to_be_visible()
    visitor.page.goto(f"{mailing.url}/account?organization=sohne-co-{width}")
    link = organizations.get_by_role("link", name=f"Söhne & Co {width}")
    expect(link).to_have_attribute("href", f"/?organization=sohne-co-{width}")
    fits(visitor)

    late = new_window()
    late.page.goto(there)
    late.type("Your name", "Eve")
    late.page.get_by_role("textbox", name="New password").fill(PASSWORD)
    late.press("Create account")
    expect(late.page.get_by_text("This link has been used already or has expired.")).to_be_visible()


def test_the_pages_offer_no_accounts_if_the_operator_does_not_allow_them(waymark, new_context):
    visitor = Dashboard(new_context().new_page(), waymark.url, None)
    visitor.page.goto(f"{waymark.url}/sign-in")
    expect(visitor.page.get_by_text("Ask the operator of this Waymark.")).to_be_visible()
    expect(visitor.page.get_by_role("link", name="Create one")).to_be_hidden()
    expect(visitor.page.get_by_role("link", name="Forgot your password?")).to_be_hidden()
    visitor.page.goto(f"{waymark.url}/sign-up")
    visitor.type("E-mail address", "grace@example.com")
    visitor.press("Send the link")
    expect(visitor.page.get_by_text("people join by invitation")).to_be_visible()
