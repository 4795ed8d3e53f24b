"""Links that hold the input of the public page."""

import json

import pytest
from playwright.sync_api import expect

from validator import NEVER_REACHED, chosen, file_of


def test_a_link_restores_everything(validator, new_validator):
    validator.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = file_of({"/": "/sign-in/*", "comment": "äöü 😀 \u2028 </script>"})
    validator.file.fill(text)
    validator.urls.fill("/sign-in/reset\nhttps://a.example/ü?x=1#y")
    validator.page.get_by_label("Host").fill("a.example")
    validator.page.get_by_role("combobox", name="System").select_option("ios13")
    assert "#" not in validator.page.url
    validator.press("Copy link")
    expect(validator.page.get_by_text("Link copied.")).to_be_visible()
    link = validator.page.evaluate("navigator.clipboard.readText()")
    assert link == validator.page.url and "#" in link

    other = new_validator()
    requests = []
    other.page.on("request", lambda request: requests.append(request.url))
    other.page.goto("about:blank")
    other.page.goto(link)
    expect(other.file).to_have_value(text)
    expect(other.urls).to_have_value("/sign-in/reset\nhttps://a.example/ü?x=1#y")
    expect(other.page.get_by_label("Host")).to_have_value("a.example")
    expect(other.page.get_by_role("combobox", name="System")).to_have_value("ios13")
    expect(other.verdicts).to_have_count(2)
    fragment = link.partition("#")[2]
    assert requests and all(fragment not in url.partition("#")[0] for url in requests)


def test_the_address_follows_the_input_after_copying_a_link(validator):
    validator.press("Try an example")
    validator.press("Copy link")
    expect(validator.page.get_by_role("status").filter(has_text="link")).to_be_visible()
    before = validator.page.url
    validator.urls.fill("/changed")
    validator.page.wait_for_function("before => location.href !== before", arg=before)
    validator.page.reload()
    expect(validator.urls).to_have_value("/changed")


@pytest.mark.parametrize(
    "content", [NEVER_REACHED.encode("utf-16"), b"\xef\xbb\xbf{}", b"{\r\n}"], ids=["UTF-16", "a mark", "line ends"]
)
def test_a_link_keeps_the_exact_bytes_of_a_file(validator, content):
    size = validator.page.get_by_text(f"{len(content)} bytes of 128 KB (131,072 bytes)")
    validator.choose_file(chosen(content))
    expect(size).to_be_visible()
    validator.press("Copy link")
    validator.page.wait_for_function("() => location.hash")
    validator.page.reload()
    expect(size).to_be_visible()
    expect(validator.findings).not_to_have_count(0)


@pytest.mark.parametrize(
    "fragment",
    ["x", "!!!", "AAAA", "%F0%9F%98%80", "q1YqLU4tykzOL8pOrVRKVLJSqlbKKMksSFVIz", "<img src=x onerror=alert(1)>"],
)
def test_a_broken_link_shows_an_error(validator, fragment):
    validator.open(f"#{fragment}")
    validator.page.reload()
    expect(validator.page.get_by_role("alert")).to_contain_text("This link is broken")
    validator.press("Try an example")
    expect(validator.findings).to_have_count(1)


DEFLATED = """async text => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}"""


@pytest.mark.parametrize(
    "json_text", ["null", "[]", "{}", '{"aasa": "{}"}', '{"aasa": 1, "urls": "", "host": "", "system": ""}']
)
def test_a_link_with_other_content_shows_an_error(validator, json_text):
    fragment = validator.page.evaluate(DEFLATED, json_text)
    validator.page.evaluate("fragment => { location.hash = fragment }", fragment)
    expect(validator.page.get_by_role("alert")).to_contain_text("This link is broken")


def test_a_link_that_inflates_too_much_is_not_read_completely(validator):
    state = {"aasa": "x" * 20_000_000, "urls": "", "host": "", "system": ""}
    fragment = validator.page.evaluate(DEFLATED, json.dumps(state))
    assert len(fragment) < 60_000
    validator.page.evaluate("fragment => { location.hash = fragment }", fragment)
    expect(validator.page.get_by_role("alert")).to_contain_text("This link is broken")


def test_a_link_that_is_too_long_shows_an_error_when_created_and_when_opened(validator):
    noise = validator.page.evaluate(
        "() => Array.from(crypto.getRandomValues(new Uint8Array(60_000)), (each) => each.toString(36)).join('')"
    )
    validator.file.fill(noise)
    validator.press("Copy link")
    expect(validator.page.get_by_role("alert").filter(has_text="too large for a link")).to_be_visible()
    assert "#" not in validator.page.url
    validator.page.evaluate("location.hash = 'A'.repeat(100_000)")
    expect(validator.page.get_by_role("alert").filter(has_text="too long")).to_be_visible()
