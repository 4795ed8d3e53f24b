"""The page "People": the members of an organization, and its API tokens."""

import os
import re
import subprocess

import httpx
import pytest
from playwright.sync_api import expect

from checks import NAMELESS, assert_landmarks, fits, low_contrast, overflow, violations
from installation import eventually
from people_page import opened, row

SECRET = re.compile(r"wm_[a-z2-7]{40}")


@pytest.fixture
def joined(slug, new_member):
    """Adds a person to the organization. Returns their dashboard, on the page "People"."""
    return lambda name, role, **settings: opened(new_member(slug, name, role, **settings))


@pytest.fixture
def owner(slug, new_dashboard):
    """The dashboard of the organization's owner, on the page "People"."""
    return opened(new_dashboard(slug, permissions=["clipboard-read", "clipboard-write"]))


def status(waymark, secret):
    return httpx.get(f"{waymark.url}/v1/me", headers={"Authorization": f"Bearer {secret}"}).status_code


def refused(waymark, secret):
    return eventually(lambda: status(waymark, secret) == 401, 5, what="the end of the token")


def test_a_token_is_created_used_rotated_and_revoked(waymark, slug, owner):
    page = owner.page
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    clipboard = lambda: page.evaluate("navigator.clipboard.readText()")  # noqa: E731
    expect(page.get_by_text("No active tokens.")).to_be_visible()

    owner.press("Create token…")
    owner.press("Create token", exact=True, within=owner.dialog)
    expect(owner.dialog).to_contain_text("Enter a name.")
    owner.type("Name", "CI of the shop", within=owner.dialog)
    expect(owner.dialog.get_by_role("radio")).to_have_count(5)
    expect(owner.dialog.get_by_role("radio", name="viewer")).to_be_checked()
    owner.dialog.get_by_role("radio", name="editor").check()
    expect(owner.dialog.get_by_label("Expires")).to_have_value("90")
    owner.press("Create token", exact=True, within=owner.dialog)

    expect(owner.dialog.get_by_role("heading", name="Token CI of the shop created")).to_be_visible()
    expect(owner.dialog).to_contain_text("It is not shown again")
    first = SECRET.search(owner.dialog.get_by_role("group", name="Secret").inner_text()).group()
    assert violations(page) == []

    # Escape asks while nothing is copied.
    page.keyboard.press("Escape")
    owner.press("Back")
    owner.press("Copy", exact=True, within=owner.dialog)
    expect(owner.dialog.get_by_role("button", name="Copied")).to_be_visible()
    assert clipboard() == first
    owner.press("Copy as curl", within=owner.dialog)
    expect(owner.dialog.get_by_role("group", name="Request")).to_contain_text("$WAYMARK_TOKEN")
    eventually(lambda: clipboard().startswith("curl "))
    command = clipboard()
    assert first not in command and waymark.url in command
    command = command.replace("curl ", "curl --silent --fail-with-body ", 1)
    environment = {**os.environ, "WAYMARK_TOKEN": first}
    listed = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=True)
    assert '"items":[]' in listed.stdout
    owner.press("Done")

    # The secret has left the page, and was never in its address, its storage or a request's address.
    expect(page.get_by_role("group", name="Secret", include_hidden=True)).to_have_count(0)
    kept = "() => JSON.stringify([location.href, history.state, {...localStorage}, {...sessionStorage}])"
    assert first not in page.content() + page.evaluate(kept) + " ".join(addresses)
    expect(page.get_by_role("button", name="Create token…")).to_be_focused()
    for words in ("Active", "editor", "Last used just now", "Expires in"):
        expect(row(owner, "CI of the shop")).to_contain_text(words)

    owner.press("Rotate token CI of the shop…")
    owner.dialog.get_by_label("stays valid for").select_option("1 hour")
    owner.press("Rotate token", exact=True, within=owner.dialog)
    expect(owner.dialog).to_contain_text("The old one stays valid for 1 hour.")
    second = SECRET.search(owner.dialog.inner_text()).group()
    owner.press("Done")
    expect(row(owner, "CI of the shop")).to_have_count(2)
    expect(row(owner, "Ends soon")).to_have_count(1)
    # Both have the same name.
    lines = [re.search(r"Created .* · ID …[0-9a-f]{8}", text)[0] for text in row(owner, "CI of the shop").all_inner_texts()]
    assert len(set(lines)) == 2
    assert [status(waymark, each) for each in (first, second)] == [200, 200]

    # The new token is above the old one.
    owner.page.get_by_role("button", name="Rotate token CI of the shop…").first.click()
    owner.dialog.get_by_label("stays valid for").select_option("No time: it ends now")
    owner.press("Rotate token", exact=True, within=owner.dialog)
    expect(owner.dialog).to_contain_text("The old one has ended.")
    third = SECRET.search(owner.dialog.inner_text()).group()
    owner.press("Done")
    expect(page.get_by_text("Ended tokens (1)")).to_be_visible()
    refused(waymark, second)

    page.get_by_role("button", name="Revoke token CI of the shop…").first.click()
    expect(owner.dialog).to_contain_text("Programs that use it are refused within a second.")
    owner.press("Revoke token", exact=True, within=owner.dialog)
    expect(owner.announcement).to_contain_text("Token CI of the shop revoked.")
    expect(page.get_by_text("Ended tokens (2)")).to_be_visible()
    expect(page.get_by_role("button", name="Revoke token CI of the shop…")).to_be_focused()
    refused(waymark, third)
    page.get_by_text("Ended tokens (2)").click()
    ended = page.get_by_role("list", name="Ended tokens").get_by_role("listitem")
    expect(ended.filter(has_text="Revoked")).to_have_count(1)
    expect(ended.filter(has_text="Expired")).to_have_count(1)
    expect(ended.get_by_role("button")).to_have_count(0)

    owner.open("/events")
    for words in ("API token created (editor)", "API token rotated (editor)", "API token revoked (editor)"):
        expect(page.get_by_text(words).first).to_be_visible()


def test_an_admin_changes_roles_and_removes_members(waymark, slug, owner, joined):
    ada = joined("Ada Lovelace", "admin")
    bob = joined("Bob", "viewer")
    waymark.cli("token", "create", "--organization", slug, "--role", "owner", "--name", "of an owner")
    opened(ada)
    # Nobody changes a member or a token above their own role, or gives a higher one.
    expect(row(ada, f"owner@{slug}.example", "Members")).to_contain_text("owner")
    expect(row(ada, f"owner@{slug}.example", "Members").get_by_role("combobox")).to_have_count(0)
    expect(row(ada, f"owner@{slug}.example", "Members").get_by_role("button")).to_have_count(0)
    expect(row(ada, "of an owner")).to_be_visible()
    expect(row(ada, "of an owner").get_by_role("button")).to_have_count(0)
    role = row(ada, "Bob", "Members").get_by_role("combobox", name="Role of Bob")
    expect(role.get_by_role("option")).to_have_text(["viewer", "editor", "publisher", "admin"])

    role.select_option("publisher")
    expect(ada.announcement).to_contain_text("Bob now has the role publisher.")
    ada.press("Undo")
    expect(ada.announcement).to_contain_text("Bob now has the role viewer.")
    expect(role).to_have_value("viewer")
    members = waymark.api("GET", "/v1/members", token=waymark.token("viewer", slug)).json()["items"]
    assert {each["name"]: each["role"] for each in members if each["name"] in ("Ada Lovelace", "Bob")} == {
        "Ada Lovelace": "admin", "Bob": "viewer",
    }

    ada.press("Remove Bob…")
    expect(ada.dialog).to_contain_text("their sessions can no longer read this organization")
    ada.press("Remove", exact=True, within=ada.dialog)
    expect(ada.announcement).to_contain_text("Bob removed.")
    expect(row(ada, "Bob", "Members")).to_have_count(0)
    bob.page.reload()
    expect(bob.page.get_by_role("heading", level=1)).to_have_text("You do not belong to this organization")
    expect(bob.page.get_by_text("You belong to no organization. Ask an owner to invite you.")).to_be_visible()

    # A change of one's own role asks first; then the page has only its rights.
    own = row(ada, "Ada", "Members").get_by_role("combobox")
    own.select_option("editor")
    ada.press("Cancel")
    expect(own).to_have_value("admin")
    own.select_option("editor")
    ada.press("Change my role")
    expect(row(ada, "Ada", "Members").get_by_role("combobox")).to_have_count(0)
    expect(row(ada, "Ada", "Members")).to_contain_text("editor")
    expect(ada.page.get_by_role("button", name="Create token…")).to_have_count(0)


def test_removing_a_member_offers_to_end_the_access_that_they_leave_behind(waymark, slug, owner):
    """The person knows the secrets of tokens that they created, and may own the repository that a trust names."""
    of_admin = waymark.session("admin", slug)
    for name in ("kept", "nightly", "gone"):
        made = waymark.api("POST", "/v1/tokens", {"name": name, "role": "editor"}, of_admin, token=False).json()["token"]
    assert waymark.api("DELETE", f"/v1/tokens/{made['id']}", None, of_admin, token=False).status_code == 200
    trust = {"name": "deploy", "provider": "other", "issuer": "https://ci.example", "claims": {"sub": "x"}, "role": "editor"}
    answer = waymark.api("POST", "/v1/trusts", trust, of_admin, token=False)
    assert answer.status_code == 201, answer.text
    owner = opened(owner)
    admin = f"session-admin@{slug}.example"
    expect(row(owner, "nightly")).to_contain_text(f"by {admin}")
    row(owner, admin, "Members").get_by_role("button", name=re.compile("^Remove")).click()
    boxes = owner.dialog.get_by_role("checkbox")
    expect(boxes).to_have_count(3)
    fits(owner)
    for name in ("Token nightly", "Trust deploy"):
        owner.dialog.get_by_role("checkbox", name=name).check()

    # The first attempt to delete the trust fails. The member is removed only once.
    asked = []
    owner.page.on("request", lambda request: request.method == "DELETE" and asked.append(request.url.split("/")[-2]))
    owner.page.route("**/v1/trusts/*", lambda route: route.abort(), times=1)
    owner.press("Remove", exact=True, within=owner.dialog)
    expect(owner.dialog.get_by_role("alert")).to_contain_text("deploy is still valid: Waymark does not answer.")
    fits(owner)
    owner.press("Remove", exact=True, within=owner.dialog)
    expect(owner.announcement).to_contain_text("removed. Ended: nightly and deploy.")
    assert asked == ["members", "tokens", "trusts", "trusts"]
    expect(row(owner, admin, "Members")).to_have_count(0)
    expect(row(owner, "kept")).to_be_visible()
    expect(row(owner, "nightly")).to_have_count(0)
    expect(row(owner, "deploy", "CI jobs")).to_have_count(0)


def test_the_last_owner_sees_why_they_stay(slug, owner):
    own = row(owner, f"owner@{slug}.example", "Members")
    expect(own).to_contain_text("You")
    role = own.get_by_role("combobox")
    role.select_option("admin")
    owner.press("Change my role")
    sentence = f"owner@{slug}.example is the last owner of this organization. Give another member the role owner first."
    expect(own.get_by_role("alert")).to_have_text(sentence)
    expect(role).to_have_value("owner")
    expect(own.get_by_role("button")).to_have_count(0)


def test_an_editor_sees_the_members_only_and_can_leave(slug, joined):
    eve = joined("Eve", "editor")
    expect(eve.page.get_by_role("list", name="Members").get_by_role("listitem")).to_have_count(2)
    expect(eve.page.get_by_role("combobox")).to_have_count(0)
    expect(eve.page.get_by_text("Only admins and owners can see API tokens.")).to_be_visible()
    expect(eve.page.get_by_role("list", name="API tokens")).to_have_count(0)
    expect(eve.page.get_by_role("button", name="Create token…")).to_have_count(0)
    expect(eve.page.get_by_role("button", name="Remove")).to_have_count(0)
    expect(eve.page.get_by_text("Only admins and owners can invite people. Ask one of them.")).to_be_visible()
    expect(eve.page.get_by_role("button", name="Invite people…")).to_have_count(0)
    eve.press("Leave ")
    expect(eve.dialog).to_contain_text("Only an admin or owner can invite you again.")
    eve.press("Leave", exact=True, within=eve.dialog)
    expect(eve.page.get_by_role("heading", level=1)).to_have_text("You do not belong to this organization")


def test_a_narrow_page_by_keyboard(waymark, slug, joined):
    long = '"><img src=x onerror=alert(1)>' + "x" * 90
    waymark.cli("token", "create", "--organization", slug, "--role", "viewer", "--name", long)
    mia = joined("Mia", "admin", width=390, color_scheme="dark")
    page, keyboard = mia.page, mia.page.keyboard
    expect(row(mia, long)).to_be_visible()
    assert overflow(page) <= 0 and low_contrast(page) == [] and violations(page) == []
    assert_landmarks(page)
    page.get_by_role("button", name="Menu", exact=True).focus()
    keyboard.press("Enter")
    expect(page.get_by_role("link", name="People", exact=True)).to_have_attribute("aria-current", "page")
    keyboard.press("Escape")
    keyboard.press("Control+k")
    keyboard.type("users")
    expect(mia.dialog.get_by_role("option", selected=True)).to_have_text("People")
    keyboard.press("Escape")
    page.get_by_role("button", name="Create token…").focus()
    keyboard.press("Enter")
    keyboard.type("by keyboard")
    keyboard.press("Tab")
    keyboard.press("ArrowDown")
    expect(mia.dialog.get_by_role("radio", name="editor")).to_be_checked()
    assert overflow(page) <= 0 and violations(page) == [] and page.evaluate(NAMELESS) == []
    keyboard.press("Enter")
    expect(mia.dialog.get_by_role("button", name="Copy", exact=True)).to_be_focused()
    assert overflow(page) <= 0 and mia.dialog.evaluate("dialog => dialog.scrollWidth - dialog.clientWidth") <= 0
    mia.dialog.get_by_role("button", name="Done").focus()
    keyboard.press("Enter")
    expect(row(mia, "by keyboard")).to_be_visible()
    expect(page.get_by_role("button", name="Create token…")).to_be_focused()
    revoke = page.get_by_role("button", name="Revoke token by keyboard…")
    revoke.focus()
    keyboard.press("Enter")
    expect(mia.dialog.get_by_role("button", name="Cancel")).to_be_focused()
    keyboard.press("Escape")
    expect(revoke).to_be_focused()
