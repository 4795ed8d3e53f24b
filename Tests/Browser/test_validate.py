"""The public page: a file and URLs, by somebody who has no account."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dashboard import Dashboard
from test_accessibility import FOCUS, NAMELESS, assert_landmarks
from test_appearance import CONTRAST, overflow

APP = "ABCDE12345.com.example.app"
NEVER_REACHED = (Path(__file__).parents[2] / "docs/tour/never-reached.json").read_text()


class Validator(Dashboard):
    """One tab of a stranger on `/validate`."""

    def open(self, fragment="", path="/validate"):
        self.page.goto(f"{self.url}{path}{fragment}")
        return self

    @property
    def file(self):
        return self.page.get_by_role("textbox", name="The file’s text")

    @property
    def urls(self):
        return self.page.get_by_role("textbox", name="URLs, one a line")

    @property
    def findings(self):
        return self.page.get_by_role("list", name="Findings").get_by_role("listitem")

    @property
    def verdicts(self):
        return self.page.get_by_role("list", name="Verdicts").locator(".evaluation")

    @property
    def file_panel(self):
        return self.page.get_by_role("region", name="The file", exact=True)

    def expect_verdicts(self, *texts):
        expect(self.verdicts.locator(".evaluation-headline")).to_have_text(list(texts))

    def selected(self):
        return self.file.evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")

    def number(self, line):
        """A line's number beside the text, with its mark."""
        return self.page.locator(".editor-number").filter(has_text=re.compile(rf"^\D*{line}$"))


@pytest.fixture
def new_validator(waymark, new_context):
    validators = []

    def make(**settings):
        page = new_context(**settings).new_page()
        validators.append(Validator(page, waymark.url, organization=None))
        return validators[-1].open()

    yield make
    assert [complaint for validator in validators for complaint in validator.complaints] == []


@pytest.fixture
def validator(new_validator):
    return new_validator()


def file_of(*components):
    return json.dumps(
        {"applinks": {"details": [{"appIDs": [APP], "components": list(components)}]}}, indent=1, ensure_ascii=False
    )


# Findings


def test_the_example_is_one_press_away_and_says_all(validator):
    validator.press("Try an example")
    expect(validator.findings).to_have_count(1)
    expect(validator.findings).to_contain_text("caseSensitive")
    opens = "Opens ABCDE12345.com.example.trails"
    validator.expect_verdicts(opens, opens, opens, "No app opens it", "Stays on the web", "No app opens it")
    expect(validator.page.get_by_label("Host")).to_have_value("www.trails.example")


def test_a_finding_is_marked_at_its_line_and_leads_there(validator):
    validator.file.fill(NEVER_REACHED)
    expect(validator.findings).to_have_count(1)
    expect(validator.findings).to_contain_text("never reached")
    expect(validator.number(8)).to_contain_text("✗")
    expect(validator.page.locator(".editor-underline mark")).to_have_text('{ "/": "/sign-in/*", "exclude": true }')
    validator.press("Line 8, column 11")
    assert validator.selected() == '{ "/": "/sign-in/*", "exclude": true }'
    expect(validator.file).to_be_focused()
    expect(validator.file_panel.get_by_role("status")).to_have_text("1 error.")


def test_a_mark_leads_to_its_finding(validator):
    validator.file.fill(NEVER_REACHED)
    expect(validator.number(8)).to_contain_text("✗")
    validator.number(8).click()
    expect(validator.findings.first).to_be_focused()


def test_broken_json_is_marked_where_it_breaks(validator):
    validator.file.fill('{"applinks": {\n  "ä😀": 1, oops\n}}')
    expect(validator.findings).to_contain_text("not valid JSON")
    validator.findings.get_by_role("button").click()
    assert validator.selected().startswith("oops")


def test_numbers_and_marks_stay_in_step_with_a_long_file(validator):
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


def test_each_finding_leads_to_its_page(validator):
    validator.file.fill(NEVER_REACHED)
    with validator.page.context.expect_page() as opened:
        validator.page.get_by_role("link", name="About WM020").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("WM020: A rule is never reached")
    expect(opened.value.locator("pre")).to_have_count(2)
    expect(opened.value.get_by_role("main").locator("code").first).to_be_visible()
    opened.value.goto(f"{validator.url}/finding")
    opened.value.get_by_role("link", name="WM011").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("WM011: Something is no app ID")


@pytest.mark.parametrize("code", ["WM999", "../operations", "<b>"])
def test_a_page_of_no_finding_says_so(validator, code):
    validator.page.goto(f"{validator.url}/finding?code={code}")
    expect(validator.page.get_by_role("heading", level=1)).to_have_text("This page could not be shown")


# Bringing a file


def test_a_file_of_one_line_can_be_laid_out_and_back(validator):
    text = '{"applinks":{"details":[{"appIDs":["%s"],"components":[{"/":"\\u002fa/*","x":1.0}]}]}}' % APP
    validator.file.fill(text)
    validator.press("Lay out")
    laid_out = validator.file.input_value()
    assert "".join(laid_out.split()) == text and laid_out.count("\n") > 10
    expect(validator.page.locator(".announcement")).to_contain_text("laid out")
    validator.press("Undo")
    expect(validator.file).to_have_value(text)


def test_what_is_no_json_is_not_laid_out(validator):
    validator.file.fill('{"a": }')
    validator.press("Lay out")
    expect(validator.page.locator(".announcement")).to_contain_text("Only valid JSON")
    expect(validator.file).to_have_value('{"a": }')


def test_a_file_is_checked_with_the_bytes_it_has(validator):
    """A textarea has other line ends than the file; the size is the file's."""
    content = NEVER_REACHED.replace("\n", "\r\n").encode()
    validator.page.get_by_label("Choose a file").set_input_files(
        {"name": "apple-app-site-association", "mimeType": "application/json", "buffer": content}
    )
    expect(validator.page.get_by_text(f"{len(content)} bytes of 131,072 bytes")).to_be_visible()
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


def test_bytes_that_are_no_text_are_checked_as_they_are(validator):
    content = NEVER_REACHED.encode("utf-16")
    validator.page.get_by_label("Choose a file").set_input_files(
        {"name": "file", "mimeType": "application/octet-stream", "buffer": content}
    )
    expect(validator.findings.filter(has_text="About WM003")).to_have_count(1)
    expect(validator.file_panel.get_by_role("alert")).to_contain_text("no UTF-8")
    expect(validator.page.get_by_text(f"{len(content)} bytes of 131,072 bytes")).to_be_visible()


def test_what_is_too_large_is_said(validator):
    padding = " " * (131_073 - len(NEVER_REACHED))
    validator.file.fill(NEVER_REACHED + padding)
    expect(validator.page.get_by_text("More than Apple’s systems take.")).to_be_visible()
    expect(validator.findings.filter(has_text="About WM006")).to_have_count(1)
    validator.page.get_by_label("Choose a file").set_input_files(
        {"name": "file", "mimeType": "application/json", "buffer": b" " * 1_048_577}
    )
    problem = validator.file_panel.get_by_role("alert")
    expect(problem).to_contain_text("That file has 1,048,577 bytes. At most 1,048,576 bytes can be checked here")
    validator.file.evaluate(
        "area => { area.value = ' '.repeat(1_048_577); area.dispatchEvent(new InputEvent('input')) }"
    )
    expect(validator.findings).to_have_count(0)
    expect(problem).to_be_visible()


# URLs


def test_verdicts_follow_what_is_typed(validator):
    validator.file.fill(file_of({"/": "/help/website/*", "exclude": True}, {"/": "/help/*"}))
    validator.urls.fill("https://www.example.com/help/1")
    validator.expect_verdicts(f"Opens {APP}")
    validator.urls.press_sequentially("\n/help/website/1\n\nnonsense\nhttps://www.example.com/x")
    validator.expect_verdicts(f"Opens {APP}", "Stays on the web", "Not a universal link", "No app opens it")
    expect(validator.verdicts.nth(1)).to_contain_text("https://www.example.com/help/website/1")
    validator.file.fill(file_of())
    validator.expect_verdicts("No app opens it", "No app opens it", "Not a universal link", "No app opens it")


def test_the_url_that_one_types_is_the_one_explained_and_its_rule_is_marked(validator):
    validator.file.fill(file_of({"/": "/help/website/*", "exclude": True}, {"/": "/help/*"}))
    validator.urls.fill("/help/website/1\n/help/1")
    validator.expect_verdicts("Stays on the web", f"Opens {APP}")
    expect(validator.page.locator(".editor-band[data-decides=opens]")).not_to_have_count(0)
    expect(validator.verdicts.nth(1).get_by_role("group")).to_have_attribute("open", "")
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
    expect(validator.page.get_by_role("alert").filter(has_text="This is no host")).to_be_visible()
    validator.page.get_by_label("Host").fill("")
    validator.expect_verdicts(f"Opens {APP}", f"Opens {APP}")


def test_the_system_counts(validator):
    validator.press("Try an example")
    validator.page.get_by_label("System").select_option("iOS 9 to 12")
    expect(validator.verdicts.first).to_contain_text("rejects the whole file")


def test_no_more_urls_are_asked_than_are_explained(validator):
    validator.file.fill(file_of({"/": "*"}))
    validator.urls.fill("\n".join(f"/{number}" for number in range(60)))
    expect(validator.verdicts).to_have_count(50)
    expect(validator.page.get_by_text("The first 50 of 60 URLs are looked at.")).to_be_visible()


# Answers that fail, or come late


def test_an_answer_that_comes_late_is_not_shown(validator):
    held = []

    def hold_the_first(route):
        if "/slow" in route.request.post_data:
            held.append(route)
        else:
            route.continue_()

    validator.page.route("**/v1/evaluations*", hold_the_first)
    validator.file.fill(file_of({"/": "/x"}))
    with validator.page.expect_request("**/v1/evaluations*"):
        validator.urls.fill("/slow")
    validator.urls.fill("/quick")
    validator.expect_verdicts("No app opens it")
    held[0].fulfill(json={"evaluations": [evaluation("/slow", outcome="opens")]})
    validator.page.wait_for_timeout(300)
    validator.expect_verdicts("No app opens it")


@pytest.mark.parametrize("status, said", [(429, "Too many checks"), (413, "more than can be checked")])
def test_a_refusal_is_said_in_words(validator, status, said):
    problem = {"type": "urn:waymark:problem:x", "title": "No", "status": status, "code": "x", "detail": "no"}
    validator.page.route("**/v1/*", lambda route: route.fulfill(status=status, json=problem))
    validator.file.fill(NEVER_REACHED)
    validator.urls.fill("/x")
    expect(validator.page.get_by_role("alert").filter(has_text=said)).to_have_count(2)
    validator.page.unroute_all()
    validator.file.press("End")
    validator.file.press("Space")
    expect(validator.findings).to_have_count(1)
    expect(validator.verdicts).to_have_count(1)
    expect(validator.page.get_by_role("alert").filter(has_text=said)).to_have_count(0)


def test_without_a_network_nothing_is_lost_and_checking_goes_on_by_itself(validator):
    validator.page.context.set_offline(True)
    validator.file.fill(NEVER_REACHED)
    validator.urls.fill("/sign-in/reset")
    expect(validator.page.get_by_role("alert").filter(has_text="There is no answer")).to_have_count(2)
    validator.page.context.set_offline(False)
    expect(validator.findings).to_have_count(1)
    expect(validator.verdicts).to_have_count(1)
    expect(validator.page.get_by_role("alert").filter(has_text="There is no answer")).to_have_count(0)


# Links


def test_a_link_restores_everything(validator, new_validator):
    validator.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = file_of({"/": "/sign-in/*", "comment": "äöü 😀 \u2028 </script>"})
    validator.file.fill(text)
    validator.urls.fill("/sign-in/reset\nhttps://a.example/ü?x=1#y")
    validator.page.get_by_label("Host").fill("a.example")
    validator.page.get_by_label("System").select_option("ios13")
    assert "#" not in validator.page.url
    validator.press("Copy a link to this")
    expect(validator.page.get_by_text("The link is copied.")).to_be_visible()
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
    expect(other.page.get_by_label("System")).to_have_value("ios13")
    expect(other.verdicts).to_have_count(2)
    fragment = link.partition("#")[2]
    assert requests and all(fragment not in url.partition("#")[0] for url in requests)


def test_the_address_follows_once_there_is_a_link(validator):
    validator.press("Try an example")
    validator.press("Copy a link to this")
    expect(validator.page.get_by_role("status").filter(has_text="link")).to_be_visible()
    before = validator.page.url
    validator.urls.fill("/changed")
    validator.page.wait_for_function("before => location.href !== before", arg=before)
    validator.page.reload()
    expect(validator.urls).to_have_value("/changed")


def test_bytes_that_are_no_text_travel_in_a_link_too(validator):
    content = NEVER_REACHED.encode("utf-16")
    validator.page.get_by_label("Choose a file").set_input_files(
        {"name": "file", "mimeType": "application/octet-stream", "buffer": content}
    )
    expect(validator.findings.filter(has_text="About WM003")).to_have_count(1)
    validator.press("Copy a link to this")
    validator.page.wait_for_function("location.hash")
    validator.page.reload()
    expect(validator.page.get_by_text(f"{len(content)} bytes of 131,072 bytes")).to_be_visible()
    expect(validator.findings.filter(has_text="About WM003")).to_have_count(1)


@pytest.mark.parametrize(
    "fragment",
    ["x", "!!!", "AAAA", "%F0%9F%98%80", "q1YqLU4tykzOL8pOrVRKVLJSqlbKKMksSFVIz", "<img src=x onerror=alert(1)>"],
)
def test_a_broken_link_is_said(validator, fragment):
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


@pytest.mark.parametrize("json_text", ["null", "[]", "{}", '{"aasa": 1, "urls": "", "host": "", "system": ""}'])
def test_a_link_to_something_else_is_said(validator, json_text):
    fragment = validator.page.evaluate(DEFLATED, json_text)
    validator.page.evaluate("fragment => { location.hash = fragment }", fragment)
    expect(validator.page.get_by_role("alert")).to_contain_text("This link is broken")


def test_a_link_that_swells_is_not_read_to_its_end(validator):
    state = {"aasa": "x" * 20_000_000, "urls": "", "host": "", "system": ""}
    fragment = validator.page.evaluate(DEFLATED, json.dumps(state))
    assert len(fragment) < 60_000
    validator.page.evaluate("fragment => { location.hash = fragment }", fragment)
    expect(validator.page.get_by_role("alert")).to_contain_text("This link is broken")


def test_a_link_that_is_too_long_is_said_when_made_and_when_opened(validator):
    noise = validator.page.evaluate(
        "() => Array.from(crypto.getRandomValues(new Uint8Array(60_000)), (each) => each.toString(36)).join('')"
    )
    validator.file.fill(noise)
    validator.press("Copy a link to this")
    expect(validator.page.get_by_role("alert").filter(has_text="too much for a link")).to_be_visible()
    assert "#" not in validator.page.url
    validator.page.evaluate("location.hash = 'A'.repeat(100_000)")
    expect(validator.page.get_by_role("alert").filter(has_text="too long to be read")).to_be_visible()


# Explanations. The service is asked for the verdicts; what it will say with its trace is written down here.


def evaluation(path, outcome="none", trace=None, **more):
    url = f"https://www.example.com{path}"
    app = APP if outcome == "opens" else None
    traced = {"trace": trace} if trace else {}
    return {"url": url, "outcome": outcome, "app": app, "apps": [], "reason": None, **traced, **more}


def traced_rule(number, parts, outcome="fails", excludes=False, comment=None):
    return {
        "pointer": f"/applinks/details/0/components/{number}",
        "outcome": outcome,
        "excludes": excludes,
        "comment": comment,
        "summary": f"Summary of `{number}`.",
        "parts": parts,
    }


def traced_part(part, pattern, text, matches, name=None, compared=None, variables=()):
    reason = f"Because of {pattern}."
    fields = {"part": part, "name": name, "pattern": pattern, "compared": compared, "text": text}
    return {**fields, "variables": list(variables), "matches": matches, "reason": reason}


def traced_app(*rules, nearest=None, app=APP, note=None):
    pointer = None if nearest is None else f"/applinks/details/0/components/{nearest}"
    place = {"app": app, "entry": "/applinks/details/0", "note": note}
    return {**place, "rules": list(rules), "notTried": len(rules), "leftOut": 0, "nearestMiss": pointer}


def test_a_trace_becomes_an_explanation(validator):
    season = {"name": "season", "value": "summer"}
    away = traced_rule(0, [traced_part("path", "/account/*", "/map/", False)], excludes=True, comment="a note")
    half = traced_rule(
        1,
        [
            traced_part("path", "/map", "/map/", True, compared="/map/"),
            traced_part("query", "?*", "", False, name="trail"),
        ],
    )
    taken = traced_rule(2, [traced_part("path", "/$(season)/*", "/summer/x", True, variables=[season])], "matches")
    nothing = evaluation(
        "/map",
        trace=[traced_app(away, half, nearest=1)],
        certainty="reported",
        uncertainties=["A missing item counts as empty."],
    )
    everything = traced_app(app="ABCDE12345.com.example.other", note="It has no rules, so it takes every URL.")
    opens = evaluation("/summer/x", "opens", [traced_app(away, half, taken), everything], certainty="documented")
    validator.page.route(
        "**/v1/evaluations?explain=true", lambda route: route.fulfill(json={"evaluations": [nothing, opens]})
    )
    validator.file.fill(file_of({"/": "/account/*"}, {"/": "/map", "?": {"trail": "?*"}}, {"/": "/$(season)/*"}))
    validator.urls.fill("/map\n/summer/x")
    first, second = validator.verdicts.nth(0), validator.verdicts.nth(1)

    expect(second).to_contain_text("The first rule that matches decides:")
    expect(second).to_contain_text("Rule 3 ✓ matches Summary of 2.")
    expect(second.get_by_text("Summary of").first.locator("code")).to_have_text("2")
    expect(second).to_contain_text("3 rules behind it: not tried.")
    expect(second).not_to_contain_text("Not certain")
    expect(second).not_to_contain_text("takes every URL")
    second.get_by_text("What the file says to 1 other app").click()
    expect(second).to_contain_text("It has no rules, so it takes every URL.")
    second.get_by_text("All 3 rules that were tried, in order").click()
    expect(second.locator(".explained-rules > li")).to_have_count(3)
    second.locator(".explained-rules > li").first.locator("summary").click()
    expect(second).to_contain_text("“a note”")

    first.locator("summary").first.click()
    expect(first).to_contain_text("No rule matches. This one came nearest:")
    expect(first).to_contain_text("Rule 2 ✗ does not match")
    expect(first).to_contain_text("Not certain.")
    expect(first).to_contain_text("A missing item counts as empty.")
    item = first.get_by_role("group", name="Query item trail: pattern and text")
    expect(item).to_contain_text("(empty)")
    path = first.get_by_role("group", name="Path: pattern and text").locator("dd:visible")
    expect(path).to_have_text(["/map", "/map/", "/map/"])
    assert len({box["x"] for box in (each.bounding_box() for each in path.all())}) == 1
    first.get_by_role("button", name="Show it in the file").first.click()
    assert json.loads(validator.selected()) == {"/": "/map", "?": {"trail": "?*"}}
    for scheme in ("light", "dark"):
        validator.page.emulate_media(color_scheme=scheme)
        assert visible_text(validator) == [], scheme
    assert validator.page.evaluate(NAMELESS) == []
    validator.page.set_viewport_size({"width": 360, "height": 800})
    assert overflow(validator.page) <= 0


# For everyone


HOSTILE = ["<img src=x onerror=alert(1)>", "</textarea><script>alert(1)</script>", "\"'><svg onload=alert(1)>"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(validator, text):
    validator.file.fill(json.dumps({"applinks": {"details": [{"appIDs": [text], "components": [{text: text}]}]}}))
    validator.urls.fill(f"https://www.example.com/{text}\n{text}")
    validator.page.get_by_label("Host").fill(text)
    expect(validator.findings.filter(has_text=text)).not_to_have_count(0)
    expect(validator.page.get_by_role("alert").filter(has_text="This is no host")).to_be_visible()
    validator.page.get_by_label("Host").fill("")
    expect(validator.verdicts.nth(1)).to_contain_text(text)


def test_the_page_has_a_title_landmarks_names_and_no_id_twice(validator):
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
    validator.page.get_by_role("button", name="Copy a link to this").focus()
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


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(new_validator, color_scheme):
    validator = new_validator(color_scheme=color_scheme)
    assert validator.page.evaluate(CONTRAST) == []
    validator.press("Try an example")
    expect(validator.verdicts).to_have_count(6)
    assert visible_text(validator) == []
    validator.file.fill("{")
    expect(validator.findings).to_have_count(1)
    assert visible_text(validator) == []


def visible_text(validator):
    """What stands out too little, but for the text that underlines are drawn with: it is transparent by design."""
    validator.page.evaluate("document.querySelector('.editor-marks').hidden = true")
    return validator.page.evaluate(CONTRAST)


def test_what_can_be_pressed_is_large_enough(new_validator):
    validator = new_validator(width=360)
    validator.press("Try an example")
    expect(validator.verdicts).to_have_count(6)
    pressable = validator.page.locator(":is(button, select, summary, label.button):visible")
    for control in pressable.all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 23.5, f"{control.inner_text()} {box}"


def test_without_scripts_the_page_says_what_it_needs(new_validator):
    validator = new_validator(java_script_enabled=False)
    expect(validator.page.get_by_text("This page needs JavaScript")).to_be_visible()
    expect(validator.page.get_by_role("textbox")).to_have_count(0)


def test_the_page_is_found_from_the_sign_in_page_and_from_the_dashboard(validator, dashboard):
    validator.page.goto(f"{validator.url}/sign-in")
    validator.page.get_by_role("link", name="Check a file").click()
    expect(validator.page.get_by_role("heading", level=1)).to_contain_text("Check an apple-app-site-association file")
    dashboard.open("/")
    dashboard.page.get_by_role("link", name="Check a file").click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text("Check an apple-app-site-association file")
    dashboard.page.get_by_role("link", name="Dashboard").click()
    expect(dashboard.page.get_by_role("button", name="Sign out")).to_be_visible()
