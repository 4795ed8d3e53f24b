"""Two users edit at the same time, and neither loses a change."""

from playwright.sync_api import expect

from dashboard import SHOP, draft, rule


def deaf(route):
    if "wait=" not in route.request.url:
        route.continue_()


def two(new_dashboard, host):
    first, second = new_dashboard(), new_dashboard()
    # The first tab gets no updates, so its edits meet a draft that it has not seen.
    first.page.route("**/v1/events?*", deaf)
    for dashboard in (first, second):
        dashboard.open_domain(host)
    return first, second


def test_a_stale_edit_keeps_its_input_and_can_be_applied_to_the_newest_draft(waymark, new_dashboard, host):
    first, second = two(new_dashboard, host)
    first.press("Edit rule 1, /buy/*")
    first.type("Path", "/shop/*")
    second.press("Delete rule 2, /help/website/*")
    second.expect_patterns("/buy/*", "/help/*?articleNumber=????")

    first.press("Save rule")
    notice = first.page.get_by_role("alertdialog", name="The draft has changed")
    expect(notice).to_be_focused()
    expect(notice).to_contain_text("You changed this draft in another window just now.")
    expect(first.page.get_by_role("button", name="Save rule")).to_be_visible()
    expect(first.path).to_have_value("/shop/*")
    expect(first.rules).to_have_count(2)
    first.press("Apply my change to the newest draft")
    first.expect_patterns("/shop/*", "/help/*?articleNumber=????")


def test_two_edits_of_one_rule_keep_both_fields(waymark, new_dashboard, host):
    first, second = two(new_dashboard, host)
    for dashboard in (first, second):
        dashboard.press("Edit rule 1, /buy/*")
    second.open_more()
    second.type("Comment", "from the second")
    second.press("Save rule")
    expect(second.rules.first).to_contain_text("from the second")
    first.type("Path", "/shop/*")
    first.press("Save rule")
    expect(first.page.get_by_role("alertdialog")).to_contain_text("This rule has changed too")
    first.press("Apply my change to the newest draft")
    first.expect_patterns("/shop/*", "/help/website/*", "/help/*?articleNumber=????")
    expect(first.rules.first).to_contain_text("from the second")


def test_a_stale_edit_can_be_discarded(waymark, new_dashboard, host):
    first, second = two(new_dashboard, host)
    second.row(1).press("Alt+ArrowDown")
    second.expect_patterns("/help/website/*", "/buy/*", "/help/*?articleNumber=????")
    first.press("Delete rule 1, /buy/*")
    first.press("Discard my change")
    first.expect_patterns("/help/website/*", "/buy/*", "/help/*?articleNumber=????")


def test_a_rule_deleted_by_another_user_can_be_added_again(waymark, new_dashboard, host):
    first, second = two(new_dashboard, host)
    first.press("Edit rule 1, /buy/*")
    first.open_more()
    first.type("Comment", "important")
    second.press("Delete rule 1, /buy/*")
    expect(second.rules).to_have_count(2)
    first.press("Save rule")
    expect(first.page.get_by_role("alertdialog")).to_contain_text("The rule was deleted")
    first.press("Apply my change to the newest draft")
    expect(first.page.get_by_role("form", name="New rule")).to_contain_text("This rule has been deleted in the meantime.")
    first.press("Add as a new rule")
    expect(first.rules).to_have_count(3)
    expect(first.page.get_by_text("important")).to_be_visible()


def test_returning_to_the_page_shows_changes_by_others_and_keeps_an_open_form(waymark, new_dashboard, host):
    dashboard = new_dashboard()
    dashboard.page.route("**/v1/events?*", deaf)
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    waymark.put_draft(host, draft(([SHOP], [rule("/theirs/*")])))
    dashboard.page.evaluate("window.dispatchEvent(new Event('focus'))")
    dashboard.expect_patterns("/theirs/*")
    expect(dashboard.page.get_by_role("button", name="Edit rule 1, /theirs/*")).to_be_visible()
    expect(dashboard.page.get_by_role("form", name="New rule")).to_be_visible()


def test_leaving_the_page_with_unsaved_input_asks_first(new_dashboard, host):
    dashboard = new_dashboard()
    dashboard.open_domain(host)
    dashboard.press("Add a rule")
    dashboard.path.press_sequentially("/half")
    with dashboard.page.expect_event("dialog") as asked:
        dashboard.page.get_by_role("link", name="Teams and apps").click()
    assert asked.value.type == "beforeunload"
