"""The public page by keyboard, on a phone, light and dark, and without scripts."""

import json

import pytest
from playwright.sync_api import expect

from checks import FOCUS, NAMELESS, assert_landmarks, overflow


HOSTILE = ["<img src=x onerror=alert(1)>", "</textarea><script>alert(1)</script>", "\"'><svg onload=alert(1)>"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(validator, text):
    validator.file.fill(json.dumps({"applinks": {"details": [{"appIDs": [text], "components": [{text: text}]}]}}))
    validator.urls.fill(f"https://www.example.com/{text}\n{text}")
    validator.page.get_by_label("Host").fill(text)
    expect(validator.findings.filter(has_text=text)).not_to_have_count(0)
    expect(validator.page.get_by_role("alert").filter(has_text="This is not a valid host")).to_be_visible()
    validator.page.get_by_label("Host").fill("")
    expect(validator.verdicts.nth(1)).to_contain_text(text)


def test_the_page_has_a_title_landmarks_names_and_unique_ids(validator):
    validator.press("Try an example")
    expect(validator.verdicts).to_have_count(6)
    assert validator.page.title() == "Check a file · Waymark"
    expect(validator.page.get_by_role("heading", level=1)).to_have_count(1)
    assert_landmarks(validator.page)
    assert validator.page.evaluate(NAMELESS) == []
    ids = validator.page.evaluate("() => [...document.querySelectorAll('[id]')].map((element) => element.id)")
    assert sorted(set(ids)) == sorted(ids)


def test_the_focus_goes_in_reading_order_and_can_be_seen(validator):
    validator.press("Try an example")
    expect(validator.verdicts).to_have_count(6)
    validator.page.get_by_role("button", name="Copy link").focus()
    tops = []
    for _ in range(14):
        validator.page.keyboard.press("Tab")
        style, width = validator.page.evaluate(FOCUS)
        around = validator.page.evaluate(
            "document.activeElement.matches('.editor-text, [type=file]') ? "
            "getComputedStyle(document.activeElement.closest('.editor, .file-button')).outlineStyle : null"
        )
        assert around == "solid" or (style != "none" and float(width.removesuffix("px")) >= 2)
        tops.append(validator.page.evaluate("document.activeElement.closest('[data-part=file]') ? 0 : 1"))
    assert tops == sorted(tops) and set(tops) == {0, 1}


@pytest.mark.parametrize("width", [320, 360, 768, 1100, 1440])
def test_nothing_is_wider_than_the_window(new_validator, width):
    validator = new_validator(width=width)
    validator.file.fill(json.dumps({"applinks": {"x" * 200: 1, "details": [{"appIDs": ["y" * 200]}]}}))
    validator.urls.fill("https://www.example.com/" + "z" * 300)
    expect(validator.verdicts).to_have_count(1)
    expect(validator.findings).not_to_have_count(0)
    assert overflow(validator.page) <= 0
    validator.page.goto(f"{validator.url}/finding?code=WM020")
    expect(validator.page.get_by_role("heading", level=1)).to_be_visible()
    assert overflow(validator.page) <= 0


def test_text_has_enough_contrast(new_validator):
    validator = new_validator()
    assert validator.faint_texts() == []
    validator.press("Try an example")
    expect(validator.verdicts).to_have_count(6)
    assert validator.faint_texts() == []
    validator.file.fill("{")
    expect(validator.findings).to_have_count(1)
    assert validator.faint_texts() == []


def test_controls_are_large_enough_to_press(new_validator):
    validator = new_validator(width=360)
    validator.press("Try an example")
    expect(validator.verdicts).to_have_count(6)
    pressable = validator.page.locator(":is(button, select, summary, label.button):visible")
    for control in pressable.all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 23.5, f"{control.inner_text()} {box}"


def test_without_scripts_the_page_says_that_it_needs_them(new_validator):
    validator = new_validator(java_script_enabled=False)
    expect(validator.page.get_by_text("This page needs JavaScript")).to_be_visible()
    expect(validator.page.get_by_role("textbox")).to_have_count(0)


def test_the_sign_in_page_links_to_the_page(validator):
    validator.page.goto(f"{validator.url}/sign-in")
    validator.page.get_by_role("link", name="Check a file").click()
    expect(validator.page.get_by_role("heading", level=1)).to_contain_text("Check an apple-app-site-association file")
    expect(validator.page.get_by_role("button", name="Sign out")).to_have_count(0)


def test_a_signed_in_user_keeps_the_organization_and_the_navigation(dashboard):
    dashboard.open("/")
    dashboard.page.get_by_role("link", name="Check a file").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text("Check an apple-app-site-association file")
    current = dashboard.page.get_by_role("navigation", name="Main").get_by_role("link", name="Check a file")
    expect(current).to_have_attribute("aria-current", "page")
    dashboard.page.get_by_role("link", name="Domains", exact=True).click()
    dashboard.page.wait_for_url(lambda url: f"organization={dashboard.organization}" in url)
    expect(dashboard.page.get_by_role("button", name="Account")).to_be_visible()
