"""Inviting people, and joining by the link of an invitation."""

import re

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, low_contrast, overflow, violations
from dashboard import Dashboard
from installation import eventually

PASSWORD = "correct pony staple wagon"
LINK = re.compile(r"http\S+/invitation#\S+")


@pytest.fixture
def owner(slug, new_dashboard):
    """The dashboard of the organization's owner, on the page "People"."""
    dashboard = new_dashboard(slug, permissions=["clipboard-read", "clipboard-write"])
    dashboard.open("/people")
    expect(dashboard.page.locator(".loading:visible")).to_have_count(0)
    return dashboard


@pytest.fixture
def new_guest(waymark, new_context):
    """Opens browsers without a session. The test fails if one reports a complaint."""
    guests = []

    def make(**settings):
        guests.append(Dashboard(new_context(**settings).new_page(), waymark.url, None))
        return guests[-1]

    yield make
    assert [complaint for guest in guests for complaint in guest.complaints] == []


def test_the_buttons_of_a_long_dialog_stay_in_view_on_a_phone(slug, new_dashboard):
    dashboard = new_dashboard(slug, width=390, height=700)
    dashboard.open("/people")
    dashboard.press("Invite people…")
    for name in ("Cancel", "Invite"):
        expect(dashboard.dialog.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def invite(dashboard, emails, role="viewer", name=None):
    """Invites people on the page. Returns their links."""
    dashboard.press("Invite people…")
    dashboard.type("E-mail addresses", emails, within=dashboard.dialog)
    dashboard.dialog.get_by_role("radio", name=role).check()
    if name:
        dashboard.type("Name", name, within=dashboard.dialog)
    dashboard.press("Invite", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("list", name="Links")).to_be_visible()
    links = LINK.findall(dashboard.dialog.inner_text())
    dashboard.press("Done")
    return links


def open_link(guest, link):
    guest.page.goto("about:blank")
    guest.page.goto(link)
    expect(guest.page.locator(".loading:visible")).to_have_count(0)
    return guest.page


def invitations(dashboard):
    return dashboard.page.get_by_role("list", name="Invitations", exact=True).get_by_role("listitem")


def join(guest, link, name="Ada Lovelace", password=PASSWORD):
    page = open_link(guest, link)
    guest.type("Your name", name)
    page.get_by_label("New password").fill(password)
    guest.press("Create account and join")


def test_an_owner_invites_a_person_who_joins(waymark, slug, owner, new_guest):
    page = owner.page
    email = f"ada@{slug}.example"
    expect(page.get_by_text("Invite the people you work with.")).to_be_visible()
    owner.press("Invite people…")
    owner.press("Invite", exact=True, within=owner.dialog)
    expect(owner.dialog).to_contain_text("Enter an e-mail address.")
    owner.type("E-mail addresses", email, within=owner.dialog)
    expect(owner.dialog.get_by_role("radio")).to_have_count(5)
    owner.dialog.get_by_role("radio", name="editor").check()
    assert violations(page) == [] and low_contrast(page) == []
    owner.press("Invite", exact=True, within=owner.dialog)
    expect(owner.dialog.get_by_role("heading")).to_have_text(f"{email} is invited")
    [link] = LINK.findall(owner.dialog.inner_text())
    owner.press(f"Copy the link for {email}")
    eventually(lambda: page.evaluate("navigator.clipboard.readText()") == link)
    assert violations(page) == [] and low_contrast(page) == []
    owner.press("Done")
    expect(page.get_by_role("button", name="Invite people…")).to_be_focused()
    assert link not in page.content()
    for words in (email, "editor", "Invited by ", "Expires in 7 days"):
        expect(invitations(owner)).to_contain_text(words)

    # Opening the link changes nothing, as often as it is opened.
    guest = new_guest(width=390)
    for _ in range(2):
        guest_page = open_link(guest, link)
        expect(guest_page.get_by_role("heading", level=1)).to_contain_text("Join ")
        for words in (email, "editor", "Also edits drafts", "in 7 days"):
            expect(guest_page.get_by_role("main")).to_contain_text(words)
    page.reload()
    expect(invitations(owner)).to_have_count(1)
    expect(guest_page.get_by_text("At least 12 characters.")).to_be_visible()
    expect(guest_page.get_by_label("New password")).to_have_attribute("autocomplete", "new-password")
    assert violations(guest_page) == [] and low_contrast(guest_page) == [] and overflow(guest_page) <= 0

    join(guest, link, password="too short")
    expect(guest_page.get_by_text("must have at least 12 characters")).to_be_visible()
    expect(guest_page.get_by_label("Your name")).to_have_value("Ada Lovelace")
    guest_page.get_by_label("New password").fill(PASSWORD)
    guest.press("Create account and join")
    guest_page.wait_for_url(f"{waymark.url}/?organization={slug}")
    guest.press("Account")
    expect(guest_page.locator("#account-menu")).to_contain_text("Ada Lovelace")
    expect(guest_page.locator("#account-menu")).to_contain_text("editor of ")

    page.reload()
    expect(page.get_by_text("No open invitations.")).to_be_visible()
    expect(page.get_by_role("list", name="Members")).to_contain_text("Ada Lovelace")
    open_link(guest, link)
    expect(guest_page.get_by_role("heading", level=1)).to_have_text("This invitation does not work")
    owner.open("/events")
    expect(page.get_by_text(email).first).to_be_visible()


def test_a_person_with_an_account_signs_in_and_joins_another_organization(waymark, slug, owner, new_guest):
    other = waymark.create_organization()
    field = waymark.session("editor", other)
    assert waymark.client.put("/v1/me/password", json={"password": PASSWORD}, headers=field).status_code == 204
    email = f"session-editor@{other}.example"
    [link] = invite(owner, email, "publisher")
    guest = new_guest()
    page = open_link(guest, link)
    expect(page.get_by_label("New password")).to_have_count(1)
    expect(page.get_by_label("New password")).to_be_hidden()
    guest.press("Sign in to join")
    guest.type("E-mail address", email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    guest.press("Sign in", exact=True)
    page.wait_for_url(link)
    expect(page.get_by_role("main")).to_contain_text(f"You are signed in as {email}.")
    guest.page.get_by_role("button", name=re.compile("^Join ")).click()
    page.wait_for_url(f"{waymark.url}/?organization={slug}")
    expect(page.get_by_role("combobox", name="Organization").get_by_role("option")).to_have_count(2)


def test_another_user_is_told_and_can_sign_out(waymark, slug, owner, new_guest):
    [link] = invite(owner, f"grace@{slug}.example")
    page = open_link(owner, link)
    expect(page.get_by_role("main")).to_contain_text("but this invitation is for another address")
    assert violations(page) == [] and low_contrast(page) == []
    guest = new_guest()
    guest.page.goto(waymark.sign_in_link(slug))
    expect(guest.page.get_by_role("button", name="Account")).to_be_visible()
    open_link(guest, link)
    guest.press("Sign out and continue")
    expect(guest.page.get_by_label("New password")).to_be_visible()
    join(guest, link)
    guest.page.wait_for_url(f"{waymark.url}/?organization={slug}")
    # The first page of a viewer offers nothing that they may not do.
    expect(guest.page.get_by_role("heading", level=1)).to_contain_text("has no domains yet")
    expect(guest.page.get_by_text("Your role lets you read only.")).to_be_visible()
    expect(guest.page.get_by_role("heading", name="Next steps")).to_have_count(0)


def test_several_people_get_a_link_each_and_faults_are_told(slug, owner):
    good = [f"{name}@{slug}.example" for name in ("ada", "grace", "joan")]
    links = invite(owner, f"{good[0]}, {good[1]}\n{good[2]}; {good[0]}", "publisher")
    assert len(set(links)) == 3
    expect(invitations(owner)).to_have_count(3)
    owner.press("Invite people…")
    owner.type("E-mail addresses", f"{good[0]} nonsense", within=owner.dialog)
    expect(owner.dialog.get_by_label("Name")).to_be_hidden()
    owner.press("Invite", exact=True, within=owner.dialog)
    expect(owner.dialog).to_contain_text(f"{good[0]} is already invited.")
    expect(owner.dialog).to_contain_text("nonsense: must be an e-mail address")
    owner.type("E-mail addresses", f"new@{slug}.example nonsense", within=owner.dialog)
    owner.press("Invite", exact=True, within=owner.dialog)
    expect(owner.dialog.get_by_role("list", name="Links")).to_contain_text("Not invited: must be an e-mail address")
    assert len(LINK.findall(owner.dialog.inner_text())) == 1


def test_a_new_link_ends_the_old_one_and_a_withdrawn_invitation_ends(slug, owner, new_guest):
    [old] = invite(owner, f"ada@{slug}.example", name="Ada")
    owner.press("New link for Ada…")
    expect(owner.dialog).to_contain_text("The old link ends now.")
    owner.press("Make a new link")
    expect(owner.dialog).to_contain_text("The old link has ended.")
    [new] = LINK.findall(owner.dialog.inner_text())
    owner.press("Done")
    expect(owner.page.get_by_role("button", name="New link for Ada…")).to_be_focused()
    guest = new_guest()
    expect(open_link(guest, old).get_by_role("main")).to_contain_text("Ask the person who invited you for a new one.")
    assert violations(guest.page) == [] and low_contrast(guest.page) == []
    expect(open_link(guest, new).get_by_label("Your name")).to_have_value("Ada")

    owner.press("Withdraw the invitation of Ada…")
    owner.press("Withdraw", exact=True, within=owner.dialog)
    expect(owner.announcement).to_contain_text("Invitation of Ada withdrawn.")
    expect(owner.page.get_by_text("No open invitations.")).to_be_visible()
    # The form of the open page says so, too.
    guest.page.get_by_label("New password").fill(PASSWORD)
    guest.press("Create account and join")
    expect(guest.page.get_by_role("main")).to_contain_text("unknown, already used, withdrawn or expired")


def test_an_admin_invites_up_to_their_own_role(waymark, slug, owner, new_guest):
    [link] = invite(owner, f"ada@{slug}.example", "admin")
    invite(owner, f"grace@{slug}.example", "owner")
    admin = new_guest()
    join(admin, link)
    admin.page.wait_for_url(f"{waymark.url}/?organization={slug}")
    admin.organization = slug
    admin.open("/people")
    expect(invitations(admin)).to_contain_text("grace@")
    expect(invitations(admin).get_by_role("button")).to_have_count(0)
    # From any page, by the finder.
    admin.open("/events")
    admin.page.keyboard.press("Control+k")
    admin.page.keyboard.type("invite")
    expect(admin.dialog.get_by_role("option", selected=True)).to_have_text("Invite people")
    admin.page.keyboard.press("Enter")
    expect(admin.dialog.get_by_role("heading", name="Invite people")).to_be_visible()
    expect(admin.dialog.get_by_role("radio")).to_have_count(4)
    assert "invite=" not in admin.page.url


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "</template><script>alert(1)</script>"])
def test_hostile_names_are_only_text(waymark, slug, new_dashboard, owner, new_guest, text):
    field = waymark.session(organization=slug)
    assert waymark.client.patch("/v1/me", json={"name": text}, headers=field).status_code == 200
    body = {"email": f"<i>{text.split()[0]}</i>@{slug}.example", "name": text, "role": "viewer"}
    made = waymark.api("POST", "/v1/invitations", body, field, token=False)
    assert made.status_code == 201, made.text
    owner.page.reload()
    expect(invitations(owner)).to_contain_text(text)
    expect(invitations(owner)).to_contain_text(f"Invited by {text}")
    guest = new_guest(user_agent=text)
    page = open_link(guest, made.json()["link"])
    expect(page.get_by_role("main")).to_contain_text(f"{text} invites you")
    guest.press("Create account and join")
    page.get_by_label("New password").fill(PASSWORD)
    guest.press("Create account and join")
    page.wait_for_url(f"{waymark.url}/?organization={slug}")
    guest.organization = slug
    guest.open("/account")
    expect(page.get_by_label("Name")).to_have_value(text)


def test_a_narrow_page_by_keyboard(waymark, slug, new_dashboard):
    mia = new_dashboard(slug, width=390, color_scheme="dark")
    page, keyboard = mia.open("/people"), mia.page.keyboard
    expect(page.locator(".loading:visible")).to_have_count(0)
    page.get_by_role("button", name="Invite people…").focus()
    keyboard.press("Enter")
    keyboard.type(f"{'x' * 60}@{slug}.example")
    keyboard.press("Tab")
    keyboard.press("ArrowDown")
    expect(mia.dialog.get_by_role("radio", name="editor")).to_be_checked()
    assert overflow(page) <= 0 and violations(page) == [] and page.evaluate(NAMELESS) == []
    keyboard.press("Enter")
    expect(mia.dialog.get_by_role("button", name="Copy the link for")).to_be_focused()
    assert overflow(page) <= 0 and mia.dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
    keyboard.press("Escape")
    expect(invitations(mia)).to_have_count(1)
    assert overflow(page) <= 0 and violations(page) == [] and low_contrast(page) == []
    page.get_by_role("button", name="Withdraw the invitation").focus()
    keyboard.press("Enter")
    expect(mia.dialog.get_by_role("button", name="Keep it")).to_be_focused()
    keyboard.press("Escape")
    expect(page.get_by_role("button", name="Withdraw the invitation")).to_be_focused()
