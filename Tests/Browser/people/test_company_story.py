"""The story of a company: two people are invited by mail and sign in by their provider and with a passkey, one edits and
the other approves, CI publishes without a stored secret, the trail proves it, and a removed person is out at once."""

import json
import re
import time

import httpx
import pytest
from playwright.sync_api import expect

import canaille_server
from canaille_server import CLIENT, EMAIL, LOGIN, SECRET
from canaille_server import PASSWORD as THEIRS
from dashboard import Dashboard
from installation import Installation, eventually
from issuer import Issuer
from mail_server import MailServer, code
from samples import draft

ADA = "ada@company.example"
PASSWORD = "correct pony staple wagon"
HOST = "www.company-story.example"


@pytest.fixture
def company():
    server, waymark = MailServer(), Installation()
    # A name, because passkeys do not work at an IP address.
    waymark.url = waymark.url.replace("127.0.0.1", "localhost")
    waymark.client = httpx.Client(base_url=waymark.url, timeout=60)
    waymark.environment |= server.settings(waymark.directory, WAYMARK_PUBLIC_URL=waymark.url)
    waymark.environment["WAYMARK_LOOPBACK_ISSUERS"] = "true"
    try:
        waymark.start()
        waymark.create_organization("acme")
        waymark.server = server
        with canaille_server.run(f"{waymark.url}/sign-in/return/acme") as provider:
            waymark.provider = provider
            yield waymark
    finally:
        waymark.remove()
        server.stop()


@pytest.fixture
def person(company, new_context):
    return lambda **settings: Dashboard(new_context(**settings).new_page(), company.url, "acme")


def arrives(board):
    expect(board.page.get_by_role("button", name="Account")).to_be_visible()


def gives_a_passkey(board):
    board.page.devices = board.page.context.new_cdp_session(board.page)
    board.page.devices.send("WebAuthn.enable")
    options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True}
    options |= {"hasUserVerification": True, "isUserVerified": True}
    board.page.devices.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def invites(owner, address, role):
    owner.open("/people")
    owner.press("Invite people…")
    owner.type("E-mail addresses", address, within=owner.dialog)
    owner.dialog.get_by_role("radio", name=role).check()
    owner.press("Invite", exact=True, within=owner.dialog)
    expect(owner.page.get_by_role("list", name="Invitations", exact=True)).to_contain_text(address)


def test_the_story(company, person):
    owner, grace, ada = person(), person(width=390), person()

    # The owner sets up the provider, requires approval, trusts the company's CI, and invites two people by mail.
    owner.page.goto(company.sign_in_link())
    arrives(owner)
    owner.open("/people")
    settings = owner.page.get_by_role("region", name="Sign-in provider")
    owner.press("Set up a provider…", within=settings)
    owner.type("Issuer", company.provider, within=settings)
    owner.type("Client ID", CLIENT, within=settings)
    settings.get_by_label("Client secret").fill(SECRET)
    owner.press("Save provider", within=settings)
    expect(settings.get_by_text("One is stored.")).to_be_visible()
    owner.open("/approvals")
    owner.press("Require approval…")
    owner.press("Save", within=owner.dialog)
    expect(owner.page.get_by_role("list", name="Approval policies")).to_contain_text("1 approval")
    ci = Issuer()
    claims = {"repository_id": "456789", "repository_owner_id": "123456", "ref": "refs/heads/main"}
    trust = {"name": "Deploy", "provider": "github", "issuer": ci.url, "claims": claims, "role": "publisher"}
    same = {"Sec-Fetch-Site": "same-origin"}
    made = owner.page.request.post(f"{company.url}/v1/trusts", data=trust, headers=same)
    assert made.ok, made.text()
    invites(owner, EMAIL, "editor")
    invites(owner, ADA, "publisher")

    # Grace joins with the company's provider.
    grace.page.goto(f"{company.url}/invitation#{code(company.server.next_to(EMAIL))}")
    grace.page.get_by_role("button", name=re.compile("^Join with localhost")).click()
    grace.page.locator("input[name=login]").fill(LOGIN)
    grace.page.get_by_role("button").filter(visible=True).last.click()
    grace.page.locator("input[name=password]").fill(THEIRS)
    grace.page.get_by_role("button").filter(visible=True).last.click()
    account = grace.page.get_by_role("button", name="Account")
    accept = grace.page.get_by_role("button", name="Accept")
    expect(accept.or_(account)).to_be_visible()
    if accept.is_visible():
        accept.click()
    arrives(grace)

    # Ada joins with a password, adds a passkey, and signs in with it.
    ada.page.goto(f"{company.url}/invitation#{code(company.server.next_to(ADA))}")
    ada.type("Your name", "Ada Lovelace")
    ada.page.get_by_label("New password").fill(PASSWORD)
    ada.press("Create account and join")
    arrives(ada)
    gives_a_passkey(ada)
    ada.open("/account")
    ada.press("Add a passkey…")
    ada.type("Name", "Laptop", within=ada.dialog)
    ada.press("Continue", within=ada.dialog)
    ada.press("I have saved them", within=ada.dialog)
    ada.page.context.clear_cookies()
    ada.page.goto(f"{company.url}/sign-in")
    ada.press("Use a passkey")
    arrives(ada)

    # Grace edits and asks for approval. She cannot give it herself.
    token = company.token()
    company.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"}, token=token)
    company.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app"}, token=token)
    company.new_domain(token=token, host=HOST)
    changed = grace.page.request.put(
        f"{company.url}/v1/domains/{HOST}/draft?reason=Ticket%20812", data=draft("/sale/*"),
        headers=same | {"If-Match": "*"})
    assert changed.ok, changed.text()
    grace.open_review(HOST)
    grace.press("Request approval…")
    grace.type("Why is the change made?", "the summer sale", within=grace.dialog)
    grace.press("Request approval", exact=True, within=grace.dialog)
    grace.page.get_by_role("link", name="Show the request").click()
    expect(grace.page.get_by_role("heading", level=1)).to_have_text("the summer sale")
    expect(grace.page.get_by_role("button", name="Approve")).to_be_hidden()

    # CI cannot publish yet. Ada approves, and CI publishes with a token of its own run.
    def exchanged():
        job = ci.signed(ci.claims(f"{company.url}/acme"))
        answer = company.api("POST", "/v1/token-exchanges", {"organization": "acme", "token": job}, token=False)
        assert answer.status_code == 201, answer.text
        return answer.json()["token"]

    path = f"/v1/domains/{HOST}/publications?wait=30"
    refused = company.api("POST", path, {}, token=exchanged())
    assert (refused.status_code, refused.json()["code"]) == (422, "gate_refused"), refused.text
    ada.open("/approvals")
    ada.page.get_by_role("link", name="the summer sale").click()
    ada.press("Approve")
    expect(ada.page.locator("main .badge").first).to_have_text("Approved")
    live = company.api("POST", path, {}, token=exchanged())
    assert live.json()["state"] == "live", live.text
    eventually(lambda: company.edge(HOST).status_code == 200, 30, what="the served file")
    assert company.edge(HOST).json()["applinks"]["details"]

    # The trail shows who did what, and proves it.
    owner.open("/events", host=HOST)
    rows = owner.page.get_by_role("list", name=re.compile("^Events of"))
    expect(rows.first).to_contain_text("Version 1 went live")
    expect(rows.first).to_contain_text("Ticket 812")
    with owner.page.expect_download() as download:
        owner.press("Sealed trail")
    file = company.directory / "trail.ndjson"
    download.value.save_as(file)
    key = company.cli("key").stdout.strip()
    assert "are intact" in company.cli("audit", "verify", file, "--key", key).stdout
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    actors = {entry["kind"]: entry["actor"]["name"] for entry in entries if "kind" in entry}
    assert actors["draft.changed"] == EMAIL and actors["approval.given"] == ADA
    assert actors["publication.created"] == "Deploy octocat/shop@main #123"

    # Grace is removed, and is out within a second, also with the session that is open.
    owner.open("/people")
    owner.press(re.compile("^Remove Grace"))
    owner.press("Remove", exact=True, within=owner.dialog)
    expect(owner.page.get_by_role("list", name="Members")).not_to_contain_text(EMAIL)
    time.sleep(1)
    for path in ("/v1/domains", f"/v1/domains/{HOST}/draft", "/v1/events"):
        answer = grace.page.request.get(f"{company.url}{path}", headers={"Waymark-Organization": "acme"})
        assert answer.status == 404, answer.text()
    grace.page.goto(f"{company.url}/sign-in?organization=acme")
    grace.press("Continue")
    expect(grace.page.get_by_text("You are not a member of this organization")).to_be_visible()
