"""Publishing without the required approvals: who is offered it, on the review of a domain and of a release."""

import pytest
from playwright.sync_api import expect

from approvals import edit, require
from dashboard import until_quiet

OFFER = "Publish without the approvals"
SAME = {"Sec-Fetch-Site": "same-origin"}


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
