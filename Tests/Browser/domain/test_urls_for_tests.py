"""Tests from the URLs of a sitemap, an access log or the tester, and rules that no test covers."""

import gzip

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, overflow
from dashboard import HELP, SHOP, draft, rule
from test_saved_tests import OPENS_SHOP, TESTS_FILE, rows, save, saved, section, summary

LOG = """203.0.113.7 - - [25/Nov/2026:08:00:00 +0000] "GET {path} HTTP/1.1" {status} 12 "-" "UA \\"x\\""\n"""
SITEMAP = """<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>https://{host}/buy/1</loc><image:image><image:loc>https://{host}/buy/1.png</image:loc></image:image></url>
<url><loc> https://{host}/help/website/a?utm_source=x&amp;y=1 </loc></url>
<url><loc>https://elsewhere.example/buy/2</loc></url>
</urlset>"""


def log_of(*lines):
    return "".join(LOG.format(path=path, status=status) for path, status in lines)


def open_file(dashboard, name, content):
    dashboard.press("Import tests…")
    content = content if isinstance(content, bytes) else content.encode()
    chosen = {"name": name, "mimeType": "text/plain", "buffer": content}
    dashboard.dialog.locator("input[type=file]").set_input_files(chosen)


def offered(dashboard):
    return dashboard.dialog.get_by_role("list", name="URLs").get_by_role("listitem")


def test_urls_of_an_access_log_become_tests(waymark, dashboard, host):
    save(waymark, host, f"https://{host}/buy/1", OPENS_SHOP)
    lines = [("/buy/1", 200)] * 3 + [("/buy/2?utm_source=mail", 304)] * 2 + [("/buy/2", 200)]
    lines += [("/buy/3", 200), ("/help/website/a", 301), ("/style.css", 200), ("/wp-login.php", 404)]
    lines += [("/help/x?articleNumber=1234&token=secret", 200)]
    dashboard.open_domain(host, "tests")
    requests = []
    dashboard.page.on("request", lambda request: requests.append(request.post_data or ""))
    open_file(dashboard, "access.log", log_of(*lines))
    expect(dashboard.dialog.get_by_role("heading")).to_have_text("URLs in access.log")
    intro = "6 different URLs in 10 requests, the most frequent first."
    expect(dashboard.dialog).to_contain_text(intro)
    for text in ("Left out: 1 request that failed.", "only articleNumber is kept", "The file stays in this browser."):
        expect(dashboard.dialog).to_contain_text(text)
    expect(offered(dashboard)).to_have_count(5)
    for text in ("/buy/1", "3", "Opens Shop", "Rule 1 (/buy/*)", "Has a test"):
        expect(offered(dashboard).nth(0)).to_contain_text(text)
    assert not any("secret" in text or "utm_source" in text or "203.0.113.7" in text for text in requests)

    # The most frequent URLs of each result are picked, but not those that have a test.
    boxes = dashboard.dialog.get_by_role("list", name="URLs").get_by_role("checkbox")
    assert [box.is_checked() for box in boxes.all()] == [False, True, True, True, True]
    dashboard.dialog.get_by_role("checkbox", name="Show 1 asset").check()
    expect(offered(dashboard)).to_have_count(6)
    dashboard.dialog.get_by_label("Result").select_option("Stays on the web")
    expect(offered(dashboard)).to_have_count(1)
    dashboard.press("Pick none of them")
    dashboard.dialog.get_by_label("Result").select_option("All results")
    dashboard.press("Review 3 tests")
    expect(offered(dashboard)).to_have_count(3)
    expect(dashboard.dialog.get_by_role("status")).to_contain_text("each with the result shown here")
    dashboard.press("Save 3 tests")
    expect(dashboard.announcement).to_contain_text("3 added")
    expect(rows(dashboard)).to_have_count(4)
    expect(summary(dashboard)).to_have_text("All 4 tests pass.")
    found = {test["url"]: test for test in saved(waymark, host)}
    assert found["/buy/2"]["expected"] == OPENS_SHOP
    assert found["/buy/2"]["note"] == "3 requests in access.log"
    assert "/help/x?articleNumber=1234" in found


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_log_of_cloudfront_is_read(dashboard, host, packed):
    fields = "date time cs-method cs(Host) cs-uri-stem sc-status cs-uri-query x-host-header"
    cells = ["2026-11-25", "08:00", "GET", "d1.cloudfront.net", "/buy/7", "200", "-", host]
    log = f"#Version: 1.0\n#Fields: {fields}\n" + "\t".join(cells) + "\n" + "\t".join([*cells[:-1], "b.example"]) + "\n"
    dashboard.open_domain(host, "tests")
    open_file(dashboard, "log.gz", gzip.compress(log.encode()) if packed else log)
    expect(offered(dashboard)).to_have_count(1)
    expect(offered(dashboard)).to_contain_text("/buy/7")
    expect(dashboard.dialog).to_contain_text("1 request for other hosts")


def test_urls_of_a_sitemap_become_tests(waymark, dashboard, host):
    dashboard.open_domain(host, "tests")
    dashboard.press("Import tests…")
    dashboard.type(TESTS_FILE, SITEMAP.format(host=host), within=dashboard.dialog)
    dashboard.press("Import", exact=True, within=dashboard.dialog)
    expect(offered(dashboard)).to_have_count(2)
    expect(offered(dashboard).nth(1)).to_contain_text("/help/website/a")
    expect(dashboard.dialog).to_contain_text("1 URL for other hosts")
    dashboard.press("Review 2 tests")
    dashboard.press("Back")
    dashboard.press("Review 2 tests")
    dashboard.press("Save 2 tests")
    expect(rows(dashboard)).to_have_count(2)
    assert {test["url"] for test in saved(waymark, host)} == {"/buy/1", "/help/website/a"}


def test_an_index_of_sitemaps_is_explained_and_lists_them(dashboard, host):
    dashboard.open_domain(host, "tests")
    locs = ["https://a.example/1.xml", "javascript:alert(1)"]
    index = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    open_file(dashboard, "sitemap.xml", f"<sitemapindex>{index}</sitemapindex>")
    alert = dashboard.dialog.get_by_role("alert").filter(has_text="This is an index of 1 sitemap")
    expect(alert).to_contain_text("It lists no pages.")
    expect(alert.get_by_role("link")).to_have_attribute("href", "https://a.example/1.xml")


@pytest.mark.parametrize(
    "name, content, said",
    [
        ("x.xml", "<rss></rss>", "This XML is not a sitemap"),
        ("x.xml", "<urlset><url>", "This XML is broken"),
        ("x.xml", "<urlset/>", "This sitemap lists no pages."),
        ("x.log", '1.2.3.4 - - [x] "POST /a HTTP/1.1" 200 1\n', "no successful requests for pages"),
        ("x.log", "#Fields: date time\n2026 1\n", "unknown format"),
        ("x.txt", "https://elsewhere.example/a\n", "All of them are on other hosts."),
        ("x.gz", b"\x1f\x8b\x08\x00broken", "The file cannot be read."),
    ],
)
def test_a_file_that_cannot_be_used_is_explained(dashboard, host, name, content, said):
    dashboard.open_domain(host, "tests")
    open_file(dashboard, name, content)
    expect(dashboard.dialog.get_by_role("alert").filter(has_text=said)).to_be_visible()
    # Chromium's own description of broken XML has inline styles, which the page's policy blocks.
    dashboard.complaints[:] = [each for each in dashboard.complaints if "inline style" not in each]


def test_a_large_log_offers_its_most_frequent_urls(dashboard, host):
    lines = [(f"/buy/{number}", 200) for number in range(10_050)] + [("/help/website/a", 200)] * 5
    dashboard.open_domain(host, "tests")
    open_file(dashboard, "access.log", log_of(*lines))
    expect(dashboard.dialog).to_contain_text("Only the first 10,000 are offered.")
    expect(offered(dashboard).first).to_contain_text("/help/website/a")
    expect(offered(dashboard)).to_have_count(100)
    dashboard.dialog.get_by_role("searchbox", name="Find URLs").fill("/buy/999")
    expect(offered(dashboard)).to_have_count(10)


def test_the_urls_of_the_tester_are_saved_as_tests(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/buy/1\n/help/website/x\nftp://no")
    dashboard.press("Save as tests…")
    expect(offered(dashboard)).to_have_count(3)
    expect(offered(dashboard).nth(2).get_by_role("checkbox")).to_be_disabled()
    dashboard.press("Review 2 tests")
    dashboard.press("Save 2 tests")
    expect(dashboard.announcement).to_contain_text("2 added")
    expected = {test["url"]: test["expected"] for test in saved(waymark, host)}
    assert expected == {"/buy/1": OPENS_SHOP, "/help/website/x": {"outcome": "excluded"}}


def test_rules_without_a_test_are_listed_with_a_sample(waymark, dashboard, apps):
    rules = [rule("/buy/*"), rule("/buy/special"), rule("/help/*", exclude=True)]
    host = waymark.new_domain(draft(([SHOP], rules), ([HELP], [rule("/support/*")])))
    save(waymark, host, "/buy/1", OPENS_SHOP)
    dashboard.open_domain(host, "tests")
    untested = section(dashboard).get_by_role("list", name="Rules without a test").get_by_role("listitem")
    section(dashboard).get_by_text("3 of 4 rules have no test").click()
    expect(untested).to_have_count(3)
    expect(untested.nth(0)).to_contain_text("another rule may match first")
    dashboard.press("Add a test of /help/*")
    form = section(dashboard).get_by_role("form", name="New test")
    expect(form.get_by_label("URL or path")).to_have_value("/help/42")
    dashboard.press("Save test")
    expect(section(dashboard)).to_contain_text("rules have no test")
    expect(rows(dashboard)).to_have_count(2)
    assert saved(waymark, host)[-1]["url"] == "/help/42"


def test_rules_without_a_test_get_tests_together(waymark, dashboard, host):
    save(waymark, host, "/buy/1", OPENS_SHOP)
    dashboard.open_domain(host, "tests")
    section(dashboard).get_by_text("2 of 3 rules have no test").click()
    dashboard.press("Add 2 tests with these URLs…")
    expect(offered(dashboard)).to_have_count(2)
    dashboard.press("Review 2 tests")
    dashboard.press("Save 2 tests")
    expect(rows(dashboard)).to_have_count(3)
    expect(section(dashboard).get_by_role("list", name="Rules without a test")).to_be_hidden()
    expect(summary(dashboard)).to_have_text("All 3 tests pass.")


def test_tests_run_against_the_live_version_and_any_other(waymark, dashboard, published):
    save(waymark, published, "/buy/1", OPENS_SHOP)
    waymark.put_draft(published, draft(([SHOP], [])))
    dashboard.open_domain(published, "tests")
    expect(summary(dashboard)).to_contain_text("1 of 1 test fails. Failing tests block publishing.")
    section(dashboard).get_by_label("Run against").select_option("live")
    expect(summary(dashboard)).to_have_text("The test passes on the live version.")
    expect(rows(dashboard)).to_contain_text("Passed")
    section(dashboard).get_by_label("Run against").focus()
    section(dashboard).get_by_label("Run against").select_option("1")
    expect(summary(dashboard)).to_have_text("The test passes on version 1.")


def test_running_against_live_before_there_is_a_version_is_explained(waymark, dashboard, host):
    save(waymark, host, "/buy/1", OPENS_SHOP)
    dashboard.open_domain(host, "tests")
    expect(summary(dashboard)).to_contain_text("passes")
    section(dashboard).get_by_label("Run against").select_option("live")
    expect(section(dashboard).get_by_role("alert")).not_to_be_empty()
    expect(rows(dashboard)).to_contain_text("Not run")


def test_the_choice_of_urls_fits_a_phone_and_has_names(new_dashboard, host):
    dashboard = new_dashboard(width=360)
    dashboard.open_domain(host, "tests")
    open_file(dashboard, "access.log", log_of(("/buy/" + "x" * 300, 200), ("/שלום/عربي", 200)))
    expect(offered(dashboard)).to_have_count(2)
    box = dashboard.dialog.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    assert dashboard.dialog.evaluate("element => element.scrollWidth - element.clientWidth") <= 0
    assert overflow(dashboard.page) <= 0
    assert dashboard.page.evaluate(NAMELESS) == []
