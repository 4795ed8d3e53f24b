"""User input is only text, wherever it appears."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from installation import eventually

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "\"'><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{constructor.constructor('alert(1)')()}}",
    "</template><script>alert(1)</script>",
    "__proto__",
]

PAGES = ["/", "/domain", "/apps", "/schedules", "/releases", "/events", "/people", "/approvals", "/account", "/sign-in", "/sign-in/return", "/invitation", "/password-reset", "/sign-up", "/validate", "/finding"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_a_draft_is_only_text(waymark, dashboard, apps, text):
    rules = [rule("/" + text, comment=text, fragment=text, query={text: text}), rule("/q", query=text)]
    host = waymark.new_domain(
        draft(
            ([SHOP, text[:255]], rules),
            services={text: [text]},
            substitutionVariables={"".join(c for c in text if c not in "$()"): [text]},
            extras={f"x{text}": text},
            publishComments=True,
        ),
        labels=[text[:63]],
    )
    dashboard.open_domain(host)
    expect(dashboard.rules.first).to_contain_text(text)
    expect(dashboard.page.get_by_label("The generated file, indented for reading")).to_contain_text(
        json.dumps(text)[1:-1]
    )
    for sample in dashboard.page.locator(".sample").all():
        sample.click()
    dashboard.ask(text)
    dashboard.ask(f"https://{host}/{text}")
    dashboard.press("Edit rule 1")
    dashboard.press("Save rule")
    expect(dashboard.page.get_by_role("button", name="Save rule")).to_be_hidden()
    dashboard.review()
    dashboard.type("Message", text)
    expect(dashboard.page.get_by_role("list", name="Links that change").or_(
        dashboard.page.get_by_text("No sample URL changes"))).to_be_visible()
    expect(dashboard.footer).to_contain_text("checks failed")
    dashboard.open("/")
    dashboard.page.get_by_role("searchbox", name="Search by name").fill(host)
    domains = dashboard.page.get_by_role("table", name="Domains")
    expect(domains.get_by_role("link", name=host, exact=True)).to_be_visible()
    expect(domains).to_contain_text(text[:63])


@pytest.mark.parametrize("text", HOSTILE[:3])
def test_hostile_names_and_messages_are_only_text(waymark, dashboard, apps, text):
    waymark.api("PATCH", f"/v1/apps/{apps[1]}", {"name": text})
    waymark.api("PATCH", "/v1/teams/TESTTEAM01", {"name": text})
    try:
        host = waymark.new_domain(draft(([apps[1]], [rule("/*")])))
        waymark.publish(host, message=text)
        dashboard.open_domain(host)
        expect(dashboard.verdict).to_contain_text(f"Opens {text}")
        dashboard.open_part("Versions")
        expect(dashboard.page.get_by_role("region", name="Versions")).to_contain_text(text)
        dashboard.open("/apps")
        expect(dashboard.page.get_by_role("region", name="Apps")).to_contain_text(text)
        dashboard.open("/events", host=host)
        expect(dashboard.page.get_by_role("list", name="Events")).to_contain_text(text)
        waymark.put_draft(host, draft(([apps[1]], [rule("/" + text)])))
        released = waymark.release({"hosts": [host], "message": text, "override": True, "reason": text})
        dashboard.open("/releases", release=released["id"])
        expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(text)
        expect(dashboard.page.get_by_text(f"“{text}”")).to_be_visible()
        dashboard.open("/publish", label=text)
        expect(dashboard.page.get_by_role("combobox", name="Label")).to_have_value(text)
        path = f"/v1/apps/{apps[1]}/replacements"
        replaced = waymark.api("POST", path, {"with": SHOP, "hosts": [host], "message": text})
        assert replaced.status_code == 202, replaced.text
        # A replacement that still runs would show instead of the form.
        eventually(lambda: waymark.api("GET", f"{path}/{replaced.json()['id']}").json()["state"] == "done")
        dashboard.open("/app", app=apps[1])
        expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(text)
        dashboard.press("Replace in drafts…")
        expect(dashboard.dialog.get_by_role("heading", name=f"Replace {text} in drafts")).to_be_visible()
        expect(dashboard.dialog).to_contain_text(f"“{text}”")
    finally:
        waymark.api("PATCH", f"/v1/apps/{apps[1]}", {"name": "Help"})
        waymark.api("PATCH", "/v1/teams/TESTTEAM01", {"name": "Test Team"})


@pytest.mark.parametrize("text", HOSTILE[:3])
def test_hostile_text_in_schedules_and_freezes_is_only_text(waymark, new_dashboard, text):
    organization = waymark.create_organization()
    token = waymark.token("owner", organization)
    dashboard = new_dashboard(organization)
    made = {}
    tomorrow = f"{datetime.now(UTC) + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    for path, body in [
        ("/v1/domains", {"host": waymark.new_host(), "labels": [text[:63]]}),
        ("/v1/schedules", {"name": text, "label": text[:63], "message": text, "expression": "@daily", "zone": "UTC"}),
        ("/v1/freezes", {"label": text[:63], "reason": text, "endsAt": tomorrow}),
    ]:
        answer = waymark.api("POST", path, body, token=token)
        assert answer.status_code == 201, answer.text
        made[path] = answer.json()
    schedule = made["/v1/schedules"]["id"]
    pause = {"state": "paused", "reason": text}
    paused = waymark.api("PATCH", f"/v1/schedules/{schedule}", pause, headers={"If-Match": "*"}, token=token)
    assert paused.status_code == 200
    dashboard.open("/schedules")
    schedules = dashboard.page.get_by_role("list", name="Schedules")
    expect(schedules.get_by_role("link", name=text, exact=True)).to_be_visible()
    expect(schedules).to_contain_text(f"Paused: {text}")
    expect(dashboard.page.get_by_role("grid")).to_contain_text(text)
    dashboard.page.locator(".calendar-day-number[aria-current]").click()
    expect(dashboard.dialog).to_contain_text(text)
    dashboard.page.keyboard.press("Escape")
    dashboard.press(f"Edit {text}")
    expect(dashboard.dialog.get_by_label("Name")).to_have_value(text)
    dashboard.open("/schedules", schedule=schedule)
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(text)
    dashboard.open_domain(made["/v1/domains"]["host"], "versions")
    expect(dashboard.page.get_by_role("link", name=text, exact=True)).to_be_visible()


@pytest.mark.parametrize("text", HOSTILE[:3])
def test_hostile_names_of_tokens_and_trusts_are_only_text(waymark, new_dashboard, text):
    organization = waymark.create_organization()
    of_admin = waymark.session("admin", organization)
    trust = {"provider": "other", "issuer": "https://ci.example", "claims": {"sub": text}}
    for path, more in (("/v1/tokens", {}), ("/v1/trusts", trust)):
        answer = waymark.api("POST", path, {"name": text, "role": "editor", **more}, of_admin, token=False)
        assert answer.status_code == 201, answer.text
    dashboard = new_dashboard(organization)
    dashboard.open("/people")
    for name in ("API tokens", "CI jobs"):
        expect(dashboard.page.get_by_role("list", name=name)).to_contain_text(text)
    dashboard.press("Remove session-admin")
    for kind in ("Token", "Trust"):
        expect(dashboard.dialog.get_by_role("checkbox", name=f"{kind} {text}")).to_be_visible()


def test_hostile_addresses_are_only_text(dashboard):
    for text in HOSTILE:
        dashboard.open("/domain", host=text)
        expect(dashboard.page.get_by_role("heading", level=1)).to_be_visible()
        dashboard.open("/schedules", schedule=text, run=text)
        expect(dashboard.page.get_by_role("heading", level=1)).to_be_visible()
        dashboard.open("/schedules", month=text, host=text)
        expect(dashboard.dialog.get_by_label("Domain", exact=True)).to_have_value(text)
        dashboard.open("/releases", release=text)
        expect(dashboard.page.get_by_role("heading", level=1)).to_be_visible()
        dashboard.open("/", q=text, label=text)
        expect(dashboard.page.get_by_role("searchbox", name="Search by name")).to_have_value(text)


def test_the_policy_forbids_what_the_pages_do_not_need(waymark):
    for path in PAGES:
        answer = waymark.client.get(path)
        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert "<script>" not in answer.text and " style=" not in answer.text and " onclick=" not in answer.text
