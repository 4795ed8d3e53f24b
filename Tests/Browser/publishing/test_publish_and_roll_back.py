"""Publishing with its checks, and rolling back."""

from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from installation import eventually


def test_publishing_shows_the_changes_and_goes_live_up_to_the_edge(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/buy/*"), rule("/gifts/*")])))
    dashboard.open_domain(published, "versions")
    expect(dashboard.page.get_by_text("Unpublished changes")).to_be_visible()
    dashboard.review()
    dashboard.page.get_by_text("Compared with the live file").click()
    changes = dashboard.page.get_by_label("Changed lines")
    expect(changes).to_contain_text("added: ")
    expect(changes.locator("[data-change=added]").filter(has_text="/gifts/*")).to_have_count(1)
    expect(changes.locator("[data-change=removed]").filter(has_text="/help/website/*")).to_have_count(1)
    dashboard.type("Message", "Gifts are new")
    dashboard.press("Publish", exact=True)
    dashboard.expect_progress("Version 2 is live")
    steps = dashboard.progress.get_by_role("list", name="Progress").get_by_role("listitem")
    expect(steps.nth(1)).to_have_text("Went live")
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Publication of version 2")
    reached = dashboard.progress.get_by_role("list", name="Delivery").get_by_role("listitem")
    expect(reached.filter(has_text="Serves version 2")).to_have_count(1)
    expect(dashboard.progress.get_by_role("list", name="Progress")).to_contain_text("Version 2 has reached the edge")
    dashboard.page.reload()
    dashboard.expect_progress("Version 2 is live")
    expect(dashboard.page.get_by_role("link", name="Roll back to version 1…")).to_be_visible()
    dashboard.back_to_domain("Versions")

    newest = dashboard.page.get_by_role("region", name="Versions").get_by_role("listitem").first
    expect(newest).to_contain_text("Version 2")
    expect(newest).to_contain_text("Live")
    expect(newest).to_contain_text("Gifts are new")
    version = waymark.api("GET", f"/v1/domains/{published}/versions/2").json()
    assert waymark.served(published, version["sha256"]).headers["Waymark-Version"] == "2"


def test_a_host_that_nobody_has_fetched_is_told_after_publishing(waymark, dashboard, host):
    notice = dashboard.page.get_by_text("No client has fetched a file of this host yet.")
    dashboard.open_review(host)
    dashboard.press("Publish", exact=True)
    dashboard.expect_progress("Version 1 is live")
    expect(notice).to_be_visible()
    dashboard.page.get_by_role("link", name="Connect your web server").click()
    expect(dashboard.page.get_by_role("combobox", name="Web server")).to_be_in_viewport()
    dashboard.page.go_back()
    expect(notice).to_be_visible()
    waymark.served(host, waymark.api("GET", f"/v1/domains/{host}/versions/1").json()["sha256"])
    fetches = f"/v1/domains/{host}/serving"
    eventually(lambda: waymark.api("GET", fetches).json()["fetches"], what="the report of the fetch")
    dashboard.page.reload()
    dashboard.expect_progress("Version 1 is live")
    expect(dashboard.progress).to_contain_text("has reached the edge")
    expect(notice).to_be_hidden()


def test_an_older_version_is_published_again_and_the_newer_one_after_it(waymark, dashboard, published):
    first = waymark.api("GET", f"/v1/domains/{published}/versions/1").json()
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    waymark.publish(published)
    dashboard.open_domain(published)
    dashboard.review(version=1)
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Roll back to version 1")
    groups = dashboard.page.get_by_role("list", name="Links that change").locator(":scope > li")
    expect(groups.filter(has_text="Added Opens /buy/*")).to_contain_text("that opened in the browser now open Shop")
    dashboard.press("Roll back to version 1")
    dashboard.expect_progress("Version 1 is live")
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Rolled back to version 1")
    dashboard.page.get_by_role("link", name="Publish version 2…").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text("Publish version 2")
    dashboard.page.get_by_role("link", name=published).click()
    expect(dashboard.page.get_by_role("main").get_by_text("Version 1 · went live")).to_be_visible()
    assert waymark.served(published, first["sha256"]).headers["Waymark-Version"] == "1"
    dashboard.expect_patterns("/new/*")


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
    expect(dashboard.page.get_by_text("You can publish once it is verified.")).to_be_visible()
    dashboard.press("Mark verified (local)")
    expect(dashboard.page.get_by_text("You can publish once it is verified.")).to_be_hidden()
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
    dashboard.open_review(host)
    questions = []

    def stumble(route):
        questions.append(route.request.url)
        if len(questions) == 1:
            route.abort()
        else:
            route.continue_()

    dashboard.page.route("**/publications?wait=1", as_running)
    dashboard.page.route("**/publications/*", stumble)
    dashboard.press("Publish", exact=True)
    dashboard.expect_progress("Going live")
    expect(dashboard.progress.get_by_role("list", name="Progress").get_by_text("Going live")).to_be_visible()
    dashboard.expect_progress("Version 1 is live")
    assert len(questions) > 1


def as_running(route):
    answer = route.fetch()
    route.fulfill(status=answer.status, json={**answer.json(), "state": "running"})
