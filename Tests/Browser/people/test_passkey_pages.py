"""Passkeys in the browser, with Chromium's virtual authenticator: added, used to sign in and to confirm, removed."""

import re

import pytest
from playwright.sync_api import expect

from checks import fits
from confirming import once_unconfirmed
from dashboard import Dashboard

PASSWORD = "correct pony staple wagon"


@pytest.fixture
def address(waymark):
    """The dashboard at a name, because passkeys do not work at an IP address."""
    return waymark.url.replace("127.0.0.1", "localhost")


@pytest.fixture
def window(waymark, address, new_context):
    """Opens a window with an authenticator that belongs to it."""
    windows = []

    def make(**settings):
        page = new_context(**settings).new_page()
        page.authenticator = page.context.new_cdp_session(page)
        page.authenticator.send("WebAuthn.enable")
        page.authenticator.send(
            "WebAuthn.addVirtualAuthenticator",
            {
                "options": {
                    "protocol": "ctap2",
                    "transport": "internal",
                    "hasResidentKey": True,
                    "hasUserVerification": True,
                    "isUserVerified": True,
                }
            },
        )
        windows.append(Dashboard(page, address, waymark.organization))
        return windows[-1]

    yield make
    assert [complaint for each in windows for complaint in each.complaints] == []


@pytest.fixture
def ada(waymark, address, window):
    def make(**settings):
        board = window(**settings)
        email = f"passkey-{settings.get('width', 0)}@acme.example"
        link = waymark.cli("user", "add", email, "--organization", waymark.organization, "--role", "admin").stdout.strip()
        board.page.goto(f"{address}/sign-in#{link.rpartition('#')[2]}")
        board.page.wait_for_url(re.compile(r"/(\?|$)"))
        board.open("/account")
        board.email = email
        return board

    return make


def section(board):
    return board.page.get_by_role("region", name="Passkeys")


def add_passkey(board, name):
    board.press("Add a passkey…", within=section(board))
    board.press("Continue", within=board.dialog)
    expect(board.dialog.get_by_text("Enter a name.")).to_be_visible()
    fits(board)
    board.type("Name", name, within=board.dialog)
    board.press("Continue", within=board.dialog)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_user_adds_a_passkey_and_signs_in_and_confirms_with_it(waymark, address, ada, width, scheme):
    board = ada(width=width, color_scheme=scheme)
    expect(section(board).get_by_text("You have no passkey.")).to_be_visible()
    fits(board)
    add_passkey(board, "Work laptop")
    expect(board.page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    board.press("I have saved them", within=board.dialog)
    row = section(board).get_by_role("listitem").filter(has_text="Work laptop")
    expect(row).to_contain_text("Not used yet")
    expect(board.page.get_by_text("10 recovery codes left.")).to_be_visible()
    fits(board)

    board.page.context.clear_cookies()
    board.page.goto(f"{address}/sign-in")
    fits(board)
    board.press("Use a passkey")
    board.page.wait_for_url(re.compile(r"/(\?|$)"))
    board.open("/account")
    expect(row).to_contain_text("Last used just now")

    # An old session asks again before it changes who has access.
    board.page.route("**/v1/me/passkeys/*", once_unconfirmed())
    board.press("Remove Work laptop", within=section(board))
    board.press("Remove", within=board.dialog)
    expect(board.dialog.get_by_role("heading", name="Confirm that it is you")).to_be_visible()
    fits(board)
    board.press("Use a passkey instead", within=board.dialog)
    expect(section(board).get_by_text("You have no passkey.")).to_be_visible()
    expect(board.page.get_by_text("recovery codes left")).to_be_hidden()


def test_a_passkey_is_the_second_factor_of_a_password(address, ada):
    board = ada(width=1000)
    add_passkey(board, "Key")
    board.press("I have saved them", within=board.dialog)
    board.page.get_by_label("New password").fill(PASSWORD)
    board.press("Set password")
    expect(board.page.get_by_role("button", name="Change password")).to_be_visible()
    board.page.context.clear_cookies()
    board.page.goto(f"{address}/sign-in")
    board.type("E-mail address", board.email)
    board.page.get_by_role("textbox", name="Password").fill(PASSWORD)
    board.press("Sign in")
    expect(board.page.get_by_label("Code", exact=True)).to_be_focused()
    board.press("Use a passkey instead")
    board.page.wait_for_url(re.compile(r"/(\?|$)"))
    expect(board.page.get_by_role("button", name="Account")).to_be_visible()


def test_a_user_without_a_passkey_here_is_told_so(window, address):
    guest = window()
    guest.page.goto(f"{address}/sign-in")
    guest.press("Use a passkey")
    expect(guest.page.get_by_text("No passkey was used.")).to_be_visible(timeout=90_000)


def test_passkeys_are_not_offered_at_an_ip_address(dashboard):
    dashboard.open("/account")
    expect(section(dashboard).get_by_text("This browser cannot add a passkey here.")).to_be_visible()
    expect(section(dashboard).get_by_role("button", name="Add a passkey…")).to_be_hidden()
    dashboard.page.context.clear_cookies()
    dashboard.page.goto(f"{dashboard.url}/sign-in")
    expect(dashboard.page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(dashboard.page.get_by_role("button", name="Use a passkey")).to_be_hidden()
