"""Editing rules in their rows: the preview while typing, several at once, undo and redo, the filter and the keys."""

import re

import pytest
from playwright.sync_api import expect

from checks import overflow
from dashboard import HELP, SHOP, draft, rule
from installation import eventually

# How many drafts have steps that can be undone in this tab, also after a way to another page.
KEPT = "Object.keys(sessionStorage).filter((key) => key.startsWith('undo:')).length"

BUY, WEBSITE, ARTICLE = "/buy/*", "/help/website/*", "/help/*?articleNumber=????"


@pytest.fixture
def opened(dashboard, host):
    dashboard.open_domain(host)
    dashboard.expect_patterns(BUY, WEBSITE, ARTICLE)
    return dashboard


def saved(waymark, host, entry=0):
    return waymark.api("GET", f"/v1/domains/{host}/draft").json()["entries"][entry]["rules"]


def revision(waymark, host):
    return waymark.api("GET", f"/v1/domains/{host}/draft").json()["revision"]


def file(dashboard):
    return dashboard.page.get_by_role("region", name="Generated file")


# The form in the row, and the preview


def test_the_form_of_a_rule_is_one_line_in_its_row_with_the_path_selected(opened):
    opened.row(1).press("Enter")
    form = opened.row(1).get_by_role("form", name="Edit rule")
    expect(form.get_by_role("textbox", name="Path")).to_be_focused()
    assert form.bounding_box()["height"] < 90
    opened.page.keyboard.type("/shop/*")
    opened.page.keyboard.press("Enter")
    opened.expect_patterns("/shop/*", WEBSITE, ARTICLE)
    expect(opened.row(1)).to_be_focused()


def test_a_click_on_the_pattern_opens_its_form(opened):
    opened.page.locator(".rule-pattern").nth(1).click()
    expect(opened.path).to_have_value(WEBSITE)


def test_the_verdict_and_the_file_change_while_the_user_types_and_nothing_is_saved(waymark, opened, host):
    before = revision(waymark, host)
    opened.ask(f"https://{host}/buy/42")
    expect(opened.verdict).to_contain_text("Opens Shop")
    opened.press("Edit rule 1")
    opened.type("Path", "/shop/*")
    expect(opened.verdict).to_contain_text("No app opens it")
    expect(file(opened)).to_contain_text('"/shop/*"')
    expect(opened.page.get_by_text("Preview with your unsaved input.")).to_be_visible()
    opened.page.get_by_role("radio", name="Stays on the web").check()
    opened.type("Path", "/buy/4*")
    expect(opened.verdict).to_contain_text("Rule 1 (/buy/4*) matches first and excludes it")
    assert revision(waymark, host) == before
    opened.press("Cancel")
    expect(opened.verdict).to_contain_text("Opens Shop")
    expect(file(opened)).to_contain_text('"/buy/*"')
    expect(opened.page.get_by_text("Preview with your unsaved input.")).to_be_hidden()


def test_unsaved_input_counts_for_the_verdict_only_beside_the_rules_and_the_verdict_says_so(opened, host):
    opened.ask("/buy/42")
    expect(opened.verdict).to_contain_text("Opens Shop")
    opened.press("Edit rule 1")
    opened.type("Path", "/changed/*")
    for _ in range(2):
        expect(opened.verdict).to_contain_text("No app opens it")
        expect(opened.verdict).to_contain_text("With your unsaved input.")
        opened.open_part("Tests")
        expect(opened.verdict).to_contain_text("Opens Shop")
        expect(opened.verdict).not_to_contain_text("With your unsaved input.")
        opened.open_part("Rules")
        expect(opened.path).to_have_value("/changed/*")
    opened.press("Cancel")
    expect(opened.verdict).to_contain_text("Opens Shop")
    expect(opened.verdict).not_to_contain_text("With your unsaved input.")


def test_a_new_rule_is_previewed_where_it_will_be(opened, host):
    opened.ask(f"https://{host}/help/website/x")
    expect(opened.verdict).to_contain_text("Stays on the web")
    opened.choose(2, "Insert a rule above")
    opened.type("Path", "/help/website/x")
    expect(opened.verdict).to_contain_text("Rule 2 (/help/website/x) is the first rule that matches.")
    opened.page.keyboard.press("Enter")
    opened.expect_patterns(BUY, "/help/website/x", WEBSITE, ARTICLE)
    expect(opened.verdict).to_contain_text("Opens Shop")


def test_a_new_rule_is_judged_by_a_url_that_it_matches(opened, host):
    opened.ask(f"https://{host}/help/website/x")
    expect(opened.verdict).to_contain_text("Stays on the web")
    opened.press("Add a rule")
    outcome = opened.page.locator(".rule-outcome")
    expect(opened.path).to_be_focused()
    expect(outcome).to_be_hidden()
    opened.type("Path", "/gifts/*")
    expect(outcome).to_have_text("Example URL /gifts/42 Opens Shop", use_inner_text=True)
    opened.page.get_by_role("radio", name="Stays on the web").check()
    expect(outcome).to_have_text("Example URL /gifts/42 Stays on the web", use_inner_text=True)
    opened.type("Path", "/buy/only/*")
    expect(outcome).to_have_text("Example URL /buy/only/42 Stays on the web", use_inner_text=True)
    opened.page.get_by_role("radio", name="Opens").check()
    overruled = "Example URL /buy/only/42 Opens Shop Rule 1 (/buy/*) matches first."
    expect(outcome).to_have_text(overruled, use_inner_text=True)
    opened.type("Path", "/gifts/*")
    opened.ask("/gifts/socks")
    expect(outcome).to_have_text("Tested URL /gifts/socks Opens Shop", use_inner_text=True)
    opened.ask("")
    expect(outcome).to_have_text("Example URL /gifts/42 Opens Shop", use_inner_text=True)


# One rule: insert, duplicate, exclude


@pytest.mark.parametrize(("key", "place"), [("a", 1), ("b", 2)])
def test_a_key_inserts_a_rule_above_or_below_even_an_exclusion(waymark, opened, host, key, place):
    opened.row(2).press(key)
    opened.page.get_by_role("radio", name="Stays on the web").check()
    opened.type("Path", "/inserted")
    opened.press("Save rule")
    expect(opened.rules).to_have_count(4)
    assert saved(waymark, host)[place]["path"] == "/inserted"
    expect(opened.row(place + 1)).to_be_focused()


def test_a_duplicate_opens_below_with_all_fields(waymark, opened, host):
    opened.row(3).press("d")
    expect(opened.path).to_have_value("/help/*")
    opened.type("Path", "/support/*")
    opened.page.keyboard.press("Enter")
    opened.expect_patterns(BUY, WEBSITE, ARTICLE, "/support/*?articleNumber=????")


def test_a_key_keeps_a_rule_on_the_web_and_lets_it_open_the_app_again(opened):
    opened.row(1).press("x")
    expect(opened.row(1)).to_contain_text("Stays on the web")
    expect(opened.announcement).to_contain_text("Rule /buy/* now keeps its URLs on the web.")
    opened.row(1).press("x")
    expect(opened.row(1)).to_contain_text("Opens")


# Several at once


def test_several_selected_rules_are_deleted_as_one_step(waymark, opened, host):
    before = revision(waymark, host)
    opened.row(1).press("Space")
    opened.row(2).press("Space")
    bar = opened.page.get_by_role("group", name="Selected rules")
    expect(bar).to_contain_text("2 rules selected")
    opened.press("Delete", exact=True, within=bar)
    opened.expect_patterns(ARTICLE)
    expect(bar).to_be_hidden()
    assert revision(waymark, host) == before + 1
    opened.press("Undo", exact=True)
    opened.expect_patterns(BUY, WEBSITE, ARTICLE)
    assert revision(waymark, host) == before + 2


def test_rules_are_selected_by_their_boxes_and_by_clicks(opened):
    opened.page.get_by_role("checkbox", name="Select rule 1").check()
    opened.page.locator(".rule-effect").nth(2).click(modifiers=["Shift"])
    expect(opened.page.get_by_role("row", selected=True)).to_have_count(3)
    opened.page.locator(".rule-effect").nth(1).click(modifiers=["Control"])
    expect(opened.page.get_by_role("row", selected=True)).to_have_count(2)
    opened.press("Clear")
    expect(opened.page.get_by_role("row", selected=True)).to_have_count(0)


def test_selected_rules_move_duplicate_and_change_together(waymark, opened, host):
    opened.row(2).press("Shift+ArrowDown")
    opened.row(3).press("Alt+ArrowUp")
    opened.expect_patterns(WEBSITE, ARTICLE, BUY)
    bar = opened.page.get_by_role("group", name="Selected rules")
    opened.press("Duplicate", within=bar)
    opened.expect_patterns(WEBSITE, ARTICLE, WEBSITE, ARTICLE, BUY)
    opened.press("Keep on the web", within=bar)
    expect(opened.row(2)).to_contain_text("Stays on the web")
    assert [bool(each.get("exclude")) for each in saved(waymark, host)] == [True, True, True, False, False]


def test_a_selected_rule_drags_the_others_along(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule(f"/{name}") for name in "abcd"]), ([HELP], [rule("/z")])))
    dashboard.open_domain(host)
    for number in (1, 3):
        dashboard.row(number).press("Space")
    start = dashboard.row(1).get_by_title("Drag to move").bounding_box()
    end = dashboard.row(5).bounding_box()
    mouse = dashboard.page.mouse
    mouse.move(start["x"] + 5, start["y"] + 5)
    mouse.down()
    mouse.move(start["x"] + 5, end["y"] - 40, steps=4)
    mouse.move(start["x"] + 5, end["y"] + 3, steps=4)
    mouse.up()
    dashboard.expect_patterns("/b", "/d", "/a", "/c", "/z")


# Undo and redo


def undo_button(dashboard):
    return dashboard.page.locator("[data-part=undo-step]")


def test_keys_and_buttons_undo_and_redo_every_step(waymark, opened, host):
    opened.row(1).press("x")
    expect(opened.row(1)).to_contain_text("Stays on the web")
    opened.row(2).press("Delete")
    opened.expect_patterns(BUY, ARTICLE)
    opened.page.keyboard.press("Control+z")
    opened.expect_patterns(BUY, WEBSITE, ARTICLE)
    opened.press("Undo: rule /buy/* edited")
    expect(opened.row(1)).to_contain_text("Opens")
    expect(opened.announcement).to_contain_text("Undone: rule /buy/* edited.")
    expect(opened.page.get_by_role("button", name="Undo:")).to_have_count(0)
    opened.page.keyboard.press("Control+Shift+z")
    expect(opened.row(1)).to_contain_text("Stays on the web")
    opened.press("Redo: rule /help/website/* deleted")
    opened.expect_patterns(BUY, ARTICLE)


def test_undo_in_a_field_undoes_typing_only(opened):
    opened.row(1).press("x")
    expect(opened.row(1)).to_contain_text("Stays on the web")
    opened.row(2).press("Enter")
    expect(opened.path).to_be_focused()
    opened.page.keyboard.insert_text("/typed")
    opened.page.keyboard.press("Control+z")
    expect(opened.path).to_have_value(WEBSITE)
    expect(opened.row(1)).to_contain_text("Stays on the web")


def test_undo_keeps_what_another_user_has_changed_since(waymark, opened, host):
    opened.row(1).press("Delete")
    opened.expect_patterns(WEBSITE, ARTICLE)
    waymark.api("POST", f"/v1/domains/{host}/rules", {"path": "/theirs"}, headers={"If-Match": "*"})
    opened.expect_patterns(WEBSITE, ARTICLE, "/theirs")
    opened.press("Undo: ")
    opened.expect_patterns(BUY, WEBSITE, ARTICLE, "/theirs")


def test_undo_asks_before_it_overwrites_another_users_change(waymark, opened, host):
    opened.row(1).press("x")
    expect(opened.row(1)).to_contain_text("Stays on the web")
    path = f"/v1/domains/{host}/rules/{saved(waymark, host)[0]['id']}"
    waymark.api("DELETE", path, headers={"If-Match": "*"})
    opened.expect_patterns(WEBSITE, ARTICLE)
    opened.press("Undo: ")
    notice = opened.page.get_by_role("alertdialog", name="This would overwrite a change")
    expect(notice).to_be_focused()
    opened.press("Keep the draft as it is")
    expect(notice).to_be_hidden()
    opened.expect_patterns(WEBSITE, ARTICLE)
    opened.press("Undo: ")
    opened.press("Overwrite the later change")
    opened.expect_patterns(BUY, WEBSITE, ARTICLE)


def test_undo_and_redo_survive_a_way_to_another_page(waymark, opened, host):
    opened.row(1).press("x")
    expect(opened.row(1)).to_contain_text("Stays on the web")
    opened.row(2).press("Delete")
    opened.expect_patterns(BUY, ARTICLE)
    opened.press("Undo: rule /help/website/* deleted")
    expect(undo_button(opened)).to_have_accessible_name("Undo: rule /buy/* edited")
    opened.open("/apps")
    opened.open_domain(host, "tests")
    opened.open_part("Rules")
    opened.press("Undo: rule /buy/* edited")
    expect(opened.row(1)).to_contain_text("Opens")
    expect(undo_button(opened)).to_have_accessible_name("Nothing to undo")
    opened.open_domain(host)
    opened.press("Redo: rule /buy/* edited")
    expect(opened.row(1)).to_contain_text("Stays on the web")
    opened.press("Redo: rule /help/website/* deleted")
    opened.expect_patterns(BUY, ARTICLE)


def test_undo_does_not_survive_another_users_change(waymark, opened, host):
    opened.row(1).press("Delete")
    opened.expect_patterns(WEBSITE, ARTICLE)
    expect(undo_button(opened)).to_be_visible()
    opened.open("/apps")
    waymark.api("POST", f"/v1/domains/{host}/rules", {"path": "/theirs"}, headers={"If-Match": "*"})
    opened.open_domain(host)
    opened.expect_patterns(WEBSITE, ARTICLE, "/theirs")
    opened.row(1).focus()
    opened.page.keyboard.press("Control+z")
    expect(undo_button(opened)).to_be_hidden()
    opened.row(1).press("Delete")
    opened.expect_patterns(ARTICLE, "/theirs")
    expect(undo_button(opened)).to_have_accessible_name("Undo: rule /help/website/* deleted")


def test_signing_out_forgets_what_can_be_undone(waymark, new_member, slug):
    token = waymark.token(organization=slug)
    host = waymark.new_domain(draft(([SHOP], [rule("/a"), rule("/b")])), token=token)
    ada = new_member(slug, "Ada", "editor")
    ada.open_domain(host)
    ada.row(1).press("Delete")
    ada.expect_patterns("/b")
    expect(undo_button(ada)).to_be_visible()
    assert ada.page.evaluate(KEPT) == 1
    ada.sign_out()
    ada.page.wait_for_url("**/sign-in?signed-out")
    assert ada.page.evaluate(KEPT) == 0


# The filter


def test_the_filter_keeps_the_true_numbers(waymark, dashboard, apps):
    rules = [rule(f"/{number}/*", comment="odd" if number % 2 else None) for number in range(1, 13)]
    host = waymark.new_domain(draft(([SHOP], rules)))
    dashboard.open_domain(host)
    field = dashboard.page.get_by_role("searchbox", name="Filter the rules")
    field.fill("odd")
    expect(dashboard.page.get_by_text("6 of 12 rules")).to_be_visible()
    visible = dashboard.rules.filter(visible=True)
    expect(visible).to_have_count(6)
    expect(visible.nth(1)).to_contain_text("3")
    dashboard.press("Edit rule 3, /3/*")
    dashboard.type("Path", "/three/*")
    dashboard.page.keyboard.press("Enter")
    expect(visible.nth(1)).to_contain_text("/three/*")
    field.fill("/12")
    expect(visible).to_have_count(1)
    field.press("Escape")
    expect(visible).to_have_count(12)


def test_a_few_rules_need_no_filter(opened):
    expect(opened.page.get_by_role("searchbox", name="Filter the rules")).to_be_hidden()


# Keys


def test_a_row_is_one_tab_stop_with_arrow_keys_inside(opened):
    opened.row(1).focus()
    keyboard = opened.page.keyboard
    keyboard.press("Tab")
    expect(opened.row(2)).to_be_focused()
    keyboard.press("ArrowUp")
    expect(opened.row(1)).to_be_focused()
    keyboard.press("End")
    expect(opened.page.get_by_role("button", name="More for rule 1")).to_be_focused()
    keyboard.press("ArrowDown")
    expect(opened.page.get_by_role("button", name="More for rule 2")).to_be_focused()
    keyboard.press("ArrowLeft")
    expect(opened.page.get_by_role("button", name="Delete rule 2")).to_be_focused()
    keyboard.press("Home")
    expect(opened.row(2)).to_be_focused()
    keyboard.press("Control+End")
    expect(opened.row(3)).to_be_focused()


def test_the_menu_of_a_rule_works_by_keyboard(opened):
    button = opened.page.get_by_role("button", name="More for rule 1")
    button.focus()
    opened.page.keyboard.press("Enter")
    items = opened.page.get_by_role("menuitem")
    expect(items.first).to_be_focused()
    opened.page.keyboard.press("ArrowUp")
    expect(items.last).to_be_focused()
    opened.page.keyboard.press("Escape")
    expect(opened.page.get_by_role("menu")).to_have_count(0)
    expect(button).to_be_focused()


# The file beside the rules


def test_a_rule_that_has_the_focus_before_the_file_comes_marks_its_lines(dashboard, host):
    dashboard.page.route("**/draft/file*", lambda route: None)
    dashboard.open_domain(host)
    # Once the form opens, the links between rules and lines are there too.
    dashboard.row(1).press("Enter")
    expect(dashboard.page.get_by_role("button", name="Save rule")).to_be_visible()
    dashboard.page.keyboard.press("Escape")
    dashboard.row(2).focus()
    dashboard.page.unroute("**/draft/file*")
    expect(dashboard.page.locator(".code-line[data-linked]").filter(has_text="/help/website/*")).to_have_count(1)


def test_a_rule_and_its_lines_mark_each_other(opened):
    opened.row(2).focus()
    linked = opened.page.locator(".code-line[data-linked]")
    expect(linked.filter(has_text="/help/website/*")).to_have_count(1)
    line = opened.page.locator(".code-line").filter(has_text='"/buy/*"')
    line.hover()
    expect(opened.row(1)).to_have_class(re.compile("is-linked"))
    line.click()
    expect(opened.row(1)).to_be_focused()


def test_the_file_is_edited_as_json_in_one_step(waymark, opened, host):
    before = saved(waymark, host)
    waymark.api("PATCH", f"/v1/domains/{host}/rules/{before[0]['id']}", {"comment": "kept"}, headers={"If-Match": "*"})
    expect(opened.row(1)).to_contain_text("kept")
    opened.ask(f"https://{host}/shop/1")
    expect(opened.verdict).to_contain_text("No app opens it")
    opened.press("Edit as JSON")
    text = opened.page.get_by_role("textbox", name="The file’s text")
    expect(text).to_be_focused()
    text.fill(text.input_value().replace("/buy/*", "/shop/*"))
    expect(opened.verdict).to_contain_text("Opens Shop")
    changing = []
    opened.page.on("request", lambda request: request.method == "GET" or changing.append(request.url))
    opened.press("Save to draft", within=file(opened))
    opened.expect_patterns("/shop/*", WEBSITE, ARTICLE)
    assert [url for url in changing if "/domains/" in url and "evaluations" not in url] == [f"{waymark.url}/v1/domains/{host}/import"]
    expect(opened.row(1)).to_contain_text("kept")
    assert [each["id"] for each in saved(waymark, host)] == [each["id"] for each in before]
    opened.press("Undo: ")
    opened.expect_patterns(BUY, WEBSITE, ARTICLE)


def test_the_whole_editor_for_json_is_in_view(new_dashboard, host):
    for width, height in ((1440, 900), (390, 844)):
        board = new_dashboard(width=width, height=height)
        board.open_domain(host)
        board.press("Edit as JSON")
        expect(board.page.get_by_role("textbox", name="The file’s text")).to_be_in_viewport(ratio=1)
        expect(board.page.get_by_role("button", name="Save to draft")).to_be_in_viewport(ratio=1)


def test_an_error_in_the_json_is_shown_at_its_line_and_the_text_is_kept(opened):
    opened.press("Edit as JSON")
    text = opened.page.get_by_role("textbox", name="The file’s text")
    broken = text.input_value().replace('"/": "/buy/*"', '"/": "/buy/*",')
    text.fill(broken)
    expect(file(opened).get_by_role("status")).to_contain_text(re.compile(r"Line \d+: "))
    opened.press("Save to draft", within=file(opened))
    expect(file(opened).get_by_role("alert").filter(visible=True)).to_contain_text("line")
    expect(text).to_have_value(broken)
    text.press("Escape")
    expect(opened.dialog.get_by_role("heading", name="Discard your changes?")).to_be_visible()


def test_json_that_cannot_be_saved_changes_nothing(waymark, opened, host):
    before = saved(waymark, host)
    waymark.api("PATCH", f"/v1/domains/{host}/rules/{before[0]['id']}", {"comment": "kept"}, headers={"If-Match": "*"})
    expect(opened.row(1)).to_contain_text("kept")
    before = saved(waymark, host)
    opened.page.route("**/import", lambda route: route.abort())
    opened.press("Edit as JSON")
    text = opened.page.get_by_role("textbox", name="The file’s text")
    text.fill(text.input_value().replace("/buy/*", "/shop/*"))
    opened.press("Save to draft", within=file(opened))
    expect(file(opened).get_by_role("alert").filter(visible=True)).to_contain_text("does not answer")
    expect(text).to_have_value(re.compile("/shop/"))
    assert saved(waymark, host) == before


def test_saving_json_asks_if_the_draft_has_changed_since(waymark, opened, host):
    opened.press("Edit as JSON")
    text = opened.page.get_by_role("textbox", name="The file’s text")
    text.fill(text.input_value().replace("/buy/*", "/shop/*"))
    waymark.api("POST", f"/v1/domains/{host}/rules", {"path": "/theirs"}, headers={"If-Match": "*"})
    expect(opened.page.get_by_text("You still see the older draft").filter(visible=True)).to_be_visible()
    opened.press("Save to draft", within=file(opened))
    expect(opened.page.get_by_role("alertdialog", name="The draft has changed")).to_be_visible()
    opened.press("Discard my change")
    opened.expect_patterns(BUY, WEBSITE, ARTICLE, "/theirs")
    expect(text).to_have_value(re.compile("/shop/"))


# Findings


def test_findings_are_in_the_margin_worst_first_with_their_fix_and_page(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/a/*"), rule("/b/*", exclude=True), rule("/a/*")])))
    dashboard.open_domain(host)
    findings = dashboard.row(3).get_by_role("listitem")
    expect(findings.first).to_be_visible()
    link = dashboard.row(3).get_by_role("link", name=re.compile(r"WM\d+")).first
    expect(link).to_have_attribute("href", re.compile(r"^/finding\?code=WM\d+$"))
    fix = dashboard.row(3).get_by_role("button", name="Fix:")
    fix.first.click()
    expect(dashboard.announcement).to_contain_text(re.compile("(Removed|Moved) .*rule"))
    expect(dashboard.rules).to_have_count(2)
    eventually(lambda: len(saved(waymark, host)) == 2, what="the mended draft")
    dashboard.press("Undo", exact=True)
    expect(dashboard.rules).to_have_count(3)


def test_a_narrow_screen_has_links_to_the_findings_before_the_rules(waymark, new_dashboard, apps):
    rules = [*(rule(f"/{number}/*") for number in range(8)), rule("/*"), rule("/b/*", exclude=True), rule("/x/$(unknown)")]
    host = waymark.new_domain(draft(([SHOP], rules)))
    dashboard = new_dashboard(width=390)
    page = dashboard.open_domain(host)
    links = page.get_by_role("navigation", name="Findings").get_by_role("link")
    expect(links.first).to_contain_text(re.compile(r"^Error .*already opens every URL that it excludes"))
    expect(links.first).to_be_in_viewport()
    assert overflow(page) <= 0
    links.first.click()
    expect(dashboard.row(10)).to_be_in_viewport()
    expect(dashboard.row(10).get_by_role("listitem").first).to_contain_text("Error")
    warning = links.filter(has_text="Warning").first
    warning.click()
    group = page.locator("#file .finding-group:target")
    expect(group).to_be_in_viewport()
    expect(group).to_contain_text("Warning")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.get_by_role("navigation", name="Findings")).to_be_hidden()


def test_equal_findings_of_the_file_are_grouped(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/a/*"), *(rule(f"/a/{n}") for n in range(5))])))
    dashboard.open_domain(host)
    expect(file(dashboard).get_by_text("4 more places").first).to_be_visible()
