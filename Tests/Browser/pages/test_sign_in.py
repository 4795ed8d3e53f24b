"""Signing in with a password, or with a link that works once."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from checks import low_contrast, violations
from dashboard import Dashboard
from installation import eventually


@pytest.fixture
def stranger(waymark, new_context):
    dashboard = Dashboard(new_context().new_page(), waymark.url, waymark.organization)
    yield dashboard
    assert dashboard.complaints == []


def paste(tab, link):
    """Signs in by a link that is pasted into the form."""
    tab.page.get_by_text("Use a sign-in link").click()
    tab.type("Sign-in link", link)
    tab.press("Use the link")


PASSWORD = "correct pony staple wagon"


@pytest.fixture
def person(waymark):
    """The e-mail address of a user with a password."""
    slug = waymark.create_organization()
    field = waymark.session(organization=slug)
    answer = httpx.put(f"{waymark.url}/v1/me/password", json={"password": PASSWORD}, headers=field)
    assert answer.status_code == 204, answer.text
    return f"session-owner@{slug}.example"


def sign_in(tab, email, password):
    tab.type("E-mail address", email)
    tab.page.get_by_label("Password", exact=True).fill(password)
    tab.press("Sign in", exact=True)


def test_a_password_signs_in_and_leads_back(stranger, waymark, person):
    page = stranger.page
    wanted = f"{waymark.url}/apps?organization={person.partition('@')[2].removesuffix('.example')}"
    page.goto(wanted)
    expect(page.get_by_text("Sign in to continue to your page.")).to_be_visible()
    email, password = page.get_by_label("E-mail address"), page.get_by_label("Password", exact=True)
    expect(email).to_have_attribute("autocomplete", "username")
    expect(password).to_have_attribute("autocomplete", "current-password")
    assert low_contrast(page) == []

    stranger.press("Sign in", exact=True)
    expect(page.get_by_text("Enter your e-mail address.")).to_be_visible()
    expect(page.get_by_text("Enter your password.")).to_be_visible()
    sign_in(stranger, person, "wrong pony staple wagon")
    expect(page.get_by_text("The e-mail address or the password is wrong.")).to_be_visible()
    expect(password).to_be_focused()
    expect(password).to_have_attribute("aria-invalid", "true")
    expect(email).to_have_value(person)
    assert violations(page) == []

    # A password may be shown, and pasted.
    password.fill("")
    stranger.press("Show the password")
    expect(password).to_have_attribute("type", "text")
    password.focus()
    page.keyboard.insert_text(PASSWORD)
    expect(password).to_have_value(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(wanted)


def test_too_many_wrong_passwords_say_how_long_to_wait(stranger, waymark, person):
    stranger.page.goto(f"{waymark.url}/sign-in")
    wrong = {"email": person, "password": "wrong"}
    eventually(lambda: httpx.post(f"{waymark.url}/v1/session", json=wrong, timeout=60).status_code == 429)
    sign_in(stranger, person, PASSWORD)
    expect(stranger.page.get_by_text("Too many failed attempts. Try again in ")).to_be_visible()
    expect(stranger.page.get_by_label("Password", exact=True)).to_have_attribute("aria-invalid", "true")
    assert stranger.page.url.endswith("/sign-in")


def test_an_unreachable_server_keeps_what_was_typed(stranger, waymark, person):
    page = stranger.page
    page.goto(f"{waymark.url}/sign-in")
    page.route("**/v1/session", lambda route: route.abort())
    sign_in(stranger, person, PASSWORD)
    expect(page.get_by_text("Waymark does not answer.")).to_be_visible()
    page.unroute("**/v1/session")
    stranger.press("Sign in", exact=True)
    page.wait_for_url(re.compile(r"/\?organization="))


def test_the_link_signs_in_and_leaves_no_code_in_the_address(stranger, waymark):
    stranger.page.goto(waymark.sign_in_link())
    stranger.page.wait_for_url(f"{waymark.url}/?organization={waymark.organization}")
    expect(stranger.page.get_by_role("button", name="Account")).to_be_visible()


def test_a_used_link_is_explained(stranger, waymark):
    link = waymark.sign_in_link()
    assert waymark.client.post("/v1/session", json={"code": link.partition("#")[2]}).status_code == 200
    waymark.client.cookies.clear()
    stranger.page.goto(link)
    expect(stranger.page.get_by_role("alert")).to_contain_text("has been used already")
    assert "#" not in stranger.page.url


def test_a_link_can_be_pasted_into_the_form(stranger, waymark):
    stranger.page.goto(f"{waymark.url}/sign-in")
    paste(stranger, waymark.sign_in_link())
    stranger.page.wait_for_url(re.compile(r"/\?organization="))


def test_a_wrong_code_shows_an_error_at_its_field(stranger, waymark):
    stranger.page.goto(f"{waymark.url}/sign-in")
    paste(stranger, "nonsense")
    expect(stranger.page.get_by_role("main")).to_contain_text("Ask for a new one")
    expect(stranger.page.get_by_role("textbox", name="Sign-in link")).to_have_value("nonsense")


def test_a_signed_out_user_goes_to_the_sign_in_page_and_back(stranger, waymark):
    wanted = f"{waymark.url}/apps?organization={waymark.organization}"
    stranger.page.goto(wanted)
    expect(stranger.page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(stranger.page.get_by_role("main")).to_contain_text("waymark user sign-in-link")
    paste(stranger, waymark.sign_in_link())
    stranger.page.wait_for_url(wanted)


def test_a_link_with_its_own_input_survives_signing_in(stranger, waymark):
    addresses = []
    stranger.page.on("request", lambda request: addresses.append(request.url))
    wanted = f"{waymark.url}/apps?organization={waymark.organization}#try=secret-input"
    stranger.page.goto(wanted)
    expect(stranger.page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert "secret-input" not in stranger.page.url
    paste(stranger, waymark.sign_in_link())
    stranger.page.wait_for_url(wanted)
    assert not any("secret-input" in address.partition("#")[0] for address in addresses)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/",
        "//evil.example/",
        "javascript:alert(1)",
        "/\\evil.example",
        "/.//evil.example/a?b#c",
        "/a/..//evil.example/",
        "/%2e//evil.example/",
        "/./\\evil.example/",
        "/.\t//evil.example/",
        "///evil.example/",
        "https:evil.example/",
        "data:text/html,evil",
        "https://user@evil.example/",
    ],
)
def test_signing_in_never_leads_to_another_site(stranger, waymark, address):
    stranger.page.goto(f"{waymark.url}/sign-in")
    stranger.page.evaluate(
        "address => history.replaceState(null, '', '/sign-in?' + new URLSearchParams({ from: address }))", address
    )
    paste(stranger, waymark.sign_in_link())
    expect(
        stranger.page.get_by_role("button", name="Account").or_(stranger.page.get_by_text("page not found"))
    ).to_be_visible()
    assert stranger.page.url.startswith(waymark.url + "/")
    assert "//" not in stranger.page.url.removeprefix(waymark.url)


def me(waymark, cookies):
    return httpx.get(f"{waymark.url}/v1/me", cookies=cookies)


@pytest.fixture
def guest(waymark, stranger):
    """A signed-in user and another user's link: the tab, its cookies, the link."""
    stranger.page.goto(waymark.sign_in_link())
    expect(stranger.page.get_by_role("button", name="Account")).to_be_visible()
    cookies = {cookie["name"]: cookie["value"] for cookie in stranger.page.context.cookies()}
    other = waymark.create_organization()
    return stranger, cookies, waymark.sign_in_link(other), other


@pytest.mark.parametrize("way", ["opened", "pasted"])
def test_a_link_asks_before_it_replaces_a_session(waymark, guest, way):
    tab, cookies, link, other = guest
    if way == "opened":
        tab.page.goto(link)
    else:
        tab.page.goto(f"{waymark.url}/sign-in")
        paste(tab, link)
    expect(tab.page.get_by_role("heading", name="Sign in with this link instead?")).to_be_focused()
    expect(tab.page.get_by_role("main")).to_contain_text("You are signed in as owner@acme.example")
    assert "#" not in tab.page.url
    assert me(waymark, cookies).json()["user"]["email"] == "owner@acme.example"

    tab.press("Sign in with this link")
    tab.page.wait_for_url(re.compile(rf"/\?organization={other}"))
    assert me(waymark, cookies).status_code == 401
    now = {cookie["name"]: cookie["value"] for cookie in tab.page.context.cookies()}
    assert me(waymark, now).json()["user"]["email"] == f"owner@{other}.example"


def test_staying_signed_in_keeps_the_session_and_the_link(waymark, guest):
    tab, cookies, link, other = guest
    tab.page.goto(link)
    tab.press("Stay signed in")
    tab.page.wait_for_url(f"{waymark.url}/?organization={waymark.organization}")
    assert me(waymark, cookies).status_code == 200
    code = link.partition("#")[2]
    assert httpx.post(f"{waymark.url}/v1/session", json={"code": code}).status_code == 200


def test_signing_out_ends_the_session(stranger, waymark):
    stranger.page.goto(waymark.sign_in_link())
    stranger.sign_out()
    expect(stranger.page.get_by_role("status")).to_have_text("You are signed out.")
    stranger.page.goto(f"{waymark.url}/")
    expect(stranger.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_another_organization_shows_an_error_and_a_link(dashboard):
    dashboard.organization = "somebody-else"
    dashboard.open("/")
    expect(dashboard.page.get_by_role("heading")).to_contain_text("You do not belong to this organization")
    expect(dashboard.page.get_by_text("Choose another organization above, or ask an owner")).to_be_visible()
