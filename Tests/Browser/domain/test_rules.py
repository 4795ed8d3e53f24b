"""Editing the rules of a draft, with and without a mouse."""

import re

from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from installation import eventually

BUY, WEBSITE, ARTICLE = "/buy/*", "/help/website/*", "/help/*?articleNumber=????"


def drafted(waymark, host):
    """The rules in the API."""
    return waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"]


def paths(waymark, host):
    return [rule["path"] for rule in drafted(waymark, host)]


def test_a_rule_is_added_with_all_its_fields(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    form = dashboard.page.get_by_role("form", name="New rule")
    dashboard.type("Path", "/news/*", within=form)
    dashboard.open_more()
    form.get_by_label("Query must match").select_option("items")
    dashboard.type("Name", "edition", within=form)
    dashboard.type("Pattern", "?*", within=form)
    dashboard.type("Fragment", "top", within=form)
    dashboard.type("Comment", "only with an edition", within=form)
    form.get_by_label("Upper and lower case").select_option("false")
    form.get_by_label("Percent-encoding").select_option("false")
    dashboard.press("Save rule")

    dashboard.expect_patterns(BUY, WEBSITE, ARTICLE, "/news/*?edition=?*#top")
    saved = drafted(waymark, host)[3]
    assert saved["query"] == {"edition": "?*"}
    assert (saved["fragment"], saved["comment"]) == ("top", "only with an edition")
    assert (saved["caseSensitive"], saved["percentEncoded"]) == (False, False)


def test_a_new_exclusion_goes_to_the_top(dashboard, host):
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    dashboard.page.get_by_role("radio", name="Stays on the web").check()
    dashboard.type("Path", "/buy/print/*")
    dashboard.press("Save rule")
    dashboard.expect_patterns("/buy/print/*", BUY, WEBSITE, ARTICLE)
    expect(dashboard.rules.first).to_contain_text("Stays on the web")
    expect(dashboard.announcement).to_contain_text("Added as rule 1 of 4: /buy/print/*. A new exclusion goes above")


def test_editing_changes_only_the_edited_fields(waymark, dashboard, host):
    dashboard.open_domain(host)
    before = drafted(waymark, host)[2]
    dashboard.press(f"Edit rule 3, {ARTICLE}")
    dashboard.type("Path", "/support/*")
    dashboard.press("Save rule")
    dashboard.expect_patterns(BUY, WEBSITE, "/support/*?articleNumber=????")
    assert drafted(waymark, host)[2] == before | {"path": "/support/*"}
    expect(dashboard.row(3)).to_be_focused()


def test_a_query_item_is_removed_again(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.press(f"Edit rule 3, {ARTICLE}")
    dashboard.open_more()
    dashboard.page.get_by_label("Query must match").select_option("any")
    dashboard.press("Save rule")
    dashboard.expect_patterns(BUY, WEBSITE, "/help/*")
    assert drafted(waymark, host)[2].get("query") is None


def test_escape_closes_a_form_but_asks_before_it_discards_input(dashboard, host):
    dashboard.open_domain(host)
    dashboard.press(f"Edit rule 1, {BUY}")
    dashboard.path.press("Escape")
    expect(dashboard.row(1)).to_be_focused()
    dashboard.press(f"Edit rule 1, {BUY}")
    path = dashboard.path
    path.fill("/gone")
    path.press("Escape")
    expect(dashboard.dialog.get_by_role("heading", name="Discard your changes?")).to_be_visible()
    dashboard.page.keyboard.press("Escape")
    expect(dashboard.dialog).to_be_hidden()
    expect(path).to_have_value("/gone")
    path.press("Escape")
    dashboard.press("Discard", exact=True, within=dashboard.dialog)
    dashboard.expect_patterns(BUY, WEBSITE, ARTICLE)
    expect(dashboard.row(1)).to_be_focused()


def test_escape_asks_in_the_forms_of_apps_and_of_tests_too(dashboard, host):
    dashboard.open_domain(host)
    forms = (("Rules", "Edit the apps of entry 1", "App"), ("Tests", "Add a test", "URL or path"))
    for name, opens, field in forms:
        dashboard.open_part(name)
        dashboard.press(opens)
        control = dashboard.page.get_by_label(field, exact=True)
        control.fill("/typed")
        control.press("Escape")
        expect(dashboard.dialog.get_by_role("heading", name="Discard your changes?")).to_be_visible()
        dashboard.press("Cancel", within=dashboard.dialog)
        expect(control).to_have_value("/typed")


def test_query_items_without_a_name_are_not_saved(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.press(f"Edit rule 1, {BUY}")
    form = dashboard.page.get_by_role("form", name="Edit rule")
    dashboard.open_more()
    form.get_by_label("Query must match").select_option("items")
    dashboard.press("Save rule")
    expect(form.get_by_text("Enter at least one item, or choose “Any query, or none”.")).to_be_visible()
    dashboard.type("Pattern", "x*", within=form)
    dashboard.press("Save rule")
    expect(form.get_by_text("Enter a name for each item.")).to_be_visible()
    dashboard.type("Name", "campaign", within=form)
    expect(form.get_by_text("Enter a name for each item.")).to_be_hidden()
    dashboard.press("Save rule")
    dashboard.expect_patterns("/buy/*?campaign=x*", WEBSITE, ARTICLE)
    assert drafted(waymark, host)[0]["query"] == {"campaign": "x*"}


def test_an_imported_query_without_items_does_not_block_other_changes(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/a", query={})])))
    dashboard.open_domain(host)
    dashboard.press("Edit rule 1, /a")
    dashboard.open_more()
    dashboard.type("Comment", "still as it was")
    dashboard.press("Save rule")
    expect(dashboard.rules.first).to_contain_text("still as it was")


def test_the_menu_moves_a_rule_and_keeps_the_focus(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.choose(3, "Move up")
    dashboard.expect_patterns(BUY, ARTICLE, WEBSITE)
    expect(dashboard.announcement).to_contain_text("is now rule 2 of 3")
    expect(dashboard.page.get_by_role("button", name=f"More for rule 2, {ARTICLE}")).to_be_focused()
    eventually(lambda: paths(waymark, host) == ["/buy/*", "/help/*", "/help/website/*"], what="the expected draft")


def test_alt_and_arrow_keys_move_a_rule_even_in_quick_succession(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.row(1).focus()
    dashboard.page.keyboard.press("Alt+ArrowDown")
    dashboard.page.keyboard.press("Alt+ArrowDown")
    dashboard.expect_patterns(WEBSITE, ARTICLE, BUY)
    expect(dashboard.row(3)).to_be_focused()
    eventually(lambda: paths(waymark, host) == ["/help/website/*", "/help/*", "/buy/*"], what="the expected draft")


def test_a_rule_is_dragged_to_another_place(waymark, dashboard, host):
    dashboard.open_domain(host)
    drag(dashboard.page, dashboard.row(3), dashboard.rules.first)
    dashboard.expect_patterns(ARTICLE, BUY, WEBSITE)
    eventually(lambda: paths(waymark, host) == ["/help/*", "/buy/*", "/help/website/*"], what="the expected draft")


def test_escape_cancels_dragging_a_rule(waymark, dashboard, host):
    dashboard.open_domain(host)
    drag(dashboard.page, dashboard.row(3), dashboard.rules.first, let_go=False)
    dashboard.page.keyboard.press("Escape")
    dashboard.page.mouse.up()
    dashboard.ask(f"https://{host}/buy/1")
    expect(dashboard.verdict).to_contain_text("Rule 1")
    eventually(lambda: paths(waymark, host) == ["/buy/*", "/help/website/*", "/help/*"], what="the expected draft")


def test_a_deleted_rule_is_restored_in_its_place(waymark, dashboard, host):
    dashboard.open_domain(host)
    before = drafted(waymark, host)
    dashboard.press(f"Delete rule 2, {WEBSITE}")
    dashboard.expect_patterns(BUY, ARTICLE)
    dashboard.press("Undo", exact=True)
    dashboard.expect_patterns(BUY, WEBSITE, ARTICLE)
    without_ids = [{**rule, "id": None} for rule in drafted(waymark, host)]
    assert without_ids == [{**rule, "id": None} for rule in before]


def test_an_error_of_the_api_appears_next_to_its_field_and_the_input_is_kept(dashboard, host):
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    dashboard.type("Path", "/" + "x" * 5_000)
    dashboard.open_more()
    dashboard.type("Comment", "kept")
    dashboard.press("Save rule")
    path = dashboard.path
    expect(path).to_have_attribute("aria-invalid", "true")
    expect(path).to_be_focused()
    assert path.input_value().startswith("/xxx")
    expect(dashboard.page.get_by_role("textbox", name="Comment")).to_have_value("kept")


def test_an_entry_gets_its_apps_from_the_registry_or_by_typing(waymark, dashboard, apps):
    host = waymark.new_domain()
    dashboard.open_domain(host)
    expect(dashboard.page.get_by_role("heading", name="Which app opens links to this domain?")).to_be_visible()
    dashboard.press("Add an app")
    app = dashboard.page.get_by_label("App", exact=True)
    expect(app).to_be_focused()
    offered = dashboard.page.locator("datalist option").evaluate_all("options => options.map((option) => option.value)")
    assert apps[0] in offered
    app.fill(apps[0])
    app.press("Enter")
    app.fill("ZZZZZ99999.com.example.unknown")
    dashboard.press("Save apps")
    expect(dashboard.page.locator(".entry-app")).to_have_text(
        [f"Shop {apps[0]} ", " ZZZZZ99999.com.example.unknown not registered"]
    )
    expect(dashboard.page.get_by_text("no URL opens the app")).to_be_visible()


def test_a_new_entry_opens_the_form_of_its_first_rule(waymark, dashboard, apps):
    host = waymark.new_domain()
    page = dashboard.open_domain(host)
    for button, app, number in (("Add an app", apps[0], 1), ("Add an entry for other apps", apps[1], 2)):
        dashboard.press(button)
        expect(page.get_by_label("App", exact=True)).to_be_focused()
        for text in (app, ""):
            page.keyboard.type(text)
            page.keyboard.press("Enter")
        entry = page.locator(".entry").nth(number - 1)
        expect(entry.get_by_role("textbox", name="Path", exact=True)).to_be_focused()
        page.keyboard.press("Escape")
        expect(dashboard.path).to_have_count(0)
        expect(dashboard.dialog).to_be_hidden()
        expect(entry.get_by_role("button", name="Add a rule")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dashboard.path).to_be_focused()
    page.keyboard.type("/buy/*")
    page.keyboard.press("Enter")
    dashboard.expect_patterns("/buy/*")
    assert [len(each["rules"]) for each in waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"]] == [0, 1]


def test_an_empty_draft_offers_its_first_steps_in_one_place(waymark, dashboard, apps):
    page = dashboard.open_domain(waymark.new_domain())
    card = page.locator(".panel.empty", has_text="Which app opens links to this domain?")
    expect(card.get_by_role("button", name="Add an app")).to_have_class(re.compile("is-primary"))
    expect(page.get_by_role("button", name="Import a file…")).to_have_count(1)
    expect(card.get_by_role("button", name="Import a file…")).to_be_visible()
    publish = page.get_by_role("link", name="Publish…")
    expect(publish).not_to_have_class(re.compile("is-primary"))
    dashboard.press("Add an app")
    page.get_by_label("App", exact=True).fill(SHOP)
    dashboard.press("Save apps")
    expect(publish).to_have_class(re.compile("is-primary"))
    expect(page.get_by_role("button", name="Add an entry for other apps")).not_to_have_class(re.compile("is-primary"))


def test_an_app_is_added_by_its_name_and_a_text_that_is_no_app_is_refused(waymark, dashboard, apps):
    host = waymark.new_domain()
    dashboard.open_domain(host)
    dashboard.press("Add an app")
    app = dashboard.page.get_by_label("App", exact=True)
    app.fill("Shopp")
    dashboard.press("Save apps")
    form = dashboard.page.get_by_role("form", name="Apps of this entry")
    expect(form).to_contain_text("No registered app has the name “Shopp”, and it is not an app ID")
    expect(app).to_be_focused()
    app.fill("shop")
    dashboard.press("Save apps")
    expect(dashboard.page.locator(".entry-app")).to_have_text([f"Shop {apps[0]} "])
    assert waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["apps"] == [apps[0]]


def test_an_empty_rule_list_differs_from_no_list(waymark, dashboard, apps):
    host = waymark.new_domain({"entries": [{"apps": [apps[0]], "rules": []}]})
    dashboard.open_domain(host)
    expect(dashboard.verdict).to_contain_text("No app opens it")
    dashboard.press("Open every URL instead")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    assert waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][0]["rules"] is None
    dashboard.press("Open no URL instead")
    expect(dashboard.verdict).to_contain_text("No app opens it")


def test_entries_are_moved_and_deleted_with_undo(waymark, dashboard, apps):
    shop, help_app = apps
    both = {"entries": [{"apps": [shop], "rules": [{"path": "/*"}]}, {"apps": [help_app], "rules": [{"path": "/*"}]}]}
    host = waymark.new_domain(both)
    dashboard.open_domain(host)
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    dashboard.press("Move entry 2 earlier")
    expect(dashboard.verdict).to_contain_text("Opens Help")
    dashboard.press("Delete entry 1: Help")
    expect(dashboard.verdict).to_contain_text("Opens Shop")
    dashboard.press("Undo", exact=True)
    expect(dashboard.verdict).to_contain_text("Opens Help")


def drag(page, row, target, let_go=True):
    """Takes a rule's handle with the mouse and moves it over the upper edge of another rule."""
    start = row.get_by_title("Drag to move").bounding_box()
    end = target.bounding_box()
    x = start["x"] + start["width"] / 2
    page.mouse.move(x, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, (start["y"] + end["y"]) / 2, steps=4)
    page.mouse.move(x, end["y"] + 3, steps=4)
    if let_go:
        page.mouse.up()


def test_the_message_about_a_move_disappears_with_the_next_change(waymark, dashboard, host):
    dashboard.open_domain(host)
    dashboard.choose(3, "Move up")
    expect(dashboard.announcement).to_contain_text("is now rule 2 of 3")
    dashboard.press("Add a rule")
    dashboard.type("Path", "/fourth")
    dashboard.press("Save rule")
    expect(dashboard.rules).to_have_count(4)
    expect(dashboard.announcement).to_be_hidden()


def test_a_dialog_clears_a_message_but_keeps_one_with_undo(dashboard, host):
    dashboard.open_domain(host)
    dashboard.choose(3, "Move up")
    expect(dashboard.announcement).to_be_visible()
    dashboard.press("Import a file…")
    expect(dashboard.announcement).to_be_hidden()
    dashboard.page.keyboard.press("Escape")
    expect(dashboard.announcement).to_be_hidden()

    dashboard.press(f"Delete rule 1, {BUY}")
    expect(dashboard.announcement).to_contain_text("deleted from the draft")
    dashboard.press("Import a file…")
    expect(dashboard.announcement).to_be_hidden()
    dashboard.page.keyboard.press("Escape")
    dashboard.press("Undo", exact=True)
    expect(dashboard.rules).to_have_count(3)


def test_a_message_with_undo_leaves_after_a_while_or_at_the_next_act(new_dashboard, host):
    # In its own window: a clock stays installed for all later pages of a window.
    dashboard = new_dashboard(width=1440)
    page = dashboard.page
    page.clock.install()
    dashboard.open_domain(host)
    dashboard.press(f"Delete rule 1, {BUY}")
    expect(dashboard.announcement).to_contain_text("deleted from the draft")
    undo = dashboard.announcement.get_by_role("button", name="Undo")
    undo.focus()
    page.clock.fast_forward(60_000)
    expect(dashboard.announcement).to_be_visible()
    page.locator("h1").first.click()
    page.clock.fast_forward(30_000)
    expect(dashboard.announcement).to_be_hidden()
    dashboard.press("Undo: ")
    expect(dashboard.rules).to_have_count(3)

    dashboard.press(f"Delete rule 1, {BUY}")
    expect(undo).to_be_visible()
    dashboard.press("Add a rule")
    dashboard.type("Path", "/fourth")
    dashboard.press("Save rule")
    expect(dashboard.rules).to_have_count(3)
    expect(dashboard.announcement).to_be_hidden()


def test_findings_name_rules_as_the_page_does(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/a/*"), rule("/*"), rule("/b/*", exclude=True)])))
    dashboard.open_domain(host)
    for findings in (dashboard.page.locator("#file .findings").first, dashboard.rules.nth(2)):
        link = findings.get_by_role("link", name="rule 2")
        expect(link).to_be_visible()
    expect(dashboard.page.get_by_text("/applinks/details")).to_have_count(0)
    link.click()
    expect(dashboard.rules.nth(1)).to_be_in_viewport()
    assert dashboard.page.evaluate("document.querySelector(':target .rule-pattern').textContent") == "/*"


def test_the_count_of_errors_leads_to_the_first_error(waymark, dashboard, apps):
    rules = [*(rule(f"/part-{number}/*") for number in range(60)), rule("/x/$(unknown)")]
    page = dashboard.open_domain(waymark.new_domain(draft(([SHOP], rules))))
    errors = page.get_by_role("navigation", name="Parts of this page").get_by_role("link", name="1 error")
    for part in ("Rules", "Tests"):
        dashboard.open_part(part)
        errors.click()
        expect(dashboard.rules.last).to_be_focused()
        expect(dashboard.rules.last).to_be_in_viewport()


def test_errors_show_when_the_first_checks_of_a_draft_end(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/x/$(unknown)")])))
    answers = []

    def unchecked_at_first(route):
        body = route.fetch().json()
        answers.append(body)
        route.fulfill(json={**body, "checks": None} if len(answers) == 1 else body)

    dashboard.page.route(f"**/v1/domains/{host}", lambda route: unchecked_at_first(route))
    page = dashboard.open_domain(host)
    expect(page.get_by_role("navigation", name="Parts of this page").get_by_role("link", name="1 error")).to_be_visible()
