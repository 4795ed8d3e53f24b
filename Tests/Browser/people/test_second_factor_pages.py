"""A second factor in the browser: a user scans the code, signs in with it, and an owner requires it of all members."""

import io
import re

import pyotp
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from checks import fits
from confirming import once_unconfirmed
from dashboard import Dashboard

PASSWORD = "correct pony staple wagon"


def section(window):
    return window.page.get_by_role("region", name="Authenticator app")


def scanned(window):
    """The address in the QR code, read from the picture."""
    picture = window.dialog.get_by_role("img", name="QR code with the secret").screenshot()
    [found] = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))
    return found.text


def recovery_codes(window):
    return window.dialog.get_by_role("list", name="Recovery codes").get_by_role("listitem").all_inner_texts()


def set_up(window):
    """Sets up a second factor. Returns the app and the recovery codes."""
    section(window).get_by_role("button", name="Set up…").click()
    app = pyotp.parse_uri(scanned(window))
    window.type("Code of the app", "000000", within=window.dialog)
    window.press("Turn on", within=window.dialog)
    expect(window.dialog.get_by_text("must be the newest code of the app")).to_be_visible()
    fits(window)
    window.type("Code of the app", app.now(), within=window.dialog)
    window.press("Turn on", within=window.dialog)
    expect(window.page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    fits(window)
    codes = recovery_codes(window)
    window.press("I have saved them", within=window.dialog)
    expect(section(window).get_by_text("10 recovery codes left.")).to_be_visible()
    return app, codes


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_user_sets_up_a_second_factor_and_signs_in_with_it(slug, new_member, new_context, width, scheme):
    ada = new_member(slug, "Ada", "editor", width=width, color_scheme=scheme)
    ada.open("/account")
    ada.page.get_by_label("New password").fill(PASSWORD)
    ada.press("Set password")
    expect(ada.page.get_by_role("button", name="Change password")).to_be_visible()
    fits(ada)
    email = ada.page.get_by_label("E-mail address").input_value()
    _, codes = set_up(ada)
    assert len(codes) == 10
    fits(ada)

    guest = Dashboard(new_context(width=width, color_scheme=scheme).new_page(), ada.url, None)
    guest.page.goto(f"{ada.url}/sign-in")
    guest.type("E-mail address", email)
    guest.page.get_by_role("textbox", name="Password").fill(PASSWORD)
    guest.press("Sign in")
    expect(guest.page.get_by_label("Code", exact=True)).to_be_focused()
    expect(guest.page.get_by_role("textbox", name="Password")).to_be_hidden()
    fits(guest)
    guest.press("Sign in")
    expect(guest.page.get_by_text("Enter a code.", exact=True)).to_be_visible()
    guest.type("Code", "abcd-abcd-abcd-abcd")
    guest.press("Sign in")
    expect(guest.page.get_by_text("The code is wrong, too old or already used.")).to_be_visible()
    fits(guest)
    guest.type("Code", codes[0])
    guest.press("Sign in")
    guest.page.wait_for_url(re.compile(r"/(\?|$)"))
    assert guest.complaints == []

    ada.page.reload()
    expect(section(ada).get_by_text("9 recovery codes left.")).to_be_visible()
    section(ada).get_by_role("button", name="New recovery codes…").click()
    ada.press("Make new codes", within=ada.dialog)
    expect(ada.page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    codes = recovery_codes(ada)
    ada.press("I have saved them", within=ada.dialog)
    expect(section(ada).get_by_text("10 recovery codes left.")).to_be_visible()
    # A code confirms as well as the password.
    ada.page.route("**/v1/me/second-factor", once_unconfirmed())
    section(ada).get_by_role("button", name="Remove…").click()
    ada.press("Remove", within=ada.dialog)
    expect(ada.dialog.get_by_label("Password", exact=True)).to_be_focused()
    ada.press("Use a code instead", within=ada.dialog)
    expect(ada.dialog.get_by_label("Password", exact=True)).to_be_hidden()
    ada.press("Confirm", exact=True, within=ada.dialog)
    expect(ada.dialog).to_contain_text("Enter a code.")
    ada.press("Use your password instead", within=ada.dialog)
    expect(ada.dialog).not_to_contain_text("Enter a code.")
    ada.press("Use a code instead", within=ada.dialog)
    expect(ada.dialog.get_by_label("Code", exact=True)).to_be_focused()
    fits(ada)
    ada.type("Code", codes[0], within=ada.dialog)
    ada.press("Confirm", exact=True, within=ada.dialog)
    expect(section(ada).get_by_text("Off.")).to_be_visible()
    fits(ada)


def test_an_owner_requires_a_second_factor_of_all_members(slug, new_member):
    owner, editor = new_member(slug, "Ada", "owner"), new_member(slug, "Grace", "editor")
    owner.open("/people")
    rule = owner.page.get_by_label("Require a second factor of all members")
    grace = owner.page.get_by_role("list", name="Members").get_by_role("listitem").filter(has_text="Grace")
    expect(grace.get_by_text("No second factor")).to_be_visible()
    rule.click()
    expect(owner.dialog.get_by_text("Grace")).to_be_visible()
    owner.press("Require", within=owner.dialog)
    expect(owner.page.get_by_text("You have no second factor yourself.")).to_be_visible()
    expect(rule).not_to_be_checked()
    fits(owner)
    owner.open("/account")
    set_up(owner)
    owner.open("/people")
    rule.click()
    owner.press("Require", within=owner.dialog)
    expect(rule).to_be_checked()
    expect(grace.get_by_text("No second factor")).to_be_visible()
    fits(owner)
    # Other members are sent to their account first.
    editor.page.goto(f"{editor.url}/?organization={slug}")
    editor.page.wait_for_url(re.compile("/account"))
    expect(section(editor).get_by_text("requires a second factor")).to_be_visible()
    fits(editor)
    set_up(editor)
    editor.open("/")
    expect(editor.page.get_by_role("heading", name="Add your first domain")).to_be_visible()
    owner.page.reload()
    expect(grace.get_by_text("No second factor")).to_be_hidden()
    rule.click()
    expect(rule).not_to_be_checked()
