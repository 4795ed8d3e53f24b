"""Which app opens these URLs, and by which rule, while the user types."""

import json

import pytest
from playwright.sync_api import expect

from checks import NAMELESS, overflow
from dashboard import SHOP, draft, rule, until


# Whether a line of code is visible in its box, wherever the page is scrolled to.
IN_ITS_BOX = """line => {
    const [inner, outer] = [line, line.closest("pre")].map((each) => each.getBoundingClientRect());
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
}"""


def test_the_result_follows_the_input(dashboard, host):
    dashboard.open_domain(host)
    for url, headline, why in [
        (f"https://{host}/buy/42", "Opens Shop", "Rule 1 (/buy/*) is the first rule that matches."),
        (
            f"https://{host}/help/website/x",
            "Stays on the web",
            "Rule 2 (/help/website/*) matches first and excludes it",
        ),
        (f"https://{host}/help/x?articleNumber=1234", "Opens Shop", "Rule 3"),
        (f"https://{host}/help/x?articleNumber=12", "No app opens it", "opens in the browser"),
        ("ftp://nowhere", "Not a universal link", ""),
    ]:
        dashboard.ask(url)
        expect(dashboard.verdict).to_contain_text(headline)
        expect(dashboard.verdict).to_contain_text(why)


def test_a_path_alone_uses_this_host(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/buy/7")
    expect(dashboard.verdict).to_contain_text("Opens Shop")


def test_the_deciding_rule_is_marked_in_the_list_and_in_the_file(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/help/website/x")
    expect(dashboard.rules.nth(1)).to_contain_text("Decides")
    expect(dashboard.rules.nth(1)).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(dashboard.rules.nth(0)).not_to_contain_text("Decides")
    expect(dashboard.rules.nth(0)).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    marked = dashboard.page.locator(".code-line[data-decides=excluded]")
    expect(marked.filter(has_text='"/help/website/*"')).to_have_count(1)


def test_the_verdict_leads_to_the_deciding_rule_from_other_parts_and_past_a_filter(waymark, dashboard, apps):
    rules = [rule(f"/part-{number}/*") for number in range(60)]
    page = dashboard.open_domain(waymark.new_domain(draft(([apps[0]], rules))))
    page.get_by_role("searchbox", name="Filter the rules").fill("part-1")
    dashboard.open_part("Tests")
    dashboard.ask("/part-57/x")
    page.get_by_role("link", name="Rule 58 (/part-57/*)").click()
    expect(dashboard.rules.nth(57)).to_be_focused()
    expect(dashboard.rules.nth(57)).to_be_in_viewport()


def test_quick_keys_ask_one_question_at_a_time_and_explain_only_on_request(dashboard, host):
    page = dashboard.open_domain(host)
    asked, held = [], []

    def hold(route):
        asked.append((route.request.post_data_json["urls"][0], "explain" in route.request.url))
        held.append(route)

    page.route("**/evaluations*", hold)
    page.get_by_role("textbox", name="URLs, one per line").evaluate(
        """async (field) => {
            for (const path of ["/buy/1", "/buy/2", "/other"]) {
                field.value = path;
                field.dispatchEvent(new InputEvent("input"));
                await new Promise((resolve) => setTimeout(resolve));
            }
        }"""
    )
    until(page, lambda: held)
    # The first answer never comes, so the newest question replaces it.
    until(page, lambda: len(held) == 2)
    held[1].continue_()
    expect(dashboard.verdict).to_contain_text("No app opens it")
    assert asked == [(f"https://{host}/buy/1", False), (f"https://{host}/other", False)]
    page.unroute("**/evaluations*")
    with page.expect_request("**/evaluations?explain=true"):
        page.get_by_text("Why: rule by rule").click()
    expect(page.get_by_role("region", name="Which app opens this URL?")).to_contain_text("All 3 rules tried, in order")


def test_the_deciding_lines_of_a_long_file_scroll_into_view(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([apps[0]], [rule(f"/{number}/*") for number in range(60)])))
    dashboard.open_domain(host)
    box = dashboard.page.get_by_label("The generated file, indented for reading")
    for path in ("/55/x", "/0/x"):
        dashboard.ask(path)
        line = box.locator(".code-line").filter(has_text=f'"{path[:-1]}*"')
        expect(line).to_have_attribute("data-decides", "opens")
        assert line.evaluate(IN_ITS_BOX)
    assert dashboard.page.evaluate("scrollY") == 0


def test_the_result_follows_an_edit(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/buy/42")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    dashboard.press("Delete rule 1, /buy/*")
    expect(dashboard.verdict).to_contain_text("No app opens it")


def test_every_app_of_the_file_is_listed(waymark, dashboard, apps):
    shop, help_app = apps
    host = waymark.new_domain(draft(([shop], [rule("/a/*", exclude=True)]), ([help_app], [rule("/*")])))
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/a/1")
    expect(dashboard.verdict).to_contain_text("Opens Help")
    verdicts = dashboard.page.get_by_role("list", name="Apps in the file").get_by_role("listitem")
    expect(verdicts).to_have_text(["Shop excluded by a rule", "Help opens it"])
    expect(dashboard.rules.nth(0)).to_contain_text("Decides for Shop")
    expect(dashboard.verdict).to_contain_text("Rule 1 of entry 2 (/*)")


def test_the_live_version_can_be_checked_instead(waymark, dashboard, published):
    waymark.put_draft(published, draft((["TESTTEAM01.com.example.shop"], [])))
    dashboard.open_domain(published)
    dashboard.ask(f"https://{published}/buy/1")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    dashboard.page.get_by_label("Check against").select_option("live")
    expect(dashboard.verdict).to_contain_text("Opens Shop")


def test_checking_the_live_version_before_there_is_one_is_explained(dashboard, host):
    dashboard.open_domain(host)
    dashboard.page.get_by_label("Check against").select_option("live")
    expect(dashboard.verdict).to_contain_text("Nothing is live yet")


def test_a_url_without_a_matching_rule_becomes_a_rule(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/app/orders?id=7#details")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    dashboard.press("Make a rule from this URL")
    dashboard.press("Save rule")
    # The verdict shows a rule before it is saved.
    expect(dashboard.page.get_by_role("form", name="New rule")).to_have_count(0)
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    added = waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"][3]
    assert (added["path"], added["query"], added["fragment"]) == ("/app/orders", {"id": "7"}, "details")


def test_the_rule_made_from_a_url_matches_it_even_if_a_name_is_repeated(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/a b/c?x=1&x=2&y=3&y=3#frag")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    dashboard.press("Make a rule from this URL")
    match = dashboard.page.get_by_role("form", name="New rule").get_by_role("status")
    expect(match).to_contain_text("This rule matches")
    expect(match).to_contain_text("has x more than once")
    dashboard.press("Save rule")
    # The verdict shows a rule before it is saved.
    expect(dashboard.page.get_by_role("form", name="New rule")).to_have_count(0)
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    added = waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"][3]
    assert (added["path"], added["query"], added["fragment"]) == ("/a%20b/c", {"y": "3"}, "frag")


def test_a_rule_that_no_longer_matches_its_url_says_so(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/orders/7")
    dashboard.press("Make a rule from this URL")
    form = dashboard.page.get_by_role("form", name="New rule")
    expect(form.get_by_role("status")).to_contain_text("This rule matches")
    dashboard.type("Path", "/order/*", within=form)
    expect(form.get_by_role("status")).to_contain_text("does not match")
    dashboard.type("Path", "/orders/*", within=form)
    expect(form.get_by_role("status")).to_contain_text("This rule matches")


def test_a_rule_above_the_deciding_one_overrules_it(waymark, dashboard, host):
    dashboard.open_domain(host)
    # The rule tells the verdict of this URL from that of the one before, which may have the same headline.
    for path, decider, button, result in [
        ("/buy/special", "(/buy/*)", "Keep this URL on the web", "Stays on the web"),
        ("/help/website/app", "(/help/website/*)", "Open this URL in the app", "Opens Shop"),
    ]:
        dashboard.ask(path)
        expect(dashboard.verdict).to_contain_text(decider)
        dashboard.press(button)
        dashboard.press("Save rule")
        expect(dashboard.page.get_by_role("form", name="New rule")).to_have_count(0)
        expect(dashboard.verdict).to_contain_text(result)
    saved = waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"]
    assert [(each["path"], each.get("exclude", False)) for each in saved] == [
        ("/buy/special", True),
        ("/buy/*", False),
        ("/help/website/app", False),
        ("/help/website/*", True),
        ("/help/*", False),
    ]


def test_a_second_url_can_become_a_rule_too(dashboard, host):
    dashboard.open_domain(host)
    for path in ("/first", "/second"):
        dashboard.ask(path)
        expect(dashboard.verdict).to_contain_text("No app opens it")
        dashboard.press("Make a rule from this URL")
        expect(dashboard.path).to_have_value(path)


def explained(route):
    """The real answer with a made-up trace of the first two rules of its only app."""
    answer = route.fetch().json()
    path = {"part": "path", "name": None, "compared": None, "text": "/help/website/x", "variables": []}
    parts = [
        {**path, "pattern": "/buy/*", "matches": False, "reason": "It begins otherwise."},
        {**path, "pattern": "/help/website/*", "matches": True, "reason": "* takes x."},
    ]
    rules = [
        {
            "pointer": f"/applinks/details/0/components/{index}",
            "outcome": "matches" if each["matches"] else "fails",
            "excludes": each["matches"],
            "comment": None,
            "summary": each["reason"],
            "parts": [each],
        }
        for index, each in enumerate(parts)
    ]
    for evaluation in answer["evaluations"]:
        app = evaluation["apps"][0]["app"]
        evaluation["trace"] = [
            {"app": app, "entry": "/applinks/details/0", "note": None, "rules": rules, "nearestMiss": None}
        ]
        evaluation["certainty"] = "reported"
        evaluation["uncertainties"] = ["This one rests on a report."]
    route.fulfill(json=answer)


def test_a_result_is_explained_rule_by_rule(dashboard, host):
    """With an answer made here; the words of an explanation come from the API."""
    dashboard.page.route("**/evaluations*", explained)
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/help/website/x")
    expect(dashboard.verdict).to_contain_text("Stays on the web")
    expect(dashboard.verdict).to_contain_text("known from reports only")
    tester = dashboard.page.get_by_role("region", name="Which app opens this URL?")
    tester.get_by_text("Why: rule by rule").click()
    for text in ("Not certain.", "This one rests on a report.", "The first rule that matches decides:", "* takes x."):
        expect(tester).to_contain_text(text)
    tester.get_by_text("All 2 rules tried, in order").click()
    expect(tester).to_contain_text("It begins otherwise.")
    tester.get_by_role("button", name="Show it in the file").first.click()
    wanted = dashboard.page.locator(".code-line[data-wanted]")
    expect(wanted.filter(has_text='"/help/website/*"')).to_have_count(1)
    expect(wanted.filter(has_text='"/buy/*"')).to_have_count(0)
    expect(dashboard.page.get_by_label("The generated file, indented for reading")).to_be_focused()


def test_an_explanation_that_does_not_arrive_says_so(dashboard, host):
    dashboard.page.route("**/evaluations?explain=true", lambda route: route.abort())
    dashboard.open_domain(host)
    dashboard.page.get_by_text("Why: rule by rule").click()
    expect(dashboard.page.get_by_role("region", name="Which app opens this URL?")).to_contain_text("does not answer")


def test_the_generated_file_is_the_one_that_would_be_published(waymark, dashboard, host):
    dashboard.open_domain(host)
    text = waymark.api("GET", f"/v1/domains/{host}/draft/file").text
    expect(dashboard.page.get_by_text(f"{len(text.encode()):,} bytes of 128 KB (131,072 bytes)")).to_be_visible()
    shown = dashboard.page.get_by_label("The generated file, indented for reading").text_content()
    assert "".join(shown.split()) == "".join(text.split())


# Many URLs

MANY = ["/buy/42", "/help/website/x", "/help/x?articleNumber=1234", "/nowhere", "ftp://no"]


def tester(dashboard):
    return dashboard.page.get_by_role("region", name="Which app opens this URL?")


def results(dashboard):
    return tester(dashboard).get_by_role("list", name="Results").get_by_role("button")


def test_each_of_many_urls_has_a_line_with_its_result_and_rule(dashboard, host):
    dashboard.open_domain(host)
    expect(results(dashboard)).to_have_count(0)
    dashboard.ask("\n".join(MANY))
    expect(results(dashboard)).to_have_count(5)
    for index, texts in enumerate(
        [
            ("/buy/42", "Opens Shop", "Rule 1 (/buy/*)"),
            ("/help/website/x", "Stays on the web", "Rule 2"),
            ("/help/x?articleNumber=1234", "Opens Shop", "Rule 3"),
            ("/nowhere", "No app opens it"),
            ("ftp://no", "Not a universal link"),
        ]
    ):
        for text in texts:
            expect(results(dashboard).nth(index)).to_contain_text(text)
    summary = "5 URLs: 2 open an app, 1 stays on the web, 1 matches no rule and 1 is not a universal link"
    expect(tester(dashboard)).to_contain_text(summary)


def test_a_chosen_url_and_that_at_the_caret_show_their_verdict_and_mark_their_rule(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("\n".join(MANY))
    results(dashboard).nth(1).click()
    expect(results(dashboard).nth(1)).to_have_attribute("aria-current", "true")
    expect(dashboard.verdict).to_contain_text(f"https://{host}/help/website/x")
    expect(dashboard.verdict).to_contain_text("Stays on the web")
    expect(dashboard.rules.nth(1)).to_contain_text("Decides")
    tester(dashboard).get_by_role("textbox").first.press("Control+Home")
    expect(dashboard.verdict).to_contain_text(f"https://{host}/buy/42")
    expect(dashboard.rules.nth(0)).to_contain_text("Decides")


def test_hundreds_of_urls_are_checked_and_the_chosen_one_is_explained(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("\n".join(f"/buy/{number}" for number in range(250)))
    expect(tester(dashboard)).to_contain_text("250 URLs: 250 open an app")
    expect(results(dashboard)).to_have_count(100)
    dashboard.press("Show 100 more results")
    expect(results(dashboard)).to_have_count(200)
    expect(results(dashboard).nth(100)).to_be_focused()
    results(dashboard).nth(150).click()
    tester(dashboard).get_by_text("Why: rule by rule").click()
    expect(tester(dashboard)).to_contain_text("The first rule matches and decides:")


def test_urls_beyond_the_limit_are_named(dashboard, host):
    dashboard.open_domain(host)
    box = tester(dashboard).get_by_role("textbox").first
    box.evaluate("(box, text) => { box.value = text; box.dispatchEvent(new Event('input')) }", "/x\n" * 10_001)
    expect(tester(dashboard)).to_contain_text("Only the first 10,000 of 10,001 URLs are checked.")
    expect(tester(dashboard)).to_contain_text("10,000 URLs: 10,000 match no rule")


def test_urls_that_need_too_much_work_for_one_request_are_asked_for_in_parts(dashboard, host):
    asked = []

    def refuse_many(route):
        urls = route.request.post_data_json["urls"]
        asked.append(len(urls))
        problem = {"status": 422, "code": "budget_exceeded", "title": "No", "detail": "Too much work."}
        if len(urls) > 30:
            return route.fulfill(status=422, json=problem)
        route.continue_()

    dashboard.open_domain(host)
    dashboard.page.route("**/evaluations", refuse_many)
    dashboard.ask("\n".join(f"/buy/{number}" for number in range(100)))
    expect(tester(dashboard)).to_contain_text("100 URLs: 100 open an app")
    assert asked == [100, 50, 25, 25, 50, 25, 25]
    expect(results(dashboard).nth(99)).to_contain_text("/buy/99")


def test_the_system_counts(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/buy/1")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    tester(dashboard).get_by_label("System").select_option("iOS 9 to 12")
    expect(dashboard.verdict).not_to_contain_text("Opens Shop")


def test_any_version_can_be_checked(waymark, dashboard, published):
    waymark.put_draft(published, draft(([SHOP], [])))
    dashboard.open_domain(published)
    dashboard.ask("/buy/1")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    against = tester(dashboard).get_by_label("Check against")
    against.focus()
    against.select_option("1")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    expect(dashboard.verdict).to_contain_text("Rule 1 of entry 1 is the first rule that matches.")


def test_an_old_version_can_be_chosen_however_many_are_newer(waymark, dashboard, published):
    def many(route):
        answer = route.fetch().json()
        answer["items"] = [{**answer["items"][0], "version": number} for number in range(60, 10, -1)]
        route.fulfill(json=answer)

    dashboard.page.route("**/versions?limit=50", many)
    dashboard.open_domain(published)
    against = tester(dashboard).get_by_label("Check against")
    against.focus()
    expect(against.locator("optgroup option")).to_have_count(60)
    dashboard.ask("/buy/1")
    against.select_option("Version 1")
    expect(dashboard.verdict).to_contain_text("Rule 1 of entry 1 is the first rule that matches.")
    dashboard.open_part("Tests")
    expect(dashboard.page.get_by_label("Run against").locator("optgroup option")).to_have_count(60)


def test_another_file_can_be_checked(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/elsewhere\nhttps://other.example/elsewhere")
    tester(dashboard).get_by_label("Check against").select_option("Another file…")
    expect(tester(dashboard)).to_contain_text("No file yet")
    file = {"applinks": {"details": [{"appIDs": [SHOP], "components": [{"/": "/elsewhere"}]}]}}
    tester(dashboard).get_by_role("textbox", name="The file’s text").fill(json.dumps(file, indent=1))
    expect(results(dashboard).nth(0)).to_contain_text("Opens Shop")
    expect(results(dashboard).nth(1)).to_contain_text("Not a universal link")
    results(dashboard).nth(0).click()
    expect(tester(dashboard).locator(".editor-band[data-decides=opens]")).not_to_have_count(0)
    expect(dashboard.rules.nth(0)).not_to_contain_text("Decides")
    tester(dashboard).get_by_role("textbox", name="The file’s text").fill("{")
    expect(tester(dashboard)).to_contain_text("The file cannot be read. See its findings.")


def test_a_link_restores_the_input_and_sends_it_nowhere(dashboard, new_dashboard, host):
    dashboard.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dashboard.open_domain(host)
    dashboard.ask("/buy/42\n/secret")
    tester(dashboard).get_by_label("System").select_option("iOS 9 to 12")
    dashboard.press("Copy link", within=tester(dashboard))
    expect(dashboard.announcement).to_contain_text("Link copied.")
    link = dashboard.page.evaluate("navigator.clipboard.readText()")
    other = new_dashboard()
    requests = []
    other.page.on("request", lambda request: requests.append(request.url))
    other.page.goto(link)
    expect(tester(other).get_by_role("textbox").first).to_have_value("/buy/42\n/secret")
    expect(tester(other).get_by_label("System")).to_have_value("ios9")
    expect(results(other)).to_have_count(2)
    fragment = link.partition("#try=")[2]
    assert fragment and all(fragment not in url.partition("#")[0] for url in requests)


def test_a_broken_link_shows_an_error_and_the_tester_works(dashboard, host):
    dashboard.open_domain(host)
    dashboard.page.goto(dashboard.page.url + "#try=broken")
    expect(tester(dashboard).get_by_role("alert")).to_contain_text("This link is broken")
    dashboard.ask("/buy/1")
    expect(dashboard.verdict).to_contain_text("Opens Shop")


def test_the_sample_urls_fill_in_variables(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/$(season)/*")]), substitutionVariables={"season": ["spring"]}))
    dashboard.open_domain(host)
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    expect(tester(dashboard).get_by_role("button", name="/spring/42")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1440])
def test_long_and_right_to_left_urls_fit(new_dashboard, host, width):
    dashboard = new_dashboard(width=width)
    dashboard.open_domain(host)
    if width < 500:
        dashboard.page.locator("[data-part=tester-toggle]").click()
    dashboard.ask("/buy/" + "x" * 500 + "\n/שלום/عربي?x=" + "é" * 200)
    expect(results(dashboard)).to_have_count(2)
    assert overflow(dashboard.page) <= 0
    assert tester(dashboard).evaluate("element => element.scrollWidth - element.clientWidth") <= 0
    assert dashboard.page.evaluate(NAMELESS) == []
