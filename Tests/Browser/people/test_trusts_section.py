"""The section "CI jobs" of the page "People": trusts in CI systems are created, changed and deleted."""

import re

from playwright.sync_api import expect

from checks import low_contrast, overflow, violations
from installation import eventually
from people_page import opened, row


def trusts(waymark, slug):
    return waymark.api("GET", "/v1/trusts", token=waymark.token("admin", slug)).json()["items"]


def claims(dashboard):
    return dashboard.dialog.get_by_role("textbox", name="The job’s token must have exactly")


def test_a_trust_in_github_actions_is_created_changed_and_deleted(waymark, slug, new_dashboard):
    owner = opened(new_dashboard(slug, permissions=["clipboard-read", "clipboard-write"]))
    page = owner.page
    expect(page.get_by_text("No CI jobs are trusted.")).to_be_visible()

    owner.press("Trust CI jobs…")
    assert violations(page) == [] and low_contrast(page) == []
    owner.press("Create trust", within=owner.dialog)
    expect(owner.dialog).to_contain_text("Enter a name.")
    owner.type("Name", "Deploy", within=owner.dialog)
    expect(claims(owner)).to_have_value("repository_id = \nrepository_owner_id = \nref = refs/heads/main")
    # A name of a repository can be given to another person.
    claims(owner).fill("repository_id = shop\nrepository_owner_id = 123456\nref = refs/heads/main")
    owner.press("Create trust", within=owner.dialog)
    expect(claims(owner)).to_have_accessible_description(re.compile("number in repository_id, not a name: shop"))
    claims(owner).fill("repository_id = 456789\nrepository_owner_id=123456\n\nref = refs/heads/a=b")
    owner.dialog.get_by_role("radio", name="publisher").check()
    owner.type("Only for domains", "shop", within=owner.dialog)
    owner.dialog.get_by_label("A token is valid for").select_option("5 minutes")
    owner.press("Create trust", within=owner.dialog)

    expect(owner.dialog.get_by_role("heading")).to_have_text("Jobs of Deploy")
    [made] = trusts(waymark, slug)
    expect(owner.dialog.get_by_role("group", name="Audience")).to_have_text(made["audience"])
    owner.dialog.get_by_role("button", name="Copy").nth(1).click()
    eventually(lambda: page.evaluate("navigator.clipboard.readText()") == f"waymark token exchange --organization {slug}")
    assert violations(page) == [] and low_contrast(page) == []
    owner.press("Done")
    required = {"repository_id": "456789", "repository_owner_id": "123456", "ref": "refs/heads/a=b"}
    assert {name: made[name] for name in ("provider", "claims", "role", "labels", "lifetimeSeconds")} == {
        "provider": "github", "claims": required, "role": "publisher", "labels": ["shop"], "lifetimeSeconds": 300,
    }
    for words in ("GitHub Actions", "repository_id = 456789", "publisher", "shop", "Never used", f"by owner@{slug}.example"):
        expect(row(owner, "Deploy", "CI jobs")).to_contain_text(words)

    owner.press("Change trust Deploy…")
    expect(claims(owner)).to_have_value("ref = refs/heads/a=b\nrepository_id = 456789\nrepository_owner_id = 123456")
    expect(owner.dialog.get_by_role("radio", name="publisher")).to_be_checked()
    expect(owner.dialog.get_by_label("A token is valid for")).to_have_value("300")
    claims(owner).fill("repository_id = 456789\nrepository_owner_id = 123456\nenvironment = production")
    owner.press("Change trust", exact=True, within=owner.dialog)
    expect(owner.announcement).to_contain_text("Trust Deploy changed.")
    expect(row(owner, "Deploy", "CI jobs")).to_contain_text("environment = production")
    expect(page.get_by_role("button", name="Change trust Deploy…")).to_be_focused()
    assert trusts(waymark, slug)[0]["claims"]["environment"] == "production"

    owner.press("Delete trust Deploy…")
    owner.press("Delete trust", exact=True, within=owner.dialog)
    expect(owner.announcement).to_contain_text("Trust Deploy deleted.")
    expect(page.get_by_text("No CI jobs are trusted.")).to_be_visible()
    assert trusts(waymark, slug) == []


def test_other_systems_need_their_issuer_and_gitlab_has_its_own_claims(waymark, slug, new_dashboard):
    owner = opened(new_dashboard(slug, width=390))
    owner.press("Trust CI jobs…")
    owner.type("Name", "Nightly", within=owner.dialog)
    system = owner.dialog.get_by_label("CI system")
    system.select_option("GitLab")
    expect(claims(owner)).to_have_value("project_id = \nnamespace_id = \nref_type = branch\nref = main")
    system.select_option("Another system with OpenID Connect")
    claims(owner).fill("sub = nightly")
    owner.press("Create trust", within=owner.dialog)
    expect(owner.dialog).to_contain_text("Enter the issuer’s address.")
    owner.type("Issuer", "https://ci.example.com", within=owner.dialog)
    owner.press("Create trust", within=owner.dialog)
    owner.press("Done")
    expect(row(owner, "Nightly", "CI jobs")).to_contain_text("https://ci.example.com")
    owner.press("Change trust Nightly…")
    owner.press("Cancel")
    assert overflow(owner.page) == 0
    assert violations(owner.page) == [] and low_contrast(owner.page) == []


def test_an_admin_cannot_change_the_trust_of_an_owner_and_an_editor_sees_none(waymark, slug, new_member):
    trust = {"name": "of an owner", "provider": "other", "issuer": "https://ci.example", "claims": {"sub": "x"}, "role": "owner"}
    assert waymark.api("POST", "/v1/trusts", trust, waymark.session("owner", slug), token=False).status_code == 201
    admin = opened(new_member(slug, "Ada", "admin"))
    expect(row(admin, "of an owner", "CI jobs").get_by_role("button")).to_have_text(["Use…"])
    editor = opened(new_member(slug, "Bob", "editor"))
    expect(editor.page.get_by_role("heading", name="CI jobs")).to_have_count(0)
