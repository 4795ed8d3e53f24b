"""Publishing without the required approvals: who is offered it, on the review of a domain and of a release."""

import pytest
from playwright.sync_api import expect

from approvals import domain_without_edits, edit, require
from dashboard import until_quiet

OFFER = "Publish without the approvals"
SAME = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def host(waymark, slug):
    return domain_without_edits(waymark, slug)


@pytest.fixture
def team(joined):
    return joined("Olga", "owner"), joined("Bob", "editor"), joined("Eve", "publisher")


def checks_of(dashboard):
    return dashboard.page.get_by_role("list", name="Checks", exact=True)


def add_policy(owner, label, bypassers=()):
    body = {"label": label, "approvals": 1, "bypassers": list(bypassers)}
    answer = owner.page.request.post("/v1/approval-policies", data=body, headers=SAME)
    assert answer.ok, answer.text()


def expect_an_offer(dashboard, offered):
    """The offer comes after the check, so it is looked at when nothing is being loaded."""
    until_quiet(dashboard.page, 500)
    expect(dashboard.page.get_by_label(OFFER)).to_be_visible(visible=offered)


def test_the_policy_of_an_alias_decides_too(waymark, slug, team, host):
    owner, bob, eve = team
    token = waymark.token(organization=slug)
    alias = waymark.new_host("alias")
    made = waymark.api("POST", "/v1/domains", {"host": alias, "aliasOf": host, "labels": ["shop"]}, token=token)
    assert made.status_code == 201, made.text
    add_policy(owner, "shop")
    edit(bob, host, "/sale/*")
    eve.open_review(host)
    expect(checks_of(eve)).to_contain_text("The file needs approval")
    expect_an_offer(eve, False)
    add_policy(owner, None, [f"eve@{slug}.example"])
    eve.open_review(host)
    expect(checks_of(eve)).to_contain_text("The file needs approval")
    expect_an_offer(eve, False)
    for policy in owner.page.request.get("/v1/approval-policies").json()["items"]:
        if policy["label"]:
            answer = owner.page.request.patch(
                f"/v1/approval-policies/{policy['id']}", data={"bypassers": [f"eve@{slug}.example"]}, headers=SAME)
            assert answer.ok, answer.text()
    eve.open_review(host)
    expect(eve.page.get_by_label(OFFER)).to_be_visible()


def test_nobody_is_offered_it_if_no_policy_is_known(slug, team, host):
    owner, bob, eve = team
    require(owner, f"eve@{slug}.example")
    edit(bob, host, "/sale/*")
    eve.page.route("**/v1/approval-policies?*", lambda route: route.fulfill(json={"items": [], "next": None}))
    eve.open_review(host)
    expect(checks_of(eve)).to_contain_text("The file needs approval")
    expect_an_offer(eve, False)


def test_the_reason_is_named_after_what_is_chosen(slug, team, host):
    owner, bob, eve = team
    require(owner, f"eve@{slug}.example")
    edit(bob, host, "/sale/*")
    eve.open_review(host)
    eve.page.get_by_label(OFFER).check()
    reason = eve.page.get_by_role("textbox", name="Reason")
    expect(reason).to_have_accessible_name("Reason")
    expect(reason).to_have_accessible_description(
        "Say why the file cannot wait for the approvals. Everybody sees the reason in the events.")
    eve.page.get_by_role("radio", name="Schedule").check()
    eve.page.get_by_role("checkbox", name="Publish even if a file differs a lot").check()
    expect(reason).to_have_accessible_name("Reason")
    expect(reason).to_have_accessible_description(
        "Say why the file cannot wait for the approvals, and why you override. Everybody sees the reason in the events.")
    eve.page.get_by_label(OFFER).uncheck()
    expect(reason).to_have_accessible_name("Reason for overriding")
    expect(reason).to_have_accessible_description("The reason is saved with the publication.")


def test_a_live_file_needs_no_approval(waymark, slug, team, host):
    owner, bob, eve = team
    edit(bob, host, "/sale/*")
    waymark.publish(host, token=waymark.token(organization=slug))
    require(owner, f"eve@{slug}.example")
    for person in (bob, eve):
        person.open_review(host)
        expect(person.footer).to_contain_text("Nothing to publish: the live file is the same.")
        expect(person.page.get_by_role("main")).not_to_contain_text("The file needs approval")
        expect(person.page.get_by_role("button", name="Request approval…")).to_have_count(0)
        expect(person.footer).not_to_contain_text("No approval is required")
        expect_an_offer(person, False)
    eve.page.get_by_role("radio", name="Schedule").check()
    expect(eve.footer).to_contain_text("Nothing to publish: the live file is the same.")
    edit(bob, host, "/other/*")
    bob.open_review(host)
    expect(bob.page.get_by_role("button", name="Request approval…")).to_be_visible()


def test_a_named_person_publishes_a_release_without_the_approvals(waymark, slug, team, host):
    owner, bob, eve = team
    other = waymark.new_domain(labels=["shop"], token=waymark.token(organization=slug))
    require(owner, f"eve@{slug}.example")
    for each in (host, other):
        edit(bob, each, "/sale/*")
    owner.open("/publish", host=[host, other])
    expect(owner.footer).to_contain_text("2 of 2 domains cannot be published.")
    expect_an_offer(owner, False)
    eve.open("/publish", host=[host, other])
    eve.page.get_by_label(OFFER).check()
    failing = eve.page.get_by_role("list", name="Domains that cannot be published")
    expect(failing).to_be_hidden()
    expect(eve.footer).to_contain_text("2 domains are published without the approvals.")
    eve.press("Publish", exact=True)
    reason = eve.page.get_by_role("textbox", name="Reason")
    expect(reason).to_be_focused()
    eve.type("Reason", "the app is down")
    eve.page.get_by_label(OFFER).uncheck()
    expect(failing).to_be_visible()
    expect(eve.page.get_by_role("button", name="Publish", exact=True)).to_be_hidden()
    eve.page.get_by_label(OFFER).check()
    eve.press("Publish", exact=True)
    expect(eve.page.get_by_role("main")).to_contain_text("2 domains went live in one step.")
    expect(eve.page.get_by_role("main")).to_contain_text("without the required approvals · “the app is down”")


def test_a_release_with_a_domain_of_another_policy_is_not_offered_it(waymark, slug, team, host):
    owner, bob, eve = team
    other = waymark.new_domain(labels=["shop"], token=waymark.token(organization=slug))
    require(owner, f"eve@{slug}.example")
    add_policy(owner, "shop")
    for each in (host, other):
        edit(bob, each, "/sale/*")
    eve.open("/publish", host=[host, other])
    expect(eve.footer).to_contain_text("2 of 2 domains cannot be published.")
    expect_an_offer(eve, False)
