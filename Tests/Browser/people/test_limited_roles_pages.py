"""Roles that are limited to domains, on the pages."""

from playwright.sync_api import expect

from checks import overflow, violations
from people_page import opened, row
from samples import draft

UNKNOWN = '{"applinks": {"details": [{"appIDs": ["UNKNOWN001.com.example.app"]}]}}'


def test_an_administrator_limits_people_and_tokens_to_labels(slug, new_dashboard, new_member):
    new_member(slug, "Eve", "publisher")
    owner = opened(new_dashboard(slug, permissions=["clipboard-read", "clipboard-write"]))
    eve = row(owner, "Eve", "Members")
    eve.get_by_role("button", name="For all domains").click()
    assert violations(owner.page) == []
    owner.type("Only for domains with these labels", "shop, eu", within=owner.dialog)
    owner.press("Save limit")
    expect(eve.get_by_role("button", name="For eu, shop")).to_be_focused()
    eve.get_by_role("combobox").select_option("viewer")
    expect(eve.get_by_role("button", name="limit")).to_have_count(0)
    expect(owner.page.get_by_text("Eve now has the role viewer.")).to_be_visible()

    owner.press("Create token…")
    labels = owner.dialog.get_by_label("Only for domains with these labels")
    expect(labels).to_be_hidden()
    owner.dialog.get_by_role("radio", name="editor").check()
    labels.fill("x" * 64)
    owner.type("Name", "Shop CI", within=owner.dialog)
    owner.press("Create token", exact=True, within=owner.dialog)
    expect(owner.dialog).to_contain_text("63")
    labels.fill("shop")
    assert violations(owner.page) == []
    owner.press("Create token", exact=True, within=owner.dialog)
    owner.press("Copy", exact=True, within=owner.dialog)
    owner.press("Done")
    expect(row(owner, "Shop CI", "API tokens")).to_contain_text("editor for shop")

    owner.press("Invite people…")
    owner.type("E-mail addresses", f"grace@{slug}.example", within=owner.dialog)
    owner.dialog.get_by_role("radio", name="publisher").check()
    owner.type("Only for domains with these labels", "shop", within=owner.dialog)
    owner.press("Invite", exact=True, within=owner.dialog)
    link = owner.dialog.locator("code").inner_text()
    owner.press("Done")
    expect(row(owner, f"grace@{slug}.example", "Invitations")).to_contain_text("publisher for shop")
    assert overflow(owner.page) == 0
    owner.page.goto(link)
    expect(owner.page.get_by_text("publisher for shop")).to_be_visible()


def test_the_limit_of_a_role_warns_of_labels_that_no_domain_has(waymark, slug, new_dashboard):
    owner = opened(new_dashboard(slug))
    owner.press("Invite people…")
    owner.dialog.get_by_role("radio", name="editor").check()
    field = owner.dialog.get_by_label("Only for domains with these labels")
    expect(owner.dialog.get_by_text("No domain has a label yet.")).to_be_visible()
    owner.press("Cancel", within=owner.dialog)
    waymark.new_domain(token=waymark.token("owner", slug), labels=["shop", "brand acme"])
    owner.press("Invite people…")
    owner.dialog.get_by_role("radio", name="editor").check()
    expect(owner.dialog.get_by_text("Labels of your domains: brand acme and shop.")).to_be_visible()
    field.fill("shop, example, sho")
    warning = owner.dialog.get_by_role("status")
    expect(warning).to_have_text("No domain has the labels example and sho yet.")
    assert violations(owner.page) == []
    field.fill("shop, example")
    expect(warning).to_have_text("No domain has the label example yet.")
    field.fill("shop, brand acme")
    expect(warning).to_have_text("")
    assert violations(owner.page) == []


def test_a_limited_member_edits_only_domains_within_the_limit(waymark, slug, new_member):
    token = waymark.token("owner", slug)
    waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"}, token=token)
    waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app"}, token=token)
    shop = waymark.new_domain(draft("/shop"), token, labels=["shop"])
    blog = waymark.new_domain(draft("/blog"), token, labels=["blog"])
    eve = new_member(slug, "Eve", "publisher", width=390)
    waymark.cli("user", "role", f"eve@{slug}.example", "publisher", "--label", "shop", "--organization", slug)

    eve.open_domain(shop)
    expect(eve.page.get_by_role("link", name="Publish…")).to_be_visible()
    eve.press("Import a file…")
    eve.type("The file’s text", UNKNOWN, within=eve.dialog)
    eve.press("Import", exact=True, within=eve.dialog)
    who = "An editor, publisher, admin or owner without a limit can register apps."
    expect(eve.dialog).to_contain_text("Not registered: UNKNOWN001.com.example.app.")
    expect(eve.dialog).to_contain_text(who)
    unknown = {"entries": [{"apps": ["UNKNOWN001.com.example.app"], "rules": []}], "compatibility": "ios13"}
    eve.open_domain(waymark.new_domain(unknown, token, labels=["shop"]))
    expect(eve.page.get_by_text("not registered", exact=True)).to_be_visible()
    expect(eve.page.get_by_role("link", name="not registered", exact=True)).to_have_count(0)
    eve.open_domain(blog)
    notice = "You can only read this. Your role counts for domains with the label shop."
    expect(eve.page.get_by_text(notice)).to_be_visible()
    expect(eve.page.get_by_role("link", name="Publish…")).to_be_hidden()
    expect(eve.page.get_by_role("button", name="Edit as JSON")).to_be_hidden()
    eve.open("/apps")
    expect(eve.page.get_by_role("heading", name="Apps", level=1)).to_be_visible()
    expect(eve.page.get_by_role("button", name="Add app…")).to_be_hidden()
