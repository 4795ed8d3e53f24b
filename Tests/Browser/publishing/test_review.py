"""The review before publishing: the checks with their fixes, and typed input that nothing loses."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, assert_landmarks, low_contrast, overflow
from dashboard import HELP, SHOP, draft, rule


def checks(dashboard, name="Checks"):
    """The checks that need attention, or the "Passed checks", which are folded."""
    return dashboard.page.get_by_role("list", name=name, exact=True, include_hidden=True).get_by_role(
        "listitem", include_hidden=True
    )


def check(dashboard, name):
    return checks(dashboard).or_(checks(dashboard, "Passed checks")).filter(has_text=name)


@pytest.fixture
def faulty(waymark, apps):
    """A domain whose draft has an error and a failing test, and which is not verified."""
    host = waymark.new_host("www").replace(".example", ".com")
    waymark.new_domain(draft(([SHOP], [rule("/*"), rule("/never/*", exclude=True)])), host=host)
    test = {"url": "/never/1", "expected": {"outcome": "excluded"}}
    assert waymark.api("POST", f"/v1/domains/{host}/tests", test).status_code == 201
    return host


@pytest.fixture
def suspicious(waymark, apps):
    """A domain whose draft lacks an app of the live file."""
    host = waymark.new_domain(draft(([SHOP, HELP], [rule("/*")])))
    waymark.publish(host)
    waymark.put_draft(host, draft(([SHOP], [rule("/*")])))
    return host


def versions(waymark, host):
    return len(waymark.api("GET", f"/v1/domains/{host}/versions").json()["items"])


def test_all_checks_are_shown_before_the_button(waymark, dashboard, host):
    dashboard.open_review(host)
    expect(checks(dashboard)).to_have_count(0)
    expect(checks(dashboard, "Passed checks")).to_have_count(7)
    expect(check(dashboard, "All saved tests pass")).to_be_hidden()
    dashboard.page.get_by_text("7 checks passed").click()
    expect(check(dashboard, "All saved tests pass")).to_be_visible()
    expect(dashboard.footer).to_contain_text("All 7 checks pass.")
    expect(dashboard.footer.get_by_role("button", name="Publish", exact=True)).to_be_visible()
    assert versions(waymark, host) == 0


def test_failed_checks_come_first_with_their_reasons_and_fixes(waymark, dashboard, faulty):
    dashboard.open_review(faulty)
    expect(dashboard.footer).to_contain_text("3 of 7 checks failed.")
    expect(dashboard.page.get_by_role("button", name="Publish", exact=True)).to_be_hidden()
    expect(checks(dashboard)).to_have_count(3)
    expect(checks(dashboard).filter(has_text="Failed")).to_have_count(3)
    expect(dashboard.page.get_by_text("4 checks passed")).to_be_visible()
    expect(check(dashboard, "The file has errors").get_by_role("link", name="Edit the rules")).to_be_visible()
    expect(check(dashboard, "Saved tests fail").get_by_role("link", name="Open the tests")).to_be_visible()
    expect(dashboard.page.get_by_role("list", name="Tests that fail")).to_contain_text("/never/1")
    place = dashboard.page.get_by_role("list", name="Errors").get_by_role("link", name="Show the rule").first
    place.click()
    expect(dashboard.page.locator(".rule:focus")).to_contain_text("/never/*")
    assert versions(waymark, faulty) == 0


def test_a_draft_that_nobody_has_edited_has_a_next_step_instead_of_an_error(waymark, dashboard):
    host = waymark.new_domain()
    page = dashboard.open_review(host)
    expect(dashboard.footer).to_contain_text("Nothing to publish yet.")
    expect(dashboard.footer.get_by_role("button", name="Publish")).to_be_hidden()
    panel = page.get_by_role("region", name="Checks")
    expect(panel).to_contain_text("Nothing to check yet. Add an app and its rules, or import a file.")
    expect(panel).not_to_contain_text("Failed")
    expect(checks(dashboard)).to_have_count(0)
    dashboard.footer.get_by_role("link", name="Add an app").click()
    page.wait_for_url(f"**/domain/rules?*host={host}*")


def test_warnings_are_seen_and_notices_are_folded(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/**"), rule("/never/*")])))
    dashboard.open_review(host)
    findings = waymark.api("GET", f"/v1/domains/{host}/draft/findings").json()["findings"]
    severities = [finding["severity"] for finding in findings]
    notices = severities.count("notice")
    assert 1 <= notices < len(severities) <= 6
    found = dashboard.page.get_by_role("list", name="Errors and warnings")
    expect(found.get_by_role("listitem")).to_have_count(len(severities) - notices)
    expect(dashboard.page.get_by_text(f"{notices} other finding")).to_be_visible()
    expect(dashboard.page.get_by_role("list", name="Other findings")).to_be_hidden()


def test_what_is_repaired_meanwhile_is_checked_again(waymark, dashboard, faulty):
    dashboard.open_review(faulty)
    dashboard.type("Message", "typed before")
    dashboard.press("Mark verified (local)")
    expect(check(dashboard, "The domain is verified")).to_contain_text("Passed")
    [test] = waymark.api("GET", f"/v1/domains/{faulty}/tests").json()["items"]
    assert waymark.api("DELETE", f"/v1/domains/{faulty}/tests/{test['id']}", None, {"If-Match": "*"}).is_success
    expect(check(dashboard, "All saved tests pass")).to_contain_text("Passed")
    waymark.put_draft(faulty, draft(([SHOP], [rule("/never/*", exclude=True), rule("/*")])))
    expect(dashboard.page.get_by_text("The draft has changed since this review.")).to_be_visible()
    expect(dashboard.footer).to_contain_text("1 of 7 checks failed.")
    dashboard.press("Show the new review")
    expect(dashboard.footer).to_contain_text("All 7 checks pass.")
    dashboard.press("Publish", exact=True)
    dashboard.expect_progress("Version 1 is live")
    [version] = waymark.api("GET", f"/v1/domains/{faulty}/versions").json()["items"]
    assert version["message"] == "typed before"


def test_a_suspicious_change_can_be_overridden_with_a_reason(waymark, dashboard, suspicious):
    dashboard.open_review(suspicious)
    expect(check(dashboard, "differs a lot from the live one")).to_contain_text(HELP)
    expect(dashboard.footer).to_contain_text("Override it with a reason")
    expect(dashboard.page.get_by_text("No other failed check can be overridden.")).to_be_visible()
    expect(dashboard.page.get_by_role("checkbox", name="another version")).to_have_count(0)
    dashboard.page.get_by_role("checkbox", name="Publish even if a file differs a lot").check()
    expect(dashboard.page.get_by_role("textbox", name="Reason for overriding")).to_be_focused()
    dashboard.press("Publish", exact=True)
    reason = dashboard.page.get_by_role("textbox", name="Reason for overriding")
    expect(reason).to_have_attribute("aria-invalid", "true")
    assert versions(waymark, suspicious) == 1
    reason.fill("Help is part of Shop now")
    dashboard.press("Publish", exact=True)
    dashboard.expect_progress("Version 2 is live")
    publication = waymark.api("GET", f"/v1/domains/{suspicious}/publications").json()["items"][0]
    assert publication["reason"] == "Help is part of Shop now"


def test_a_suspicious_change_is_not_published_without_an_override(waymark, dashboard, suspicious):
    dashboard.open_review(suspicious)
    dashboard.press("Publish", exact=True)
    alert = dashboard.page.get_by_role("alert").filter(has_text="Choose “Publish even if a file differs a lot” and give a reason")
    expect(alert).to_be_focused()
    assert versions(waymark, suspicious) == 1


def test_a_draft_that_changed_is_not_published_unseen(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/seen/*")])))
    dashboard.page.route("**/v1/events?*", lambda route: None if "wait" in route.request.url else route.continue_())
    dashboard.open_review(published)
    dashboard.type("Message", "kept")
    waymark.put_draft(published, draft(([SHOP], [rule("/unseen/*")])))
    dashboard.press("Publish", exact=True)
    expect(dashboard.page.get_by_role("alert").filter(has_text="The draft has changed")).to_be_focused()
    assert versions(waymark, published) == 1
    dashboard.press("Show the new review")
    expect(dashboard.page.get_by_role("list", name="Links that change")).to_contain_text("/unseen/*")
    expect(dashboard.page.get_by_role("textbox", name="Message")).to_have_value("kept")


def test_nothing_is_published_if_the_live_file_is_the_same(waymark, dashboard, published):
    dashboard.open_review(published)
    expect(dashboard.footer).to_contain_text("Nothing to publish: the live file is the same.")
    expect(dashboard.page.get_by_role("button", name="Publish", exact=True)).to_be_hidden()
    dashboard.page.get_by_label("Schedule").check()
    expect(dashboard.page.get_by_role("button", name="Schedule", exact=True)).to_be_visible()


def test_typed_input_survives_a_failure_a_reload_and_a_detour(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    dashboard.open_review(published)
    message = dashboard.page.get_by_role("textbox", name="Message")
    message.fill("typed with care")
    dashboard.page.get_by_label("Roll back automatically").check()
    dashboard.page.get_by_label("Roll back at").fill("2030-01-02T03:04:05")
    dashboard.page.context.set_offline(True)
    dashboard.press("Publish", exact=True)
    expect(dashboard.page.get_by_role("alert").filter(has_text="does not answer")).to_be_visible()
    dashboard.page.context.set_offline(False)
    dashboard.page.reload()
    dashboard.expect_review()
    expect(message).to_have_value("typed with care")
    expect(dashboard.page.get_by_label("Roll back at")).to_have_value("2030-01-02T03:04:05")
    dashboard.page.get_by_role("link", name=published).click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text(published)
    dashboard.page.go_back()
    dashboard.expect_review()
    expect(message).to_have_value("typed with care")
    dashboard.page.get_by_label("Roll back automatically").uncheck()
    dashboard.press("Publish", exact=True)
    dashboard.expect_progress("Version 2 is live")
    dashboard.open_review(published)
    expect(message).to_have_value("")


def test_the_checks_are_run_again_after_a_failure(dashboard, host):
    dashboard.page.route("**/publication-checks", lambda route: route.abort())
    dashboard.open_review(host)
    expect(dashboard.page.get_by_text("The checks run again when you publish.")).to_be_visible()
    expect(dashboard.page.get_by_role("button", name="Publish", exact=True)).to_be_visible()
    dashboard.page.unroute_all()
    dashboard.press("Try again")
    expect(dashboard.footer).to_contain_text("All 7 checks pass.")


def test_everything_works_by_keyboard(dashboard, host):
    dashboard.open_review(host)
    dashboard.page.get_by_role("textbox", name="Message").focus()
    dashboard.page.keyboard.type("by keyboard")
    dashboard.page.keyboard.press("Enter")
    dashboard.expect_progress("Version 1 is live")
    expect(dashboard.progress.get_by_role("heading")).to_be_focused()


def test_a_viewer_sees_the_review_without_the_button(dashboard, host):
    def as_viewer(route):
        me = route.fetch().json()
        me["organizations"] = [{**organization, "role": "viewer"} for organization in me["organizations"]]
        route.fulfill(json=me)

    dashboard.page.route("**/v1/me", as_viewer)
    dashboard.open_review(host)
    expect(dashboard.page.get_by_role("list", name="Links that change")).to_be_visible()
    expect(dashboard.page.get_by_role("button", name="Publish", exact=True)).to_be_hidden()
    expect(dashboard.page.get_by_role("textbox", name="Message")).to_be_hidden()
    expect(dashboard.footer).to_contain_text("Only a publisher can publish.")


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_the_review_fits_and_the_button_is_always_visible(new_dashboard, faulty, suspicious, width):
    dashboard = new_dashboard(width=width, height=700)
    dashboard.open_review(faulty)
    assert_landmarks(dashboard.page)
    assert dashboard.page.evaluate(NAMELESS) == []
    assert low_contrast(dashboard.page) == []
    assert overflow(dashboard.page) <= 0
    dashboard.open_review(suspicious)
    button = dashboard.page.get_by_role("button", name="Publish", exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    dashboard.page.get_by_role("checkbox", name="Publish even if a file differs a lot").check()
    last = dashboard.page.get_by_text("The reason is saved with the publication.")
    dashboard.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(button).to_be_in_viewport(ratio=1)
    end = last.bounding_box()
    assert end["y"] + end["height"] <= dashboard.footer.bounding_box()["y"]
    assert overflow(dashboard.page) <= 0
    assert low_contrast(dashboard.page) == []


def test_a_scheduled_publication_is_checked_for_its_time(waymark, new_dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    first, second, end = (f"{datetime.now(UTC) + timedelta(days=days):%Y-%m-%dT10:00:00Z}" for days in (2, 4, 3))
    assert waymark.api("PATCH", f"/v1/domains/{published}", {"labels": ["quiet-days"]}).is_success
    freeze = waymark.api("POST", "/v1/freezes", {"label": "quiet-days", "endsAt": end, "reason": "the sale"}).json()
    dashboard = new_dashboard(timezone_id="UTC")
    asked = []

    def note(route):
        asked.append(route.request.post_data_json)
        route.continue_()

    dashboard.page.route("**/publication-checks", note)
    dashboard.open_review(published)
    assert asked == [{}]
    dashboard.page.get_by_label("Schedule", exact=True).check()
    with dashboard.page.expect_response("**/publication-checks"):
        dashboard.page.get_by_label("Goes live at").fill(first.rstrip("Z"))
    expect(dashboard.footer).to_contain_text("will suspend this. Choose a later time, or publish now.")
    with dashboard.page.expect_response("**/publication-checks"):
        dashboard.page.get_by_label("Goes live at").fill(second.rstrip("Z"))
    expect(dashboard.footer).to_contain_text("All 7 checks pass.")
    with dashboard.page.expect_response("**/publication-checks"):
        dashboard.page.get_by_label("Now", exact=True).check()
    assert asked == [{}, {"at": first}, {"at": second}, {}]
    assert waymark.api("DELETE", f"/v1/freezes/{freeze['id']}").is_success


def test_on_a_phone_the_options_are_near_and_the_keyboard_does_not_cover_the_button(new_dashboard, host):
    dashboard = new_dashboard(width=360, height=640)
    dashboard.open_review(host)
    button = dashboard.page.get_by_role("button", name="Publish", exact=True)
    dashboard.footer.get_by_role("link", name="Options").click()
    expect(dashboard.page.get_by_role("heading", name="Options")).to_be_focused()
    expect(dashboard.page.get_by_label("Now", exact=True)).to_be_in_viewport(ratio=1)
    # A keyboard makes only the visible part of the page smaller.
    dashboard.page.evaluate(
        """() => {
            Object.defineProperty(visualViewport, "height", { value: innerHeight - 280 });
            visualViewport.dispatchEvent(new Event("resize"));
        }"""
    )
    end = button.bounding_box()
    assert end["y"] + end["height"] <= 640 - 280
    titles = dashboard.page.get_by_role("form").get_by_role("heading", level=2).all_text_contents()
    assert titles == ["Changes", "Checks", "Options"]
