"""The public page: a file and URLs, without an account."""

import json
import re

import pytest
from playwright.sync_api import expect

from validator import APP, NEVER_REACHED, chosen, file_of


# Findings


def test_one_click_loads_the_example(validator):
    validator.press("Try an example")
    expect(validator.findings).to_have_count(1)
    expect(validator.findings).to_contain_text("caseSensitive")
    opens = "Opens T7R4L9S2QX.app.trails.walks"
    validator.expect_verdicts(opens, opens, opens, "No app opens it", "Stays on the web", "No app opens it")
    expect(validator.page.get_by_label("Host")).to_have_value("www.trails.example")


def test_a_finding_is_marked_at_its_line_and_links_to_it(validator):
    validator.file.fill(NEVER_REACHED)
    expect(validator.findings.filter(has_text="never takes effect")).to_have_count(1)
    expect(validator.number(8)).to_contain_text("✗")
    marked = validator.page.locator(".editor-underline mark").filter(has_text="sign-in")
    expect(marked).to_have_text('{ "/": "/sign-in/*", "exclude": true }')
    validator.press("Line 8, column 11")
    assert validator.selected() == '{ "/": "/sign-in/*", "exclude": true }'
    expect(validator.file).to_be_focused()
    expect(validator.file_panel.get_by_role("status")).to_contain_text("1 error")


def test_a_mark_links_to_its_finding(validator):
    validator.file.fill(NEVER_REACHED)
    expect(validator.number(8)).to_contain_text("✗")
    validator.number(8).click()
    expect(validator.findings.filter(has_text="never takes effect")).to_be_focused()


def test_a_fix_takes_one_click_and_can_be_undone(validator):
    validator.press("Try an example")
    validator.press(re.compile("^Fix: "))
    expect(validator.file).to_have_value(re.compile('"caseSensitive": false'))
    expect(validator.findings).to_have_count(0)
    opens = "Opens T7R4L9S2QX.app.trails.walks"
    validator.expect_verdicts(opens, opens, opens, "No app opens it", "Stays on the web", opens)
    validator.press("Undo")
    expect(validator.file).to_have_value(re.compile('"casesensitive": false'))


def test_invalid_json_is_marked_at_its_error(validator):
    validator.file.fill('{"applinks": {\n  "ä😀": 1, oops\n}}')
    expect(validator.findings).to_contain_text("not valid JSON")
    validator.findings.get_by_role("button").click()
    assert validator.selected().startswith("oops")


def test_line_numbers_and_marks_match_a_long_file(validator):
    components = [{"/": f"/{number}/*"} for number in range(400)] + [{"/": "$(nothing)"}]
    text = file_of(*components)
    validator.file.fill(text)
    expect(validator.findings).to_have_count(1)
    validator.file.press("Control+Home")
    line = text[: text.index('"$(nothing)')].count("\n") + 1
    expect(validator.number(line)).to_have_count(0)
    validator.findings.get_by_role("button").click()
    assert validator.selected() == '"$(nothing)"'
    expect(validator.number(line)).to_contain_text("✗")
    for scroll in (0, -7, 11):
        validator.file.evaluate("(area, by) => { area.scrollTop += by }", scroll)
        place = """area => {
            const style = getComputedStyle(area);
            return area.getBoundingClientRect().top + parseFloat(style.paddingTop) - area.scrollTop;
        }"""
        expected = validator.file.evaluate(place) + (line - 1) * 20
        validator.page.wait_for_function(
            "expected => Math.abs(document.querySelector('.editor-band').getBoundingClientRect().top - expected) < 1",
            arg=expected,
        )
        assert abs(validator.number(line).bounding_box()["y"] - expected) < 1
    assert validator.page.locator(".editor-number").count() < 60


def test_each_finding_links_to_its_page(validator):
    validator.file.fill(NEVER_REACHED)
    with validator.page.context.expect_page() as opened:
        validator.page.get_by_role("link", name="About WM023").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("WM023: A rule is contradicted by an earlier one")
    expect(opened.value.locator("pre")).to_have_count(2)
    expect(opened.value.get_by_role("main").locator("code").first).to_be_visible()
    opened.value.goto(f"{validator.url}/finding")
    opened.value.get_by_role("link", name="WM011").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("WM011: Not a valid app ID")


@pytest.mark.parametrize("code", ["WM999", "../findings/WM020", "<b>"])
def test_an_unknown_finding_shows_an_error(validator, code):
    validator.page.goto(f"{validator.url}/finding?code={code}")
    expect(validator.page.get_by_role("heading", level=1)).to_have_text("This page could not be shown")


# Opening a file


def test_a_file_of_one_line_can_be_formatted_and_that_undone(validator):
    text = '{"applinks":{"details":[{"appIDs":["%s"],"components":[{"/":"\\u002fa/*","x":1.0}]}]}}' % APP
    validator.file.fill(text)
    validator.press("Format")
    laid_out = validator.file.input_value()
    assert "".join(laid_out.split()) == text and laid_out.count("\n") > 10
    expect(validator.page.locator(".announcement")).to_contain_text("File formatted.")
    validator.press("Undo")
    expect(validator.file).to_have_value(text)


def test_invalid_json_is_not_formatted(validator):
    validator.file.fill('{"a": }')
    validator.press("Format")
    expect(validator.page.locator(".announcement")).to_contain_text("Only valid JSON")
    expect(validator.file).to_have_value('{"a": }')


def test_a_file_is_checked_with_its_exact_bytes(validator):
    """A textarea changes line endings; the size shown is the file's."""
    content = NEVER_REACHED.replace("\n", "\r\n").encode()
    validator.choose_file(chosen(content))
    expect(validator.page.get_by_text(f"{len(content)} bytes of 128 KB (131,072 bytes)")).to_be_visible()
    expect(validator.number(8)).to_contain_text("✗")


def test_a_file_can_be_dropped(validator):
    validator.file.fill("{}")
    transfer = validator.page.evaluate_handle(
        """text => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "apple-app-site-association"));
            return transfer;
        }""",
        NEVER_REACHED,
    )
    validator.file.dispatch_event("drop", {"dataTransfer": transfer})
    expect(validator.file).to_have_value(NEVER_REACHED)
    validator.press("Undo")
    expect(validator.file).to_have_value("{}")


def test_bytes_that_are_not_text_are_checked_unchanged(validator):
    content = NEVER_REACHED.encode("utf-16")
    validator.choose_file(chosen(content))
    expect(validator.findings.filter(has_text="About WM003")).to_have_count(1)
    expect(validator.file_panel.get_by_role("alert")).to_contain_text("not valid UTF-8")
    expect(validator.page.get_by_text(f"{len(content)} bytes of 128 KB (131,072 bytes)")).to_be_visible()


def test_a_file_that_is_too_large_shows_an_error(validator):
    padding = " " * (131_073 - len(NEVER_REACHED))
    validator.file.fill(NEVER_REACHED + padding)
    expect(validator.page.get_by_text("Over Apple’s limit.")).to_be_visible()
    expect(validator.findings.filter(has_text="About WM006")).to_have_count(1)
    validator.choose_file(chosen(b" " * 1_048_577))
    problem = validator.file_panel.get_by_role("alert")
    expect(problem).to_contain_text("The file is too large: 1,048,577 bytes. The limit here is 1,048,576 bytes")
    expect(validator.file).to_have_value(NEVER_REACHED + padding)
    validator.file.evaluate(
        "area => { area.value = ' '.repeat(1_048_577); area.dispatchEvent(new InputEvent('input')) }"
    )
    expect(validator.findings).to_have_count(0)
    expect(problem).to_be_visible()


# URLs


def test_results_follow_the_input(validator):
    validator.file.fill(file_of({"/": "/help/website/*", "exclude": True}, {"/": "/help/*"}))
    validator.urls.fill("https://www.example.com/help/1")
    validator.expect_verdicts(f"Opens {APP}")
    validator.urls.press_sequentially("\n/help/website/1\n\nnonsense\nhttps://www.example.com/x")
    validator.expect_verdicts(f"Opens {APP}", "Stays on the web", "Not a universal link", "No app opens it")
    expect(validator.verdicts.nth(1)).to_contain_text("https://www.example.com/help/website/1")
    validator.file.fill(file_of())
    validator.expect_verdicts("No app opens it", "No app opens it", "Not a universal link", "No app opens it")


def test_the_url_at_the_caret_is_explained_and_its_rule_is_marked(validator):
    validator.file.fill(file_of({"/": "/help/website/*", "exclude": True}, {"/": "/help/*"}))
    validator.urls.fill("/help/website/1\n/help/1")
    validator.expect_verdicts("Stays on the web", f"Opens {APP}")
    expect(validator.page.locator(".editor-band[data-decides=opens]")).not_to_have_count(0)
    expect(validator.verdicts.nth(1).get_by_role("group").first).to_have_attribute("open", "")
    validator.urls.press("Control+Home")
    expect(validator.page.locator(".editor-band[data-decides=excluded]")).not_to_have_count(0)
    expect(validator.page.locator(".editor-band[data-decides=opens]")).to_have_count(0)
    validator.verdicts.nth(0).get_by_role("button", name="Show it in the file").click()
    assert json.loads(validator.selected()) == {"/": "/help/website/*", "exclude": True}


def test_the_host_of_the_entitlement_counts(validator):
    validator.file.fill(file_of({"/": "*"}))
    validator.urls.fill("https://other.example/x\n/x")
    validator.expect_verdicts(f"Opens {APP}", f"Opens {APP}")
    validator.page.get_by_label("Host").fill("www.example.com")
    validator.expect_verdicts("Not a universal link", f"Opens {APP}")
    validator.page.get_by_label("Host").fill("a b")
    expect(validator.page.get_by_role("alert").filter(has_text="This is not a valid host")).to_be_visible()
    validator.page.get_by_label("Host").fill("")
    validator.expect_verdicts(f"Opens {APP}", f"Opens {APP}")


def test_the_host_may_be_a_wildcard_or_in_unicode(validator):
    validator.file.fill(file_of({"/": "/a"}))
    validator.urls.fill("https://shop.exämple.com/a\nhttps://www.example.org/a\n/a")
    validator.page.get_by_label("Host").fill("*.exämple.com")
    validator.expect_verdicts(f"Opens {APP}", "Not a universal link", f"Opens {APP}")
    expect(validator.verdicts.nth(0)).to_contain_text("https://shop.exämple.com/a")
    expect(validator.verdicts.nth(2)).to_contain_text("https://www.exämple.com/a")
    validator.page.get_by_label("Host").fill("applinks:shop.exämple.com?mode=developer")
    validator.expect_verdicts(f"Opens {APP}", "Not a universal link", f"Opens {APP}")
    expect(validator.verdicts.nth(2)).to_contain_text("https://shop.exämple.com/a")


def test_the_system_counts(validator):
    validator.press("Try an example")
    validator.page.get_by_role("combobox", name="System").select_option("iOS 9 to 12")
    expect(validator.verdicts.first).to_contain_text("rejects the whole file")


def test_at_most_as_many_urls_are_sent_as_can_be_explained(validator):
    validator.file.fill(file_of({"/": "*"}))
    validator.urls.fill("\n".join(f"/{number}" for number in range(60)))
    expect(validator.verdicts).to_have_count(50)
    expect(validator.page.get_by_text("Only the first 50 of 60 URLs are checked.")).to_be_visible()
