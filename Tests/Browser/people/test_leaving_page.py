"""The page "People": the export of the organization, its restoration and its deletion."""

import json
import re

import pytest
from playwright.sync_api import expect


@pytest.fixture
def leaving(new_dashboard, slug):
    dashboard = new_dashboard(slug)
    dashboard.open("/people")
    return dashboard.page.get_by_role("region", name="Export and delete")


def export(page, leaving):
    with page.expect_download() as download:
        leaving.get_by_role("button", name="Download the export").click()
    return download.value


def test_an_export_is_downloaded_and_restored_elsewhere(waymark, leaving, slug, new_dashboard, tmp_path):
    token = waymark.token(organization=slug)
    waymark.api("POST", "/v1/teams", {"teamID": "LEAVING123", "name": "Leaving"}, token=token)
    host = waymark.new_domain(token=token)
    page = leaving.page
    download = export(page, leaving)
    assert download.suggested_filename == f"export-{slug}.ndjson"
    file = tmp_path / "export.ndjson"
    download.save_as(file)
    kinds = [json.loads(line)["kind"] for line in file.read_text().splitlines()]
    assert kinds[:3] == ["organization", "team", "domain"]

    other = waymark.create_organization()
    there = new_dashboard(other)
    there.open("/people")
    region = there.page.get_by_role("region", name="Export and delete")
    with there.page.expect_file_chooser() as chooser:
        region.get_by_role("button", name="Restore an export…").click()
    chooser.value.set_files(file)
    expect(region.get_by_role("status")).to_have_text(re.compile("^2 records restored, 0 existed already, "))
    restored = waymark.api("GET", f"/v1/domains/{host}", token=waymark.token(organization=other))
    assert restored.status_code == 200


def test_a_file_that_is_no_export_is_refused_in_words(leaving, tmp_path):
    file = tmp_path / "other.txt"
    file.write_text("hello\n")
    leaving.locator("input[type=file]").set_input_files(file)
    expect(leaving.get_by_role("alert")).to_have_text(re.compile("^Line 1 of the file is not JSON"))


def test_the_deletion_needs_the_slug_and_every_page_tells_of_it(leaving, slug, new_dashboard):
    page = leaving.page
    leaving.get_by_role("button", name="Delete the organization").click()
    expect(leaving.get_by_text("Type the short name.")).to_be_visible()
    leaving.get_by_label(f"Type {slug} to confirm").fill("another")
    leaving.get_by_role("button", name="Delete the organization").click()
    expect(leaving.get_by_text(re.compile(f"must be {slug}", re.IGNORECASE))).to_be_visible()
    leaving.get_by_label(f"Type {slug} to confirm").fill(slug)
    leaving.get_by_role("button", name="Delete the organization").click()
    expect(leaving.get_by_text(re.compile("^This organization will be deleted on "))).to_be_visible()
    # This installation has no mail server.
    expect(page.locator(".announcement")).to_contain_text("The organization will be deleted.")
    expect(page.locator(".announcement")).not_to_contain_text("mail")
    expect(leaving.get_by_role("button", name="Delete the organization")).to_be_hidden()
    page.goto(page.url.replace("/people", "/"))
    notice = page.get_by_text(re.compile("^This organization will be deleted on "))
    expect(notice).to_be_visible()
    notice.get_by_role("link", name="Export it or keep it").click()
    page.get_by_role("button", name="Keep the organization").click()
    expect(page.get_by_label(f"Type {slug} to confirm")).to_be_visible()
    page.reload()
    expect(page.get_by_label(f"Type {slug} to confirm")).to_be_visible()
    expect(page.get_by_text(re.compile("^This organization will be deleted on "))).to_have_count(0)


def test_only_owners_see_it(slug, new_member):
    member = new_member(slug, "Ada", "admin")
    member.open("/people")
    expect(member.page.get_by_role("heading", name="Members")).to_be_visible()
    expect(member.page.get_by_role("heading", name="Export and delete")).to_be_hidden()
