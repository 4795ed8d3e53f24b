"""`?` lists the keys of a page."""

from playwright.sync_api import expect


def test_the_question_mark_lists_the_keys_and_the_focus_returns(dashboard):
    dashboard.open("/events")
    link = dashboard.page.get_by_role("link", name="Releases")
    link.focus()
    dashboard.page.keyboard.press("?")
    expect(dashboard.dialog).to_contain_text("Keyboard shortcuts")
    expect(dashboard.dialog.get_by_text("Find domains, apps, pages and actions")).to_be_visible()
    expect(dashboard.dialog.get_by_role("definition").first).to_have_text("?")
    dashboard.page.keyboard.press("Escape")
    expect(dashboard.dialog).to_be_hidden()
    expect(link).to_be_focused()


def test_a_page_lists_its_own_keys_first(new_validator):
    page = new_validator().page
    page.goto(page.url.replace("/validate", "/api"))
    expect(page.get_by_role("searchbox", name="Search the API")).to_be_visible()
    page.keyboard.press("?")
    headings = page.get_by_role("dialog").get_by_role("heading", level=3)
    expect(headings).to_have_text(["API reference", "Everywhere"])


def test_a_question_mark_in_a_field_is_only_text(dashboard):
    dashboard.open("/apps")
    field = dashboard.page.get_by_role("searchbox", name="Search apps")
    field.press_sequentially("a?b")
    expect(field).to_have_value("a?b")
    expect(dashboard.dialog).to_have_count(0)


def test_keys_of_one_character_can_be_turned_off(dashboard):
    """WCAG 2.2, 2.1.4"""
    dashboard.open("/events")
    dashboard.page.keyboard.press("?")
    dashboard.dialog.get_by_role("checkbox", name="Use shortcuts of a single character").uncheck()
    dashboard.page.keyboard.press("Escape")
    dashboard.page.keyboard.press("?")
    dashboard.page.wait_for_timeout(300)
    expect(dashboard.dialog).to_have_count(0)
    dashboard.press("Account")
    dashboard.press("Keyboard shortcuts")
    dashboard.dialog.get_by_role("checkbox", name="Use shortcuts of a single character").check()
    dashboard.page.keyboard.press("Escape")
    dashboard.page.keyboard.press("?")
    expect(dashboard.dialog).to_be_visible()
