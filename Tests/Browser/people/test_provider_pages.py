"""Signing in with a real OpenID Connect provider (Canaille): set up, invited, joined, connected, refused."""

import re

import pytest
from playwright.sync_api import expect

import canaille_server
from canaille_server import CLIENT, EMAIL, LOGIN, PASSWORD, SECRET
from checks import fits
from dashboard import Dashboard, until
from installation import Installation


@pytest.fixture(scope="module")
def company():
    """A Waymark with a provider, whose organization is acme."""
    waymark = Installation()
    waymark.environment["WAYMARK_LOOPBACK_ISSUERS"] = "true"
    waymark.start()
    waymark.create_organization("acme")
    try:
        with canaille_server.run(f"{waymark.url}/sign-in/return/acme") as issuer:
            waymark.issuer = issuer
            yield waymark
    finally:
        waymark.remove()


@pytest.fixture
def window(company, new_context):
    windows = []

    def make(**settings):
        page = new_context(**settings).new_page()
        windows.append(Dashboard(page, company.url, "acme"))
        return windows[-1]

    yield make
    # The provider's own pages may complain.
    ours = [each for board in windows for each in board.complaints if company.issuer not in each]
    assert ours == []


@pytest.fixture
def owner(company, window):
    board = window()
    board.page.goto(company.sign_in_link())
    board.page.wait_for_url(re.compile(r"/(\?|$)"))
    return board


def region(board):
    return board.page.get_by_role("region", name="Sign-in provider")


def set_up(board, company, secret=SECRET):
    board.open("/people")
    form = region(board)
    expect(form.get_by_role("button", name="Set up a provider…").or_(form.get_by_role("textbox", name="Issuer"))).to_be_visible()
    if form.get_by_label("Issuer").is_hidden():
        board.press("Set up a provider…", within=form)
        expect(form.get_by_label("Issuer")).to_be_focused()
    address = form.get_by_role("group", name="Address to register at the provider")
    expect(address).to_have_text(f"{company.url}/sign-in/return/acme")
    expect(form.get_by_role("button", name="Copy")).to_be_visible()
    board.type("Issuer", company.issuer, within=form)
    board.type("Client ID", CLIENT, within=form)
    form.get_by_label("Client secret").fill(secret)
    board.press("Save provider", within=form)
    expect(board.announcement).to_contain_text("Sign-in provider saved.")
    expect(form.get_by_text("One is stored. Leave this empty to keep it.")).to_be_visible()


def at_provider(board, company):
    """Waits for the provider's own page. The page that leads there has a field for a password too."""
    board.page.wait_for_url(re.compile(re.escape(company.issuer)))


def give_password(page):
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button").filter(visible=True).last.click()


def sign_in_at_provider(board, company):
    """Signs in on the provider's own pages, and consents if it asks."""
    page = board.page
    at_provider(board, company)
    page.locator("input[name=login]").fill(LOGIN)
    page.get_by_role("button").filter(visible=True).last.click()
    give_password(page)
    accept = page.get_by_role("button", name="Accept")
    there = page.get_by_role("button", name="Account").or_(page.get_by_role("heading", name="This did not work"))
    expect(accept.or_(there)).to_be_visible()
    if accept.is_visible():
        accept.click()


def test_an_invited_person_joins_with_a_real_provider_and_signs_in_again(company, owner, window):
    set_up(owner, company)
    fits(owner)
    made = company.api(
        "POST", "/v1/invitations", {"email": EMAIL, "role": "editor", "delivery": "link"}, company.session(), token=False)
    guest = window(width=390, color_scheme="dark")
    guest.page.goto(made.json()["link"])
    guest.page.get_by_role("button", name=re.compile("^Join with localhost")).wait_for()
    fits(guest)
    guest.page.get_by_role("button", name=re.compile("^Join with localhost")).click()
    sign_in_at_provider(guest, company)
    expect(guest.page.get_by_role("button", name="Account")).to_be_visible()
    guest.open("/account")
    expect(guest.page.get_by_text("Your organization’s provider has signed you in.")).to_be_visible()
    fits(guest)

    # Signed out here, but still signed in at the provider: no password is asked for.
    guest.page.context.clear_cookies(domain="127.0.0.1")
    guest.page.goto(f"{company.url}/sign-in?organization=acme")
    fits(guest)
    guest.press("Continue")
    signed_in = re.compile(re.escape(company.url) + "/(?!sign-in)")
    guest.page.wait_for_url(signed_in)

    # To confirm, the person must sign in there again.
    def confirmed_until():
        return guest.page.evaluate("fetch('/v1/me').then((answer) => answer.json()).then(({ user }) => user.confirmedUntil)")

    before = confirmed_until()
    guest.page.goto(f"{company.url}/sign-in?organization=acme&again=1")
    guest.press("Continue")
    at_provider(guest, company)
    give_password(guest.page)
    # The page to which the provider returns has an account menu before it is done: the session is still open.
    guest.page.wait_for_url(signed_in)
    assert confirmed_until() > before


def test_a_provider_that_refuses_and_a_foreign_answer_are_explained(company, owner, window):
    guest = window()
    guest.page.goto(f"{company.url}/sign-in/return?error=access_denied&state=x")
    expect(guest.page.get_by_role("heading", name="This did not work")).to_be_visible()
    expect(guest.page.get_by_text("Your provider did not let you in.")).to_be_visible()
    fits(guest)
    guest.page.goto(f"{company.url}/sign-in/return/acme?code=made-up&state={'a' * 32}")
    expect(guest.page.get_by_text("This sign-in is unknown, finished, or older than ten minutes")).to_be_visible()
    assert "made-up" not in guest.page.url
    guest.page.get_by_role("link", name="Sign in again").click()
    guest.page.get_by_text("Sign in with your organization").click()
    guest.press("Continue")
    expect(guest.page.get_by_text("Enter the short name of your organization.")).to_be_visible()
    guest.type("Organization", "nobody-knows")
    guest.press("Continue")
    expect(guest.page.get_by_text("People do not sign in to this organization with a provider.")).to_be_visible()
    fits(guest)


def test_a_wrong_issuer_is_reported_at_once_and_a_provider_is_removed(company, owner):
    set_up(owner, company)
    owner.type("Issuer", "https://id.waymark-tests.invalid", within=region(owner))
    owner.press("Save provider", within=region(owner))
    expect(region(owner).get_by_text("The issuer https://id.waymark-tests.invalid")).to_be_visible()
    owner.page.reload()
    owner.press("Remove…", within=region(owner))
    owner.press("Remove", within=owner.dialog)
    expect(owner.announcement).to_contain_text("Sign-in provider removed.")
    # Without a provider, the form waits for its button, and can be closed again.
    expect(region(owner).get_by_label("Issuer")).to_be_hidden()
    owner.press("Set up a provider…", within=region(owner))
    expect(region(owner).get_by_text("Empty for a public client.")).to_be_visible()
    owner.type("Issuer", "https://id.example.com", within=region(owner))
    owner.press("Cancel", within=region(owner))
    owner.press("Discard", within=owner.dialog)
    expect(region(owner).get_by_role("button", name="Set up a provider…")).to_be_focused()
    expect(region(owner).get_by_label("Issuer")).to_be_hidden()


def test_text_that_is_typed_while_a_save_runs_stays(company, owner):
    set_up(owner, company)
    held = []
    owner.page.route("**/v1/sign-in-provider", lambda route: held.append(route))
    owner.press("Save provider", within=region(owner))
    until(owner.page, lambda: held)
    owner.type("Client ID", "typed-meanwhile", within=region(owner))
    owner.announcement.evaluate("news => (news.hidden = true)")
    held[0].continue_()
    expect(owner.announcement).to_be_visible()
    expect(region(owner).get_by_label("Client ID")).to_have_value("typed-meanwhile")
    expect(region(owner).get_by_role("button", name="Save provider")).not_to_have_attribute("aria-disabled", "true")
    # The browser would ask before it leaves the page.
    expect(region(owner).locator("form[data-typed-in]")).to_have_count(1)


def test_a_user_connects_the_provider_with_an_account(company, owner, window):
    set_up(owner, company)
    user = window()
    added = company.cli("user", "add", "linus@acme.example", "--organization", "acme", "--role", "editor")
    user.page.goto(added.stdout.split()[-1])
    user.page.wait_for_url(re.compile(r"/(\?|$)"))
    # Another organization of the user has no provider.
    company.cli("organization", "create", "plain", "--owner", "linus@acme.example")
    user.open("/account")
    connect = user.page.get_by_role("button", name=re.compile("^Connect the provider of"))
    expect(connect).to_have_count(1)
    expect(connect).to_contain_text("Acme")
    connect.click()
    sign_in_at_provider(user, company)
    # Grace has joined with it before, so it belongs to her account.
    expect(user.page.get_by_text("This identity is connected with another account.")).to_be_visible()
