"""Approvals in the dashboard: an owner requires them, an editor asks, another person approves, and the file goes live."""

import re

import pytest
from playwright.sync_api import expect

from approvals import approve, domain_without_edits, edit, request_approval, require
from checks import NAMELESS, assert_landmarks, low_contrast, overflow, violations


@pytest.fixture
def host(waymark, slug):
    return domain_without_edits(waymark, slug)


def test_an_editor_asks_another_person_approves_and_the_file_goes_live(joined, host):
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    require(owner)
    edit(bob, host, "/sale/*")
    bob.open_review(host)
    checks = bob.page.get_by_role("list", name="Checks", exact=True)
    expect(checks).to_contain_text("The file needs approval")
    bob.press("Request approval…")
    bob.press("Request approval", exact=True, within=bob.dialog)
    expect(bob.dialog).to_contain_text("Enter a message.")
    bob.type("Why is the change made?", "the summer sale", within=bob.dialog)
    bob.press("Request approval", exact=True, within=bob.dialog)
    bob.page.get_by_role("link", name="Show the request").click()
    expect(bob.page.get_by_role("heading", level=1)).to_have_text("the summer sale")
    expect(bob.page.get_by_role("button", name="Approve")).to_be_hidden()
    bob.type("Comment", "It starts on Monday.")
    bob.press("Comment")
    reviews = bob.page.get_by_role("list", name="Reviews and comments")
    expect(reviews).to_contain_text("commented")
    expect(reviews).to_contain_text("It starts on Monday.")

    ada.open("/approvals")
    row = ada.page.get_by_role("list", name="Requests").get_by_role("listitem")
    expect(row).to_contain_text("Needs approval")
    row.get_by_role("link", name="the summer sale").click()
    files = ada.page.get_by_role("list", name="Files")
    expect(files).to_contain_text("0 of 1 approvals")
    expect(files).to_contain_text("Edited by bob@")
    ada.press("Approve")
    expect(ada.announcement).to_contain_text("Approved.")
    expect(files).to_contain_text("Approved by ada@")
    expect(ada.page.locator("main .badge").first).to_have_text("Approved")

    files.get_by_role("link", name=host).click()
    ada.expect_review()
    ada.press("Publish")
    ada.expect_progress("is live")
    ada.open("/approvals")
    ada.page.get_by_text("Ended requests", exact=True).click()
    expect(ada.page.get_by_role("list", name="Ended requests")).to_contain_text("Published")


def test_a_rejection_needs_a_reason_and_ends_the_request(joined, host):
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    require(owner)
    edit(bob, host, "/sale/*")
    request = bob.page.request.post(
        "/v1/approval-requests", data={"hosts": [host], "message": "the sale"},
        headers={"Sec-Fetch-Site": "same-origin"}).json()
    ada.open("/approvals", request=request["id"])
    ada.press("Reject")
    expect(ada.page.get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()
    ada.type("Comment", "The tests are missing.")
    ada.press("Reject")
    expect(ada.page.locator("main .badge").first).to_have_text("Rejected")
    expect(ada.page.get_by_role("button", name="Approve")).to_be_hidden()
    ada.open("/approvals")
    expect(ada.page.get_by_text("No open requests.")).to_be_visible()
    ada.page.get_by_text("Ended requests", exact=True).click()
    expect(ada.page.get_by_role("list", name="Ended requests")).to_contain_text("the sale")


def test_a_named_person_publishes_without_approvals_and_others_are_not_offered_it(joined, slug, host):
    owner, bob, eve = joined("Olga", "owner"), joined("Bob", "editor"), joined("Eve", "publisher")
    require(owner, f"eve@{slug}.example")
    edit(bob, host, "/sale/*")
    owner.open_review(host)
    expect(owner.page.get_by_role("button", name="Request approval…")).to_be_visible()
    expect(owner.page.get_by_label("Publish without the approvals")).to_be_hidden()
    expect(owner.page.get_by_role("button", name="Publish", exact=True)).to_be_hidden()
    eve.open_review(host)
    eve.page.get_by_label("Publish without the approvals").check()
    eve.press("Publish", exact=True)
    expect(eve.page.get_by_label("Reason")).to_be_focused()
    eve.type("Reason", "the app is down")
    eve.press("Publish", exact=True)
    eve.expect_progress("is live")
    owner.open("/events", kind="approval")
    expect(owner.page.get_by_role("main")).to_contain_text(f"{host} Published without approval: the app is down")
    owner.open("/events", host=host)
    row = owner.page.get_by_role("list", name=re.compile("^Events of")).locator(":scope > li").first
    expect(row).to_contain_text("Version 1 went live")
    expect(row.get_by_text("Published without approval: the app is down")).to_have_count(1)
    expect(row).to_have_attribute("data-tone", "warning")
    owner.open_domain(host, "versions")
    versions = owner.page.get_by_role("region", name="Versions", exact=True)
    expect(versions.locator(".version")).to_contain_text("Published without approval: the app is down")
    versions.get_by_text("Publication history").click()
    expect(versions.locator(".publication")).to_contain_text("Published without approval: the app is down")


def test_an_owner_changes_and_deletes_a_policy(joined, slug):
    owner, ada = joined("Olga", "owner"), joined("Ada", "publisher")
    require(owner)
    owner.press("Edit the policy for all domains…")
    expect(owner.dialog.get_by_label("Label")).to_be_hidden()
    owner.dialog.get_by_label("Approvals", exact=True).fill("3")
    owner.type("In an emergency", f"ada@{slug}.example, nobody@{slug}.example", within=owner.dialog)
    owner.press("Save", within=owner.dialog)
    expect(owner.dialog).to_contain_text(f"nobody@{slug}.example is not a member")
    owner.type("In an emergency", f"ada@{slug}.example", within=owner.dialog)
    owner.press("Save", within=owner.dialog)
    policies = owner.page.get_by_role("list", name="Approval policies")
    expect(policies).to_contain_text("3 approvals")
    expect(policies).to_contain_text(f"In an emergency without approvals: ada@{slug}.example")
    ada.open("/approvals")
    expect(ada.page.get_by_role("list", name="Approval policies")).to_contain_text("3 approvals")
    expect(ada.page.get_by_role("button", name="Edit the policy")).to_have_count(0)
    owner.press("Delete the policy for all domains…")
    owner.press("Delete policy", within=owner.dialog)
    expect(owner.page.get_by_text("No approval is required.")).to_be_visible()


def test_the_page_of_a_release_says_that_it_went_live_without_approvals(joined, slug, host):
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    require(owner, f"ada@{slug}.example")
    edit(bob, host, "/sale/*")
    body = {"hosts": [host], "bypassApproval": True, "reason": "the old links are broken"}
    made = ada.page.request.post("/v1/releases", data=body, headers={"Sec-Fetch-Site": "same-origin"})
    assert made.status == 202, made.text()
    bob.open("/releases", release=made.json()["id"])
    expect(bob.page.get_by_role("main")).to_contain_text("Live", timeout=60_000)
    expect(bob.page.get_by_role("main")).to_contain_text(
        f"by ada@{slug}.example · without the required approvals · “the old links are broken”"
    )


def test_an_editor_finds_the_review_on_the_page_of_the_domain_and_in_the_finder(joined, host):
    owner, bob = joined("Olga", "owner"), joined("Bob", "editor")
    edit(bob, host, "/sale/*")
    bob.open_domain(host)
    expect(bob.page.get_by_role("link", name="Publish…")).to_be_hidden()
    bob.page.get_by_role("link", name="Review and request approval…").click()
    bob.expect_review()
    expect(bob.page.get_by_role("heading", level=1)).to_have_text("Review the draft")
    expect(bob.footer).to_contain_text("Only a publisher can publish. No approval is required for this domain.")
    require(owner)
    bob.open_domain(host)
    bob.press("Find")
    bob.dialog.get_by_role("combobox").fill("request approval")
    bob.page.get_by_role("option", name="Review and request approval").click()
    bob.expect_review()
    expect(bob.page.get_by_role("button", name="Request approval…")).to_be_visible()
    expect(bob.footer).not_to_contain_text("No approval is required")
    owner.open_domain(host)
    expect(owner.page.get_by_role("link", name="Publish…")).to_be_visible()
    expect(owner.page.get_by_role("link", name="Review and request approval…")).to_be_hidden()


def test_the_review_says_who_has_requested_approval_until_the_draft_changes(joined, host, slug):
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    require(owner)
    edit(bob, host, "/sale/*")
    request_approval(bob, host)
    ada.open_review(host)
    checks = ada.page.get_by_role("list", name="Checks", exact=True)
    expect(checks).to_contain_text("Approval is requested")
    expect(checks).to_contain_text("0 of 1 required approval given.")
    expect(checks).to_contain_text(re.compile(rf"Requested by bob@{slug}\.example (just now|\d+ min ago)"))
    expect(checks.get_by_role("button", name="Request approval…")).to_be_hidden()
    expect(checks.get_by_role("link", name="Show the request")).to_be_visible()
    edit(bob, host, "/other/*")
    ada.open_review(host)
    expect(checks).to_contain_text("The file needs approval")
    expect(checks).to_contain_text("The last request is for an earlier draft.")
    expect(checks.get_by_role("button", name="Request approval…")).to_be_visible()


def test_an_approval_that_no_longer_counts_says_why(joined, slug, host):
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    require(owner)
    edit(bob, host, "/sale/*")
    request = request_approval(bob, host)
    approve(ada, request)
    members = owner.page.request.get("/v1/members").json()["items"]
    [member] = [each for each in members if each["email"] == f"ada@{slug}.example"]

    def set_role(role, labels):
        answer = owner.page.request.patch(
            f"/v1/members/{member['id']}", data={"role": role, "labels": labels},
            headers={"Sec-Fetch-Site": "same-origin"})
        assert answer.ok, answer.text()

    files = bob.page.get_by_role("list", name="Files")
    reviews = bob.page.get_by_role("list", name="Reviews and comments")
    bob.open("/approvals", request=request)
    expect(files).to_contain_text(f"Approved by ada@{slug}.example.")
    expect(reviews).not_to_contain_text("No longer counts")
    for role, labels, reason in [
        ("editor", [], "the person now has the role editor"),
        ("publisher", ["shop"], "the person’s role no longer counts for this domain"),
    ]:
        set_role(role, labels)
        bob.open("/approvals", request=request)
        expect(files).to_contain_text(f"No longer counts: ada@{slug}.example, because {reason}.")
        expect(files).not_to_contain_text("Approved by")
        expect(reviews).to_contain_text("No longer counts")
        expect(reviews).to_contain_text(f"This approval no longer counts, because {reason}.")
        expect(bob.page.locator("main .badge").first).to_have_text("Needs approval")
    set_role("publisher", [])
    for path in ("/other/*", "/sale/*"):
        edit(ada, host, path)
    bob.open("/approvals", request=request)
    expect(reviews).to_contain_text("This approval no longer counts, because the person has edited the file since.")
    removed = owner.page.request.delete(f"/v1/members/{member['id']}", headers={"Sec-Fetch-Site": "same-origin"})
    assert removed.ok, removed.text()
    bob.open("/approvals", request=request)
    expect(reviews).to_contain_text("because the person has left the organization.")


def test_the_link_of_a_file_opens_the_requested_file_and_never_another_one(waymark, joined, slug, host):
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    require(owner)
    edit(bob, host, "/sale/*")
    request = request_approval(bob, host)
    approve(ada, request)
    edit(bob, host, "/other/*")
    ada.open("/approvals", request=request)
    files = ada.page.get_by_role("list", name="Files")
    expect(ada.page.locator("main .badge").first).to_have_text("Edited since the request")
    expect(files).to_contain_text("The requested file was not saved as a version.")
    expect(files).to_contain_text("because the draft has changed since")
    expect(files.get_by_role("link", name=host)).to_have_count(0)
    files.get_by_role("link", name="Show the draft now").click()
    ada.expect_review()
    # The draft generates the requested file again, which then goes live.
    edit(bob, host, "/sale/*")
    path = f"/v1/domains/{host}/publications?wait=10"
    assert waymark.api("POST", path, {}, token=waymark.token(organization=slug)).status_code in (201, 202)
    edit(bob, host, "/other/*")
    ada.open("/approvals", request=request)
    expect(files).to_contain_text("version 1")
    files.get_by_role("link", name=host).click()
    expect(ada.page).to_have_url(re.compile(r"/domain/versions\?.*version=1"))


def test_a_request_says_why_a_person_cannot_approve_it(joined, slug, host, waymark):
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    eve = joined("Eve", "publisher")
    require(owner)
    edit(bob, host, "/sale/*")
    edit(ada, host, "/sale/*")
    edit(ada, host, "/more/*")
    request = request_approval(bob, host)
    waymark.cli("user", "role", f"eve@{slug}.example", "publisher", "--label", "shop", "--organization", slug)
    for dashboard, why in [
        (bob, "Publishers approve and reject. Your role is editor."),
        (ada, "You cannot approve. You edited this file, so other people must approve."),
        (eve, f"Your role counts only for domains with the label shop, and not for {host}."),
    ]:
        dashboard.open("/approvals", request=request)
        expect(dashboard.page.get_by_text(why)).to_be_visible()
        expect(dashboard.page.get_by_role("button", name="Approve")).to_be_hidden()
    expect(ada.page.get_by_role("button", name="Reject")).to_be_visible()
    expect(eve.page.get_by_role("button", name="Reject")).to_be_hidden()
    owner.open("/approvals", request=request)
    expect(owner.page.get_by_role("button", name="Approve")).to_be_visible()
    edit(bob, host, "/new/*")
    owner.open("/approvals", request=request)
    why = "You cannot approve. The draft has changed since the request. Request approval of the new file."
    expect(owner.page.get_by_text(why)).to_be_visible()


def test_the_events_of_a_request_begin_with_words_and_link_to_it(joined, host):
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    require(owner)
    edit(bob, host, "/sale/*")
    request = request_approval(bob, host)
    approve(ada, request)
    page = owner.page
    owner.open("/events", kind="approval")
    rows = page.get_by_role("list", name=re.compile("^Events of")).locator(":scope > li")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_have_text(re.compile(r"^\s*Approval given for"))
    expect(rows.nth(1)).to_have_text(re.compile(r"^\s*Approval requested for"))
    expect(rows.nth(2)).to_have_text(re.compile(r"^\s*Every domain Approval required \(1 approval\)"))
    expect(page.get_by_role("main")).not_to_contain_text(request)
    rows.nth(1).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("the summer sale")

    def with_hosts(route):
        body = (answer := route.fetch()).json()
        for item in body["items"]:
            if item["kind"] == "approval.given":
                item |= {"host": None, "detail": {"files": 3}}
        route.fulfill(response=answer, json=body)

    page.route("**/v1/events?*sort=newest*", with_hosts)
    owner.open("/events", kind="approval")
    expect(rows.nth(0)).to_contain_text("Approval given for 3 files")
    expect(rows.nth(1)).to_contain_text(f"Approval requested for {host}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_pages_fit_and_can_be_read(waymark, joined, slug, host, width, scheme):
    owner = joined("Olga", "owner", width=width, color_scheme=scheme)
    bob = joined("Bob", "editor")
    long = "x" * 60
    waymark.cli("user", "add", f"{long}@{slug}.example", "--organization", slug, "--role", "publisher")
    require(owner, f"{long}@{slug}.example")
    edit(bob, host, "/sale/*")
    request = bob.page.request.post(
        "/v1/approval-requests", data={"hosts": [host], "message": f"the sale {long * 3}"},
        headers={"Sec-Fetch-Site": "same-origin"}).json()
    page = owner.page
    for query in ({}, {"request": request["id"]}):
        owner.open("/approvals", **query)
        expect(page.locator(".loading:visible")).to_have_count(0)
        expect(page.get_by_role("main")).to_contain_text("the sale")
        assert_landmarks(page)
        assert overflow(page) <= 0 and violations(page) == [] and low_contrast(page) == []
        assert page.evaluate(NAMELESS) == []
