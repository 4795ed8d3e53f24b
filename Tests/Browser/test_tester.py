"""Which app opens this URL, and by which rule: while one types."""

from playwright.sync_api import expect

from dashboard import draft, rule


def test_the_verdict_follows_the_typing(dashboard, host):
    dashboard.open_domain(host)
    for url, headline, why in [
        (f"https://{host}/buy/42", "Opens Shop", "Rule 1, /buy/*, is the first that matches."),
        (
            f"https://{host}/help/website/x",
            "Stays on the web",
            "Rule 2, /help/website/*, matches first and excludes it",
        ),
        (f"https://{host}/help/x?articleNumber=1234", "Opens Shop", "Rule 3"),
        (f"https://{host}/help/x?articleNumber=12", "No app opens it", "opens in the browser"),
        ("ftp://nowhere", "Not a universal link", ""),
    ]:
        dashboard.ask(url)
        expect(dashboard.verdict).to_contain_text(headline)
        expect(dashboard.verdict).to_contain_text(why)


def test_a_path_alone_means_this_host(dashboard, host):
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


def test_the_deciding_lines_of_a_long_file_come_into_view(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([apps[0]], [rule(f"/{number}/*") for number in range(60)])))
    dashboard.open_domain(host)
    line = dashboard.page.locator(".code-line").filter(has_text='"/55/*"')
    expect(line).not_to_be_in_viewport()
    dashboard.ask("/55/x")
    expect(line).to_be_in_viewport()
    assert dashboard.page.evaluate("scrollY") == 0
    dashboard.ask("/0/x")
    expect(dashboard.page.locator(".code-line").filter(has_text='"/0/*"')).to_be_in_viewport()


def test_the_verdict_follows_an_edit(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/buy/42")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    dashboard.press("Delete rule 1, /buy/*")
    expect(dashboard.verdict).to_contain_text("No app opens it")


def test_every_app_of_the_file_is_named(waymark, dashboard, apps):
    shop, help_app = apps
    host = waymark.new_domain(draft(([shop], [rule("/a/*", exclude=True)]), ([help_app], [rule("/*")])))
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/a/1")
    expect(dashboard.verdict).to_contain_text("Opens Help")
    verdicts = dashboard.page.get_by_role("list", name="Every app of the file").get_by_role("listitem")
    expect(verdicts).to_have_text(["Shop kept out by a rule", "Help opens it"])
    expect(dashboard.rules.nth(0)).to_contain_text("Decides for Shop")
    expect(dashboard.verdict).to_contain_text("Rule 1 of entry 2, /*,")


def test_the_live_version_can_be_asked_instead(waymark, dashboard, published):
    waymark.put_draft(published, draft((["TESTTEAM01.com.example.shop"], [])))
    dashboard.open_domain(published)
    dashboard.ask(f"https://{published}/buy/1")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    dashboard.page.get_by_label("Ask").select_option("live")
    expect(dashboard.verdict).to_contain_text("Opens Shop")


def test_asking_live_before_anything_is_live_is_explained(dashboard, host):
    dashboard.open_domain(host)
    dashboard.page.get_by_label("Ask").select_option("live")
    expect(dashboard.verdict).to_contain_text("Nothing is live yet")


def test_a_url_that_no_rule_takes_becomes_one(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask(f"https://{host}/app/orders?id=7#details")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    dashboard.press("Make a rule of this URL")
    dashboard.press("Save rule")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    added = waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"][3]
    assert (added["path"], added["query"], added["fragment"]) == ("/app/orders", {"id": "7"}, "details")


def test_the_rule_made_of_a_url_takes_it_although_a_name_is_repeated(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/a b/c?x=1&x=2&y=3&y=3#frag")
    expect(dashboard.verdict).to_contain_text("No app opens it")
    dashboard.press("Make a rule of this URL")
    match = dashboard.page.get_by_role("form", name="New rule").get_by_role("status")
    expect(match).to_contain_text("This rule takes")
    expect(match).to_contain_text("names x more than once")
    dashboard.press("Save rule")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    added = waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"][3]
    assert (added["path"], added["query"], added["fragment"]) == ("/a%20b/c", {"y": "3"}, "frag")


def test_a_rule_that_no_longer_takes_its_url_says_so(dashboard, host):
    dashboard.open_domain(host)
    dashboard.ask("/orders/7")
    dashboard.press("Make a rule of this URL")
    form = dashboard.page.get_by_role("form", name="New rule")
    expect(form.get_by_role("status")).to_contain_text("This rule takes")
    dashboard.type("Path", "/order/*", within=form)
    expect(form.get_by_role("status")).to_contain_text("does not take")
    dashboard.type("Path", "/orders/*", within=form)
    expect(form.get_by_role("status")).to_contain_text("This rule takes")


def test_a_second_url_is_made_a_rule_too(dashboard, host):
    dashboard.open_domain(host)
    for path in ("/first", "/second"):
        dashboard.ask(path)
        expect(dashboard.verdict).to_contain_text("No app opens it")
        dashboard.press("Make a rule of this URL")
        expect(dashboard.page.get_by_role("textbox", name="Path")).to_have_value(path)


def test_the_file_beside_is_the_one_that_would_be_published(waymark, dashboard, host):
    dashboard.open_domain(host)
    text = waymark.api("GET", f"/v1/domains/{host}/draft/file").text
    expect(dashboard.page.get_by_text(f"{len(text.encode()):,} bytes of 131,072 bytes")).to_be_visible()
    shown = dashboard.page.get_by_label("The generated file, indented for reading").text_content()
    assert "".join(shown.split()) == "".join(text.split())
