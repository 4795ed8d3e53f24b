"""Which app opens this URL, and by which rule, while the user types."""

from playwright.sync_api import expect

from dashboard import draft, rule


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


def test_the_deciding_lines_of_a_long_file_scroll_into_view(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([apps[0]], [rule(f"/{number}/*") for number in range(60)])))
    dashboard.open_domain(host)
    line = dashboard.page.locator(".code-line").filter(has_text='"/55/*"')
    expect(line).not_to_be_in_viewport()
    dashboard.ask("/55/x")
    expect(line).to_be_in_viewport()
    assert dashboard.page.evaluate("scrollY") == 0
    dashboard.ask("/0/x")
    expect(dashboard.page.locator(".code-line").filter(has_text='"/0/*"')).to_be_in_viewport()


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


def test_a_second_url_can_become_a_rule_too(dashboard, host):
    dashboard.open_domain(host)
    for path in ("/first", "/second"):
        dashboard.ask(path)
        expect(dashboard.verdict).to_contain_text("No app opens it")
        dashboard.press("Make a rule from this URL")
        expect(dashboard.page.get_by_role("textbox", name="Path")).to_have_value(path)


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
    dashboard.page.route("**/evaluations?explain=true", explained)
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


def test_a_result_without_an_explanation_offers_none(dashboard, host):
    dashboard.page.route("**/evaluations?explain=true", unexplained)
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/buy/1")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    expect(dashboard.page.get_by_text("Why: rule by rule")).to_be_hidden()


def unexplained(route):
    answer = route.fetch().json()
    for evaluation in answer["evaluations"]:
        for name in ("trace", "certainty", "uncertainties"):
            evaluation.pop(name, None)
    route.fulfill(json=answer)


def test_the_generated_file_is_the_one_that_would_be_published(waymark, dashboard, host):
    dashboard.open_domain(host)
    text = waymark.api("GET", f"/v1/domains/{host}/draft/file").text
    expect(dashboard.page.get_by_text(f"{len(text.encode()):,} bytes of 131,072 bytes")).to_be_visible()
    shown = dashboard.page.get_by_label("The generated file, indented for reading").text_content()
    assert "".join(shown.split()) == "".join(text.split())
