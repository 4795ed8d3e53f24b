"""Requests for approval: who made and edited them, and how a request is cancelled."""

import re

import pytest
from playwright.sync_api import expect

from approvals import approve, domain_without_edits, edit, request_approval, require
from samples import draft

BY_A_TOKEN = "One more approval is needed, because a token edited the file and the person behind it is not known."


@pytest.fixture
def host(waymark, slug):
    return domain_without_edits(waymark, slug)


@pytest.fixture
def asked(joined, host):
    """A publisher's dashboard on an editor's request, which an owner may approve, and the ID of the request."""
    owner, bob, ada = joined("Olga", "owner"), joined("Bob", "editor"), joined("Ada", "publisher")
    require(owner)
    edit(bob, host, "/sale/*")
    request = request_approval(bob, host)
    approve(owner, request)
    ada.open("/approvals", request=request)
    return ada, request


def test_a_token_is_never_shown_as_a_person(waymark, joined, slug, host):
    owner = joined("Olga", "owner")
    require(owner)
    token = waymark.token("editor", slug)
    waymark.put_draft(host, draft("/sale/*"), token=token)
    body = {"hosts": [host], "message": "the sale"}
    made = waymark.api("POST", "/v1/approval-requests", body, token=token)
    assert made.status_code == 201, made.text
    comment = {"text": "made by CI"}
    path = f"/v1/approval-requests/{made.json()['id']}/comments"
    assert waymark.api("POST", path, comment, token=token).is_success
    owner.open("/approvals")
    row = owner.page.get_by_role("list", name="Requests").get_by_role("listitem")
    expect(row).to_contain_text("token test-editor, ")
    row.get_by_role("link", name="the sale").click()
    expect(owner.page.get_by_text("Requested by token test-editor")).to_be_visible()
    files = owner.page.get_by_role("list", name="Files")
    expect(files).to_contain_text("Edited by token test-editor.")
    expect(files).to_contain_text("0 of 2 approvals")
    expect(files).to_contain_text(BY_A_TOKEN)
    expect(owner.page.get_by_role("list", name="Reviews and comments")).to_contain_text("token test-editor commented")
    owner.open_review(host)
    checks = owner.page.get_by_role("list", name="Checks", exact=True)
    expect(checks).to_contain_text("Requested by token test-editor ")
    owner.open("/events", kind="approval")
    rows = owner.page.get_by_role("list", name=re.compile("^Events of")).locator(":scope > li")
    for text, author in [("Approval requested", "token test-editor"), ("Approval required", f"olga@{slug}.example")]:
        expect(rows.filter(has_text=text).get_by_role("button", name=author, exact=True)).to_be_visible()


def test_a_file_that_only_people_edited_needs_no_other_approval(asked):
    ada, _ = asked
    files = ada.page.get_by_role("list", name="Files")
    expect(files).to_contain_text(re.compile(r"Edited by bob@[a-z0-9-]+\.example\."))
    expect(files).not_to_contain_text("One more approval is needed")


def test_to_cancel_a_request_asks_first_and_keeps_the_typed_reason(waymark, slug, asked):
    ada, request = asked
    comment = ada.page.get_by_role("textbox", name="Comment")
    comment.fill("The sale is off & over.\nSee “plans” next week: 100%")
    ada.press("Cancel request…")
    expect(ada.dialog).to_contain_text("Its approvals end")
    expect(ada.dialog).to_contain_text("A scheduled publication that needs them will not go live.")
    ada.press("Keep request", within=ada.dialog)
    expect(comment).to_have_value("The sale is off & over.\nSee “plans” next week: 100%")
    expect(ada.page.locator("main .badge").first).to_have_text("Approved")
    ada.press("Cancel request…")
    ada.press("Cancel request", exact=True, within=ada.dialog)
    expect(ada.announcement).to_contain_text("Request cancelled.")
    expect(ada.page.locator("main .badge").first).to_have_text("Cancelled")
    query = {"kind": "approval.cancelled", "sort": "newest"}
    [event] = waymark.api("GET", "/v1/events", token=waymark.token(organization=slug), params=query).json()["items"]
    assert event["reason"] == "The sale is off & over. See “plans” next week: 100%"
    assert event["subject"] == request


def test_a_request_is_cancelled_without_a_reason_too_but_not_with_a_long_one(asked):
    ada, _ = asked
    ada.type("Comment", "x" * 501)
    ada.press("Cancel request…")
    expect(ada.page.get_by_text("The reason can have at most 500 characters.")).to_be_visible()
    expect(ada.dialog).to_have_count(0)
    ada.type("Comment", " \n ")
    ada.press("Cancel request…")
    ada.press("Cancel request", exact=True, within=ada.dialog)
    expect(ada.page.locator("main .badge").first).to_have_text("Cancelled")
