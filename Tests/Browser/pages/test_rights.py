"""What a page shows to an editor about actions that need a publisher."""

import pytest
from playwright.sync_api import expect


@pytest.fixture
def as_editor(waymark, new_dashboard):
    """A tab whose requests have the rights of an editor."""
    dashboard = new_dashboard()
    token = waymark.token("editor")

    def carry(route):
        if not route.request.url.endswith("/v1/me"):
            return route.continue_(headers={**route.request.headers, "authorization": f"Bearer {token}"})
        answer = route.fetch()
        me = answer.json()
        for organization in me["organizations"]:
            organization["role"] = "editor"
        route.fulfill(response=answer, json=me)

    dashboard.page.route("**/v1/**", carry)
    return dashboard


def test_an_editor_sees_why_a_live_domain_needs_a_publisher(as_editor, published):
    page = as_editor.open_domain(published, "settings")
    aliases = page.get_by_role("region", name="Aliases")
    expect(aliases.get_by_text("only a publisher can add an alias")).to_be_visible()
    expect(aliases.get_by_role("textbox")).to_be_hidden()
    deletion = page.get_by_role("region", name="Delete")
    expect(deletion.get_by_text("only a publisher can do it")).to_be_visible()
    expect(deletion.get_by_role("button")).to_be_hidden()


def test_an_editor_who_adds_a_label_of_a_schedule_sees_the_required_role(waymark, as_editor, host):
    label = f"nightly-{host.partition('.')[0]}"
    schedule = {"name": label, "label": label, "expression": "0 0 29 2 *", "zone": "UTC"}
    assert waymark.api("POST", "/v1/schedules", schedule).status_code == 201
    page = as_editor.open_domain(host, "settings")
    labels = page.get_by_role("region", name="Labels", exact=True)
    as_editor.type("Labels", label, within=labels)
    as_editor.press("Save", within=labels)
    expect(labels.get_by_role("alert")).to_contain_text(f"requires the role publisher in the organization; yours is editor")
    expect(labels.get_by_role("alert")).to_contain_text(f"uses the label {label}")


def test_a_publisher_adds_aliases_and_deletes(dashboard, published):
    page = dashboard.open_domain(published, "settings")
    expect(page.get_by_role("region", name="Aliases").get_by_role("textbox")).to_be_visible()
    expect(page.get_by_text("only a publisher")).to_have_count(2)
    for told in page.get_by_text("only a publisher").all():
        expect(told).to_be_hidden()
