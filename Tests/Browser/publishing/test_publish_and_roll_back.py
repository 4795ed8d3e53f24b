"""Publishing with its checks, and rolling back."""

from playwright.sync_api import expect

from dashboard import HELP, SHOP, draft, rule


def test_publishing_shows_the_changes_and_goes_live(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule("/gifts/*")])))
    dashboard.open_domain(published, "versions")
    expect(dashboard.page.get_by_text("Unpublished changes")).to_be_visible()
    dashboard.press("Publish…", exact=True)
    changes = dashboard.dialog.get_by_label("Changed lines")
    expect(changes).to_contain_text("added: ")
    expect(changes.locator("[data-change=added]").filter(has_text="/gifts/*")).to_have_count(1)
    expect(changes.locator("[data-change=removed]").filter(has_text="/help/website/*")).to_have_count(1)
    dashboard.type("Message", "Gifts are new", within=dashboard.dialog)
    dashboard.press("Publish", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("heading", name="Version 2 is live")).to_be_visible()
    reached = dashboard.dialog.get_by_role("list", name="Delivery").get_by_role("listitem")
    expect(reached.filter(has_text="Serves version 2")).to_have_count(1)
    dashboard.press("Close", within=dashboard.dialog.get_by_role("status"))

    newest = dashboard.page.get_by_role("region", name="Versions").get_by_role("listitem").first
    expect(newest).to_contain_text("Version 2")
    expect(newest).to_contain_text("Live")
    expect(newest).to_contain_text("Gifts are new")
    version = waymark.api("GET", f"/v1/domains/{published}/versions/2").json()
    assert waymark.served(published, version["sha256"]).headers["Waymark-Version"] == "2"


def test_failed_checks_are_shown_with_their_reasons(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/*"), rule("/never/*", exclude=True)])))
    dashboard.open_domain(host, "versions")
    dashboard.press("Publish…", exact=True)
    dashboard.press("Publish", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("heading", name="Not published")).to_be_visible()
    failed = dashboard.dialog.get_by_role("listitem").filter(has_text="Failed")
    expect(failed).to_have_count(1)
    expect(failed).to_contain_text("The file has no errors")
    expect(dashboard.dialog.get_by_role("button", name="Override")).to_be_hidden()
    dashboard.dialog.get_by_role("link", name="Show the rule").first.click()
    expect(dashboard.dialog).to_be_hidden()
    assert waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"] == []


def test_a_suspicious_change_can_be_overridden_with_a_reason(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP, HELP], [rule("/*")])))
    waymark.publish(host)
    waymark.put_draft(host, draft(([SHOP], [rule("/*")])))
    dashboard.open_domain(host, "versions")
    dashboard.press("Publish…", exact=True)
    dashboard.press("Publish", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("listitem").filter(has_text="Failed")).to_contain_text(HELP)
    dashboard.type("Reason for overriding", "Help is part of Shop now", within=dashboard.dialog)
    dashboard.press("Override", within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("heading", name="Version 2 is live")).to_be_visible()
    publication = waymark.api("GET", f"/v1/domains/{host}/publications").json()["items"][0]
    assert publication["reason"] == "Help is part of Shop now"


def test_an_override_needs_a_reason(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP, HELP], [rule("/*")])))
    waymark.publish(host)
    waymark.put_draft(host, draft(([SHOP], [rule("/*")])))
    dashboard.open_domain(host, "versions")
    dashboard.press("Publish…", exact=True)
    dashboard.press("Publish", exact=True, within=dashboard.dialog)
    dashboard.press("Override", within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("textbox", name="Reason for overriding")).to_have_attribute("aria-invalid", "true")
    assert len(waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"]) == 1


def test_a_draft_that_changed_is_not_published_unseen(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    dashboard.press("Publish…", exact=True)
    expect(dashboard.dialog).to_be_visible()
    waymark.put_draft(published, draft(([SHOP], [rule("/unseen/*")])))
    dashboard.press("Publish", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog).to_contain_text("The draft has changed since you opened this")
    assert len(waymark.api("GET", f"/v1/domains/{published}/versions").json()["items"]) == 1


def test_an_older_version_is_published_again(waymark, dashboard, published):
    first = waymark.api("GET", f"/v1/domains/{published}/versions/1").json()
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    waymark.publish(published)
    dashboard.open_domain(published, "versions")
    dashboard.press("Publish version 1 again")
    expect(
        dashboard.dialog.get_by_label("Changed lines").locator("[data-change=added]").filter(has_text="/buy/*")
    ).to_have_count(1)
    dashboard.press("Publish again", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("heading", name="Version 1 is live")).to_be_visible()
    dashboard.press("Close", within=dashboard.dialog.get_by_role("status"))
    expect(dashboard.page.get_by_role("main").get_by_text("Version 1 · went live")).to_be_visible()
    assert waymark.served(published, first["sha256"]).headers["Waymark-Version"] == "1"
    assert dashboard.patterns() == ["/new/*"], "a rollback does not change the draft"


def test_the_file_of_a_version_can_be_viewed(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    dashboard.press("View the file of version 1")
    text = waymark.api("GET", f"/v1/domains/{published}/versions/1/file").text
    shown = dashboard.dialog.get_by_label("The file of this version")
    expect(shown).not_to_be_empty()
    assert "".join(shown.text_content().split()) == "".join(text.split())
    dashboard.page.keyboard.press("Escape")
    expect(dashboard.dialog).to_be_hidden()
    expect(dashboard.page.get_by_role("button", name="View the file of version 1")).to_be_focused()


def test_an_unverified_host_is_marked_as_verified_and_then_published(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/*")])), host=waymark.new_host("www").replace(".example", ".com"))
    dashboard.open_domain(host, "versions")
    expect(dashboard.page.get_by_text("Verify that you own this host")).to_be_visible()
    dashboard.press("Mark verified (local)")
    expect(dashboard.page.get_by_text("Verify that you own this host")).to_be_hidden()
    dashboard.publish()
    expect(dashboard.page.get_by_role("main").get_by_text("Version 1 · went live")).to_be_visible()


def test_the_publication_history_is_listed(waymark, dashboard, published):
    waymark.publish_again(published, version=1)
    dashboard.open_domain(published, "versions")
    dashboard.page.get_by_text("Publication history").click()
    publications = dashboard.page.locator(".publication")
    expect(publications).to_have_count(2)
    expect(publications.first).to_contain_text("Version 1")
    expect(publications.first).to_contain_text("Went live")
    expect(publications.first).to_contain_text("“once more”")


def test_a_failed_publication_is_shown_without_opening_a_list(waymark, dashboard, published):
    dashboard.page.route("**/publications?*", as_failed)
    dashboard.open_domain(published, "versions")
    expect(dashboard.page.locator(".publication")).to_contain_text("Failed")
    expect(dashboard.page.locator(".publication")).to_contain_text("the disk is full")
    expect(dashboard.page.locator(".publication")).to_be_visible()


def as_failed(route):
    answer = route.fetch().json()
    answer["items"] = [{**item, "state": "failed", "cause": "the disk is full"} for item in answer["items"]]
    route.fulfill(json=answer)


def test_a_publication_is_followed_through_a_network_failure(waymark, dashboard, host):
    dashboard.open_domain(host, "versions")
    questions = []

    def stumble(route):
        questions.append(route.request.url)
        if len(questions) == 1:
            route.abort()
        else:
            route.continue_()

    dashboard.page.route("**/publications?wait=1", as_running)
    dashboard.page.route("**/publications/*", stumble)
    dashboard.press("Publish…", exact=True)
    dashboard.press("Publish", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("heading", name="Going live")).to_be_visible()
    expect(dashboard.dialog.get_by_role("heading", name="Version 1 is live")).to_be_visible()
    assert len(questions) > 1


def as_running(route):
    answer = route.fetch()
    route.fulfill(status=answer.status, json={**answer.json(), "state": "running"})


def test_nothing_is_published_if_the_live_file_is_the_same(waymark, dashboard, published):
    dashboard.open_domain(published, "versions")
    dashboard.press("Publish…", exact=True)
    dashboard.press("Publish", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("status").filter(has_text="the live file is the same")).to_be_visible()
    expect(dashboard.dialog.get_by_role("button", name="Publish", exact=True)).to_be_hidden()
    assert len(waymark.api("GET", f"/v1/domains/{published}/versions").json()["items"]) == 1
