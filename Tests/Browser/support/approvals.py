"""What people and tokens do with approvals, without the pages that a test is about."""

from playwright.sync_api import expect

from samples import draft


def domain_without_edits(waymark, slug):
    """Makes a verified domain without edits, in an organization with an app."""
    token = waymark.token(organization=slug)
    waymark.api("POST", "/v1/teams", {"teamID": "ABCDE12345", "name": "Team"}, token=token)
    waymark.api("POST", "/v1/apps", {"teamID": "ABCDE12345", "bundleID": "com.example.app"}, token=token)
    return waymark.new_domain(token=token)


def edit(dashboard, host, rule):
    """Edits the draft as the person, with their session."""
    answer = dashboard.page.request.put(
        f"/v1/domains/{host}/draft", data=draft(rule), headers={"If-Match": "*", "Sec-Fetch-Site": "same-origin"})
    assert answer.ok, answer.text()


def require(owner, bypassers=""):
    owner.open("/approvals")
    expect(owner.page.get_by_text("No approval is required.")).to_be_visible()
    owner.press("Require approval…")
    owner.type("In an emergency", bypassers, within=owner.dialog)
    owner.press("Save", within=owner.dialog)
    expect(owner.page.get_by_role("list", name="Approval policies")).to_contain_text("all domains 1 approval")


def request_approval(dashboard, host, message="the summer sale"):
    """Requests approval as the person, with their session. Returns the ID of the request."""
    answer = dashboard.page.request.post(
        "/v1/approval-requests", data={"hosts": [host], "message": message}, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.ok, answer.text()
    return answer.json()["id"]


def approve(dashboard, request):
    answer = dashboard.page.request.post(
        f"/v1/approval-requests/{request}/approvals", data={}, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.ok, answer.text()
