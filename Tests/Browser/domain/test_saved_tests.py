"""Saved tests on a domain's page: edited, run with every change, imported and exported, and checked on publishing."""

import csv
import io
import json
import re

import pytest
from playwright.sync_api import expect

from dashboard import HELP, SHOP, draft, rule

OPENS_SHOP = {"outcome": "opens", "app": SHOP}
TESTS_FILE = "Tests as CSV or JSON, a sitemap, an access log, or URLs"


def save(waymark, host, url, expected, **more):
    answer = waymark.api("POST", f"/v1/domains/{host}/tests", {"url": url, "expected": expected, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def saved(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/tests?limit=200").json()["items"]


@pytest.fixture
def tested(waymark, host):
    """The domain with a test that passes and one that fails."""
    save(waymark, host, f"https://{host}/buy/1", OPENS_SHOP, note="the shop's own links")
    save(waymark, host, "/help/website/x", OPENS_SHOP)
    return host


def section(dashboard):
    return dashboard.page.get_by_role("region", name="Tests")


def rows(dashboard):
    return section(dashboard).get_by_role("list", name="Saved tests").get_by_role("listitem")


def summary(dashboard):
    return section(dashboard).get_by_role("status")


def test_tests_are_listed_with_their_results(dashboard, tested):
    dashboard.open_domain(tested, "tests")
    expect(rows(dashboard)).to_have_count(2)
    for text in ("Passed", f"https://{tested}/buy/1", "Opens Shop", "the shop's own links"):
        expect(rows(dashboard).nth(0)).to_contain_text(text)
    failure = "Now: Stays on the web, by rule 2, /help/website/*."
    for text in ("Failed", "/help/website/x", "Expected: Opens Shop", failure):
        expect(rows(dashboard).nth(1)).to_contain_text(text)
    expect(summary(dashboard)).to_have_text("1 of 2 tests fails. Failing tests block publishing.")


def test_tests_run_automatically_when_the_draft_changes(dashboard, tested):
    dashboard.open_domain(tested, "tests")
    expect(summary(dashboard)).to_contain_text("1 of 2")
    dashboard.open_part("Rules")
    dashboard.press("Delete rule 2, /help/website/*")
    dashboard.press("Edit rule 2, /help/*")
    dashboard.open_more()
    dashboard.page.get_by_label("Query must match").select_option("any")
    dashboard.press("Save rule")
    dashboard.open_part("Tests")
    expect(summary(dashboard)).to_have_text("All 2 tests pass.")
    expect(rows(dashboard).nth(1)).to_contain_text("Passed")


def test_tests_run_again_with_the_button(waymark, dashboard, tested):
    dashboard.open_domain(tested, "tests")
    expect(summary(dashboard)).to_contain_text("1 of 2")
    runs = []
    dashboard.page.on("request", lambda request: runs.append(request.url) if "test-runs" in request.url else None)
    dashboard.press("Run again")
    expect(section(dashboard).get_by_role("button", name="Run again")).to_have_attribute("aria-disabled", "false")
    assert len(runs) == 1


def test_a_test_is_added_edited_deleted_and_restored(waymark, dashboard, host):
    dashboard.open_domain(host, "tests")
    expect(section(dashboard)).to_contain_text("No tests yet")
    dashboard.press("Add a test")
    form = section(dashboard).get_by_role("form", name="New test")
    dashboard.type("URL or path", "/buy/7", within=form)
    expect(form.get_by_label("App")).to_have_value(SHOP)
    dashboard.type("Note", "a note", within=form)
    dashboard.press("Save test")
    expect(rows(dashboard)).to_have_count(1)
    expect(summary(dashboard)).to_have_text("The test passes.")
    expect(section(dashboard).get_by_role("button", name="Add a test")).to_be_focused()

    dashboard.press("Edit the test of /buy/7")
    form = section(dashboard).get_by_role("form", name="Edit test")
    form.get_by_label("Expected result").select_option("excluded")
    expect(form.get_by_label("App")).to_be_hidden()
    form.get_by_label("System").select_option("ios13")
    dashboard.press("Save test")
    expect(rows(dashboard)).to_contain_text("Stays on the web on iOS 13")
    expect(rows(dashboard)).to_contain_text("Opens Shop, by rule 1, /buy/*.")
    expect(section(dashboard).get_by_role("button", name="Edit the test of /buy/7")).to_be_focused()
    (test,) = saved(waymark, host)
    assert (test["expected"], test["os"], test["note"]) == ({"outcome": "excluded"}, "ios13", "a note")

    dashboard.press("Delete the test of /buy/7")
    expect(rows(dashboard)).to_have_count(0)
    assert saved(waymark, host) == []
    dashboard.press("Undo")
    expect(rows(dashboard)).to_have_count(1)
    assert [(test["url"], test["os"]) for test in saved(waymark, host)] == [("/buy/7", "ios13")]


def test_errors_of_a_test_appear_at_their_fields(dashboard, host):
    dashboard.open_domain(host, "tests")
    dashboard.press("Add a test")
    dashboard.type("URL or path", "https://elsewhere.example/x", within=section(dashboard))
    section(dashboard).get_by_label("App").fill("nonsense")
    dashboard.press("Save test")
    for name in ("URL or path", "App"):
        expect(section(dashboard).get_by_label(name)).to_have_attribute("aria-invalid", "true")
    expect(section(dashboard)).to_contain_text(f"s not on {host}")


def test_another_users_change_of_a_test_is_not_overwritten_unseen(waymark, dashboard, tested):
    dashboard.open_domain(tested, "tests")
    dashboard.press("Edit the test of /help/website/x")
    test = saved(waymark, tested)[1]
    answer = waymark.api(
        "PATCH", f"/v1/domains/{tested}/tests/{test['id']}", {"expected": {"outcome": "none"}}, {"If-Match": '"1"'}
    )
    assert answer.status_code == 200, answer.text
    dashboard.type("Note", "mine", within=section(dashboard))
    dashboard.press("Save test")
    expect(section(dashboard)).to_contain_text("It is now /help/website/x: No app opens it")
    expect(section(dashboard).get_by_label("Note")).to_have_value("mine")
    dashboard.press("Save test")
    expect(rows(dashboard).nth(1)).to_contain_text("mine")
    assert saved(waymark, tested)[1]["expected"] == OPENS_SHOP


def test_a_result_is_saved_as_a_test(waymark, dashboard, host):
    dashboard.open_domain(host, "tests")
    for path, verdict, expected in [
        ("/buy/1", "Opens Shop", OPENS_SHOP),
        ("/help/website/x", "Stays on the web", {"outcome": "excluded"}),
        ("/nowhere", "No app opens it", {"outcome": "none"}),
    ]:
        dashboard.ask(path)
        expect(dashboard.verdict).to_contain_text(verdict)
        dashboard.press("Save as test")
        dashboard.press("Save test")
        expect(rows(dashboard).filter(has_text=f"https://{host}{path}")).to_contain_text("Passed")
        assert saved(waymark, host)[-1]["expected"] == expected
    dashboard.ask("ftp://nowhere")
    expect(dashboard.verdict).to_contain_text("Not a universal link")
    expect(dashboard.page.get_by_role("button", name="Save as test")).to_be_hidden()


def test_a_test_is_tried_in_the_tester(dashboard, tested):
    dashboard.open_domain(tested, "tests")
    dashboard.press("Try /help/website/x")
    expect(dashboard.verdict).to_contain_text("Stays on the web")
    tester = dashboard.page.get_by_role("region", name="Which app opens this URL?")
    expect(tester.get_by_label("System")).to_have_value("ios14")
    expect(dashboard.verdict).to_contain_text("Rule 2")


def test_tests_are_exported_and_imported_again(waymark, dashboard, tested):
    dashboard.open_domain(tested, "tests")
    with dashboard.page.expect_download() as download:
        dashboard.press("Export CSV")
    assert download.value.suggested_filename == f"{tested}.tests.csv"
    text = download.value.path().read_text()
    assert [line["url"] for line in csv.DictReader(io.StringIO(text))] == [f"https://{tested}/buy/1", "/help/website/x"]
    with dashboard.page.expect_download() as download:
        dashboard.press("Export JSON")
    assert [test["expected"] for test in json.loads(download.value.path().read_text())["tests"]] == [OPENS_SHOP] * 2

    dashboard.press("Import tests…")
    dashboard.type(TESTS_FILE, text.replace("/help/website/x", "/help/website/y"), within=dashboard.dialog)
    dashboard.press("Import", exact=True, within=dashboard.dialog)
    expect(dashboard.announcement).to_contain_text("1 added")
    expect(rows(dashboard)).to_have_count(3)

    dashboard.press("Import tests…")
    dashboard.page.locator("input[type=file]").last.set_input_files(
        {"name": "tests.csv", "mimeType": "text/csv", "buffer": b"url,expect,app,note\n/only,none,,\n"}
    )
    dashboard.page.get_by_role("checkbox", name="Delete tests that are not in the CSV or JSON file").check()
    dashboard.press("Import", exact=True, within=dashboard.dialog)
    expect(rows(dashboard)).to_have_count(1)
    assert [test["url"] for test in saved(waymark, tested)] == ["/only"]


def test_errors_in_a_file_of_tests_are_shown_by_line(waymark, dashboard, host):
    dashboard.open_domain(host, "tests")
    dashboard.press("Import tests…")
    text = "url,expect,app,note\n/fine,none,,\nhttps://elsewhere.example/,none,,\n/x,sometimes,,\n"
    dashboard.type(TESTS_FILE, text, within=dashboard.dialog)
    dashboard.press("Import", exact=True, within=dashboard.dialog)
    for fault in ("Nothing was imported.", f"Line 3: url is not on {host}.", "Line 4: "):
        expect(dashboard.dialog.get_by_role("alert")).to_contain_text(fault)
    assert saved(waymark, host) == []


def test_the_review_lists_the_failing_tests(waymark, dashboard, tested):
    dashboard.open_review(tested)
    failing = dashboard.page.get_by_role("list", name="Tests that fail").get_by_role("listitem")
    expect(failing).to_have_text(
        re.compile(r"/help/website/x.*Expected: Opens Shop\. Now: Stays on the web, by rule 2, /help/website/\*")
    )
    check = dashboard.page.get_by_role("listitem").filter(has_text="Saved tests fail")
    expect(check).to_contain_text("Failed")
    assert waymark.api("GET", f"/v1/domains/{tested}/versions").json()["items"] == []


def test_many_tests_are_drawn_only_on_request(waymark, dashboard, host):
    lines = [f"/buy/{number},opens,{SHOP}," for number in range(60)] + [f"/nope,opens,{HELP},"]
    text = "\n".join(["url,expect,app,note", *lines])
    answer = waymark.api("POST", f"/v1/domains/{host}/test-imports", content=text.encode())
    assert answer.status_code == 200, answer.text
    dashboard.open_domain(host, "tests")
    expect(summary(dashboard)).to_contain_text("1 of 61 tests fails")
    expect(rows(dashboard)).to_have_count(50)
    dashboard.press("Show 11 more tests")
    expect(rows(dashboard)).to_have_count(61)
    expect(rows(dashboard).last).to_contain_text("Failed")
    short = waymark.new_domain(draft(([SHOP], [rule("/buy/*")])))
    text = "\n".join(["url,expect,app,note", *lines[:52]])
    assert waymark.api("POST", f"/v1/domains/{short}/test-imports", content=text.encode()).status_code == 200
    dashboard.open_domain(short, "tests")
    expect(rows(dashboard)).to_have_count(52)


def test_tests_that_fail_to_load_do_not_break_the_page(dashboard, tested):
    dashboard.page.route("**/v1/domains/*/tests?*", lambda route: route.abort())
    dashboard.open_domain(tested, "tests")
    expect(section(dashboard).get_by_role("alert")).to_contain_text("Waymark does not answer")
    dashboard.ask("/buy/1")
    expect(dashboard.verdict).to_contain_text("Opens Shop")


def test_a_version_shows_its_test_results(waymark, dashboard, host):
    """The results saved with the version, whatever happened to the tests later."""
    save(waymark, host, f"https://{host}/buy/1", OPENS_SHOP)
    kept = save(waymark, host, "/help/website/x", {"outcome": "excluded"}, os="ios13")
    waymark.publish(host)
    waymark.api("DELETE", f"/v1/domains/{host}/tests/{kept['id']}", headers={"If-Match": "*"})
    dashboard.open_domain(host, "versions")
    versions = dashboard.page.get_by_role("region", name="Versions")
    expect(versions).to_contain_text("2 tests passed")
    dashboard.press("View tests of version 1")
    expect(dashboard.dialog).to_contain_text("2 tests passed.")
    results = dashboard.dialog.get_by_role("list", name="Test results").get_by_role("listitem")
    expect(results).to_have_count(2)
    first = ("Passed", f"https://{host}/buy/1", "Expected: Opens Shop", "Got: Opens Shop, by rule 1 of entry 1.")
    second = ("Passed", "/help/website/x", "Expected: Stays on the web on iOS 13", "Got: Stays on the web, by rule 2")
    for number, texts in enumerate((first, second)):
        for text in texts:
            expect(results.nth(number)).to_contain_text(text)


def test_a_version_without_tests_offers_none(dashboard, published):
    dashboard.open_domain(published, "versions")
    expect(dashboard.page.get_by_role("button", name="View the file of version 1")).to_be_visible()
    expect(dashboard.page.get_by_role("button", name="View tests of version 1")).to_be_hidden()


def test_a_test_that_failed_when_a_version_was_saved_is_shown(dashboard, published):
    """No such version can be published today, but the page must show it."""
    failed = {
        "url": "/buy/1", "expected": {"outcome": "excluded"}, "os": "ios14", "actual": OPENS_SHOP, "passed": False,
        "decidedBy": "/applinks/details/0/components/0", "reason": None, "id": "00000000-0000-4000-8000-000000000000",
    }  # fmt: skip

    def as_if_failed(route):
        answer = route.fetch()
        body = answer.json()
        for version in body.get("items", [body]):
            version["report"]["tests"] |= {"total": 1, "passed": 0, "failed": 1}
            version["testResults"] = [failed]
        route.fulfill(response=answer, json=body)

    dashboard.page.route(re.compile(r"/v1/domains/[^/]+/versions"), as_if_failed)
    dashboard.open_domain(published, "versions")
    dashboard.press("View tests of version 1")
    expect(dashboard.dialog).to_contain_text("0 of 1 test passed.")
    [result] = dashboard.dialog.get_by_role("list", name="Test results").get_by_role("listitem").all()
    for text in ("Failed", "Expected: Stays on the web", "Got: Opens Shop, by rule 1 of entry 1."):
        expect(result).to_contain_text(text)


def test_the_test_results_of_a_version_fit_a_phone(waymark, new_dashboard, host):
    save(waymark, host, "/buy/" + "x" * 200, OPENS_SHOP)
    waymark.publish(host)
    dashboard = new_dashboard(width=360)
    dashboard.open_domain(host, "versions")
    dashboard.press("View tests of version 1")
    box = dashboard.dialog.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    for element in (dashboard.dialog, dashboard.dialog.get_by_role("list")):
        assert element.evaluate("element => element.scrollWidth - element.clientWidth") <= 0
