"""The panel "Connect your web server": the configuration for the web server of the host."""

import pytest
from playwright.sync_api import expect

from checks import low_contrast, overflow
from dashboard import SHOP, draft, rule

KINDS = ["nginx", "Caddy", "Apache", "CloudFront", "Cloudflare Workers", "Vercel", "Netlify"]


def panel(dashboard):
    return dashboard.page.get_by_role("region", name="Connect your web server")


def choose(dashboard, name):
    panel(dashboard).get_by_label("Web server").select_option(label=name)


def test_each_kind_of_server_shows_its_configuration_and_notes(waymark, dashboard, published):
    dashboard.open_domain(published, "serving")
    text = panel(dashboard).get_by_label("Configuration to paste")
    expect(text).to_be_hidden()
    snippets = waymark.api("GET", f"/v1/domains/{published}/snippets").json()["items"]
    assert [snippet["name"] for snippet in snippets] == KINDS
    for snippet in snippets:
        choose(dashboard, snippet["name"])
        expect(panel(dashboard)).to_contain_text(snippet["place"])
        assert text.text_content() == snippet["text"]
        expect(panel(dashboard).get_by_role("listitem")).to_have_count(len(snippet["notes"]))
        expect(panel(dashboard)).to_contain_text(snippet["check"])
    choose(dashboard, "Choose…")
    expect(text).to_be_hidden()


def test_the_snippet_is_copied_unchanged(waymark, new_dashboard, published):
    dashboard = new_dashboard(permissions=["clipboard-read", "clipboard-write"])
    dashboard.open_domain(published, "serving")
    choose(dashboard, "Caddy")
    panel(dashboard).get_by_role("button", name="Copy", exact=True).first.click()
    expect(panel(dashboard).get_by_role("button", name="Copied")).to_be_visible()
    snippet = waymark.api("GET", f"/v1/domains/{published}/snippets/caddy").json()
    assert dashboard.page.evaluate("navigator.clipboard.readText()") == snippet["text"]


def test_the_panel_says_that_nothing_is_live_until_a_version_is(waymark, dashboard, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/*")])))
    dashboard.open_domain(host, "serving")
    choose(dashboard, "nginx")
    expect(panel(dashboard).get_by_role("listitem").filter(has_text="Nothing is live")).to_be_visible()
    dashboard.publish()
    dashboard.open_part("Serving")
    choose(dashboard, "nginx")
    expect(panel(dashboard).get_by_role("listitem").filter(has_text="Nothing is live")).to_have_count(0)
    expect(panel(dashboard).get_by_label("Configuration to paste")).to_contain_text(f"/hosts/{host}/")


def test_an_alias_has_its_own_snippets(waymark, dashboard, published):
    alias = waymark.new_domain(aliasOf=published)
    dashboard.open("/domain", host=alias)
    choose(dashboard, "Vercel")
    expect(panel(dashboard).get_by_label("Configuration to paste")).to_contain_text(f"/hosts/{alias}/")


def test_an_unreachable_api_shows_an_error(new_dashboard, published):
    dashboard = new_dashboard()
    dashboard.open_domain(published, "serving")
    dashboard.page.context.set_offline(True)
    choose(dashboard, "nginx")
    expect(panel(dashboard).get_by_role("alert")).to_contain_text("does not answer")
    dashboard.page.context.set_offline(False)
    choose(dashboard, "Apache")
    expect(panel(dashboard).get_by_role("alert")).to_be_hidden()
    expect(panel(dashboard)).to_contain_text("<VirtualHost>")


@pytest.mark.parametrize("width", [320, 360, 1600])
def test_it_fits_and_is_readable(new_dashboard, published, width):
    dashboard = new_dashboard(width=width)
    dashboard.open_domain(published, "serving")
    for kind in KINDS:
        choose(dashboard, kind)
        expect(panel(dashboard).get_by_label("Configuration to paste")).to_be_visible()
        assert overflow(dashboard.page) <= 0, kind
        assert low_contrast(dashboard.page) == [], kind
