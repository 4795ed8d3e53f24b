"""The list of domains, and adding, changing and deleting a domain."""

import re

from playwright.sync_api import expect

from dashboard import SHOP, draft, rule, until


def listed(dashboard):
    return dashboard.page.get_by_role("table", name="Domains").locator(".domain-row")


def test_a_domain_is_added_by_its_name_or_its_address(waymark, dashboard):
    host = waymark.new_host("added")
    dashboard.open("/")
    dashboard.press("Add domain")
    dashboard.type("Host", f"https://{host}/some/path", within=dashboard.dialog)
    dashboard.type("Labels", "staging, brand-x", within=dashboard.dialog)
    dashboard.press("Add domain", exact=True, within=dashboard.dialog)
    dashboard.page.wait_for_url(re.compile(re.escape(host)))
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(host)
    assert sorted(waymark.api("GET", f"/v1/domains/{host}").json()["labels"]) == ["brand-x", "staging"]


def test_a_new_domain_shows_the_first_step_instead_of_an_error(waymark, dashboard):
    host = waymark.new_domain()
    dashboard.open("/")
    dashboard.page.get_by_role("searchbox", name="Search by name").fill(host)
    row = listed(dashboard).filter(has=dashboard.page.get_by_role("link", name=host, exact=True))
    expect(row).to_contain_text("No rules yet")
    expect(row).not_to_contain_text("error")
    dashboard.page.get_by_role("link", name=f"Add an app: {host}").click()
    file = dashboard.page.get_by_role("region", name="Generated file")
    expect(file).to_contain_text("Nothing to check yet.")
    expect(file.get_by_role("listitem")).to_have_count(0)
    expect(dashboard.page.get_by_role("link", name="error")).to_have_count(0)
    # The draft is empty again, but not untouched: its error blocks publishing.
    waymark.put_draft(host, draft(([SHOP], [rule("/*")])))
    waymark.put_draft(host, draft())
    expect(file).to_contain_text("WM008")
    expect(dashboard.page.get_by_role("navigation", name="Parts of this page")).to_contain_text("1 error")


def test_no_button_to_add_a_domain_disappears_under_a_click(waymark, new_dashboard):
    dashboard = new_dashboard(organization=waymark.create_organization())
    held, holds = [], {"on": True}
    dashboard.page.route("**/v1/domains?*", lambda route: held.append(route) if holds["on"] else route.continue_())
    dashboard.open("/")
    buttons = dashboard.page.get_by_role("button", name="Add domain")
    expect(dashboard.page.get_by_text("Loading your domains…")).to_be_visible()
    expect(buttons).to_have_count(0)
    until(dashboard.page, lambda: held)
    holds["on"] = False
    for route in held:
        route.continue_()
    expect(buttons).to_have_text("Add domain")


def test_an_invalid_host_shows_an_error_at_its_field(dashboard, host):
    dashboard.open("/")
    dashboard.press("Add domain")
    dashboard.type("Host", "no host at all", within=dashboard.dialog)
    dashboard.press("Add domain", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("textbox", name="Host")).to_have_attribute("aria-invalid", "true")


def test_several_domains_are_added_from_a_list_and_those_refused_stay(waymark, new_dashboard):
    slug = waymark.create_organization()
    dashboard = new_dashboard(organization=slug)
    hosts = [f"{name}.{slug}.example" for name in ("www", "shop", "help")]
    dashboard.open("/")
    dashboard.press("Add domain")
    dashboard.type("Host", f"{hosts[0]}\nhttps://{hosts[1]}/path, no host\n{hosts[0]}\n{hosts[2]}", within=dashboard.dialog)
    dashboard.type("Labels", "staging", within=dashboard.dialog)
    dashboard.press("Add domain", exact=True, within=dashboard.dialog)
    field = dashboard.dialog.get_by_role("textbox", name="Host")
    expect(field).to_have_value("no host")
    expect(dashboard.dialog.get_by_text("3 domains added. no host: ")).to_be_visible()
    field.fill(f"a.{slug}.example\nb.{slug}.example")
    field.press("Enter")
    expect(listed(dashboard)).to_have_count(5)
    items = waymark.api("GET", "/v1/domains", token=waymark.token(organization=slug)).json()["items"]
    assert sorted(item["host"] for item in items) == sorted([*hosts, f"a.{slug}.example", f"b.{slug}.example"])
    assert {tuple(item["labels"]) for item in items} == {("staging",)}


def test_an_existing_domain_is_explained(dashboard, host):
    dashboard.open("/")
    dashboard.press("Add domain")
    dashboard.type("Host", host, within=dashboard.dialog)
    dashboard.press("Add domain", exact=True, within=dashboard.dialog)
    expect(dashboard.dialog.get_by_role("alert")).to_contain_text("already exists")


def test_the_list_shows_states_and_live_versions(dashboard, published):
    dashboard.open("/")
    dashboard.page.get_by_role("searchbox", name="Search by name").fill(published)
    row = listed(dashboard)
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Live")
    expect(row).to_contain_text("v1")
    row.get_by_role("link", name=published).click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(published)


def test_the_list_is_filtered_by_state_and_label_and_the_address_keeps_it(waymark, dashboard, apps):
    label = waymark.new_host("label").replace(".", "-")
    hosts = [waymark.new_domain(labels=[label]) for _ in range(2)]
    dashboard.open("/")
    dashboard.page.get_by_role("combobox", name="Label").fill(label)
    expect(listed(dashboard)).to_have_count(2)
    dashboard.page.get_by_label("State").select_option("live")
    expect(dashboard.page.get_by_text("No domains match.")).to_be_visible()
    dashboard.page.get_by_label("State").select_option("unpublished")
    expect(listed(dashboard)).to_have_count(2)
    assert f"label={label}" in dashboard.page.url and "state=unpublished" in dashboard.page.url
    dashboard.page.reload()
    expect(listed(dashboard)).to_have_count(2)
    expect(listed(dashboard).first).to_contain_text(min(hosts))


def test_clicking_a_label_filters_the_list_by_it(waymark, dashboard):
    label = waymark.new_host("brand").replace(".", "-")
    host = waymark.new_domain(labels=[label])
    dashboard.open("/")
    dashboard.page.get_by_role("searchbox", name="Search by name").fill(host)
    dashboard.press(label, exact=True)
    expect(dashboard.page.get_by_role("combobox", name="Label")).to_have_value(label)


def test_a_long_list_is_shown_page_by_page(waymark, new_dashboard):
    organization = waymark.create_organization()
    token = waymark.token(organization=organization)
    for number in range(53):
        waymark.new_domain(host=f"many-{number:02}.{organization}.example", token=token)
    dashboard = new_dashboard(organization)
    dashboard.open("/")
    expect(listed(dashboard)).to_have_count(50)
    dashboard.press("Show more")
    expect(listed(dashboard)).to_have_count(53)
    expect(dashboard.page.get_by_role("button", name="Show more")).to_be_hidden()
    expect(dashboard.page.get_by_role("link", name=re.compile("^many-50"))).to_be_focused()


def test_a_unicode_host_is_shown_in_unicode(waymark, dashboard):
    host = waymark.new_domain(host=waymark.new_host("münchen"))
    dashboard.open("/domain", host=host)
    expect(dashboard.page.get_by_role("heading", level=1)).to_contain_text("münchen")
    expect(dashboard.page.get_by_text(re.compile(r"^xn--mnchen-\S+$"))).to_be_visible()


def test_an_alias_serves_the_file_of_its_domain(waymark, dashboard, published):
    alias = waymark.new_host("alias")
    dashboard.open_domain(published, "settings")
    section = dashboard.page.get_by_role("region", name="Aliases")
    dashboard.type("Add an alias", alias, within=section)
    dashboard.press("Add", exact=True, within=section)
    section.get_by_role("link", name=alias).click()
    expect(dashboard.page.get_by_role("heading", level=1)).to_have_text(alias)
    expect(dashboard.page.get_by_text("This host is an alias of")).to_contain_text(published)
    expect(dashboard.page.get_by_role("link", name="Publish…")).to_be_hidden()
    sha256 = waymark.api("GET", f"/v1/domains/{published}").json()["live"]["sha256"]
    waymark.served(alias, sha256)


def test_a_live_alias_says_why_it_stays_an_alias(waymark, dashboard, published):
    alias = waymark.new_host("alias")
    answer = waymark.api("POST", "/v1/domains", {"host": alias, "aliasOf": published})
    assert answer.status_code == 201, answer.text
    dashboard.open("/domain", host=alias)
    expect(dashboard.page.get_by_text("It is live, so it must stay an alias")).to_be_visible()
    expect(dashboard.page.get_by_role("button", name="Give it its own file")).to_be_hidden()


def test_an_alias_that_is_not_live_can_get_its_own_file(waymark, dashboard, host):
    alias = waymark.new_host("alias")
    answer = waymark.api("POST", "/v1/domains", {"host": alias, "aliasOf": host})
    assert answer.status_code == 201, answer.text
    dashboard.open("/domain", host=alias)
    dashboard.press("Give it its own file")
    expect(dashboard.page.get_by_role("heading", name="Which app opens links to this domain?")).to_be_visible()


def test_labels_are_changed(waymark, dashboard, host):
    dashboard.open_domain(host, "settings")
    dashboard.type("Labels, separated by commas", "one, two words, two words")
    dashboard.press("Save", exact=True)
    expect(dashboard.announcement).to_contain_text("Labels saved:")
    assert sorted(waymark.api("GET", f"/v1/domains/{host}").json()["labels"]) == ["one", "two words"]


def test_a_domain_that_was_never_published_can_be_deleted(waymark, dashboard, host):
    dashboard.open_domain(host, "settings")
    dashboard.press("Delete this domain…")
    dashboard.press("Delete domain", exact=True, within=dashboard.dialog)
    dashboard.page.wait_for_url(re.compile(r"/\?organization="))
    assert waymark.api("GET", f"/v1/domains/{host}").status_code == 404


def test_a_missing_domain_shows_not_found_and_a_link(dashboard):
    dashboard.open("/domain", host="nowhere.example")
    expect(dashboard.page.get_by_role("heading", name="Not found")).to_be_visible()
    expect(dashboard.page.get_by_role("link", name="All domains")).to_be_visible()
