"""Explanations, from a trace written here, so that every kind of part appears."""

import json

from playwright.sync_api import expect

from checks import NAMELESS, overflow
from validator import APP, file_of


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
    expect(second).to_contain_text("3 later rules not tried.")
    expect(second).not_to_contain_text("Not certain")
    expect(second).not_to_contain_text("opens every URL")
    second.get_by_text("Results for 1 other app").click()
    expect(second).to_contain_text("It has no rules, so it takes every URL.")
    second.get_by_text("All 3 rules tried, in order").click()
    expect(second.locator(".explained-rules > li")).to_have_count(3)
    second.locator(".explained-rules > li").first.locator("summary").click()
    expect(second).to_contain_text("“a note”")

    first.locator("summary").first.click()
    expect(first).to_contain_text("No rule matches. The closest one:")
    expect(first).to_contain_text("Rule 2 ✗ does not match")
    expect(first.get_by_text("Not certain.")).to_be_visible()
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
        assert validator.faint_texts() == [], scheme
    assert validator.page.evaluate(NAMELESS) == []
    validator.page.set_viewport_size({"width": 360, "height": 800})
    assert overflow(validator.page) <= 0
