"""Importing an existing file."""

import json

from playwright.sync_api import expect

OLD = {
    "applinks": {
        "apps": [],
        "details": [
            {"appID": "IMPORT0001.com.example.one", "paths": ["NOT /admin/*", "*"]},
            {"appIDs": ["IMPORT0001.com.example.two"], "components": [{"/": "/two/*"}], "paths": ["/ignored"]},
        ],
    },
    "webcredentials": {"apps": ["IMPORT0001.com.example.one"]},
}


def open_import(dashboard, host):
    dashboard.open_domain(host)
    dashboard.press("Import a file…")
    return dashboard.dialog


def test_an_old_file_becomes_a_draft_with_a_report(waymark, dashboard):
    host = waymark.new_domain()
    dialog = open_import(dashboard, host)
    dashboard.type("The file’s text", json.dumps(OLD).replace("IMPORT0001", "IMPORT0002"), within=dialog)
    dashboard.press("Import", exact=True, within=dialog)
    question = dialog.get_by_role("status").filter(has_text="new apps")
    expect(question).to_have_text(
        "2 new apps: IMPORT0002.com.example.one and IMPORT0002.com.example.two. Check the IDs, then choose:"
    )
    expect(dialog.get_by_role("alert")).to_be_hidden()
    expect(question).to_be_focused()
    assert registered(waymark, "IMPORT0002") == []
    dashboard.press("Register and import", within=dialog)
    expect(dialog.get_by_role("heading", name="Imported into the draft")).to_be_visible()
    expect(dialog.get_by_role("listitem").filter(has_text="/applinks/details/1/paths").first).to_contain_text("Dropped")
    expect(dialog).to_contain_text("IMPORT0002.com.example.two")
    dashboard.press("Done", within=dialog)
    dashboard.expect_patterns("/admin/*", "*", "/two/*")
    assert registered(waymark, "IMPORT0002") == ["IMPORT0002.com.example.one", "IMPORT0002.com.example.two"]


def test_an_app_with_a_typing_error_is_registered_only_if_the_user_says_so(waymark, dashboard):
    host = waymark.new_domain()
    dialog = open_import(dashboard, host)
    dashboard.type("The file’s text", json.dumps(OLD), within=dialog)
    dashboard.press("Import", exact=True, within=dialog)
    expect(dialog.get_by_role("status").filter(has_text="new apps")).to_contain_text("IMPORT0001.com.example.one")
    dashboard.page.keyboard.press("Escape")
    dashboard.press("Cancel", within=dashboard.dialog.filter(has_text="Discard your changes?"))
    dialog.get_by_role("textbox", name="The file’s text").press("End")
    dialog.get_by_role("textbox", name="The file’s text").press_sequentially(" ")
    expect(dialog.get_by_role("button", name="Import")).to_have_text("Import")
    dashboard.press("Import", exact=True, within=dialog)
    dashboard.press("Import without registering", within=dialog)
    expect(dialog).to_contain_text("Not registered: IMPORT0001.com.example.one and IMPORT0001.com.example.two.")
    dashboard.press("Done", within=dialog)
    dashboard.expect_patterns("/admin/*", "*", "/two/*")
    assert registered(waymark, "IMPORT0001") == []


def registered(waymark, team):
    return sorted(app["appID"] for app in waymark.api("GET", f"/v1/apps?q={team}").json()["items"])


def test_an_import_can_be_undone(waymark, dashboard, host):
    dialog = open_import(dashboard, host)
    expect(dialog).to_contain_text("replaces the draft")
    dashboard.type("The file’s text", json.dumps(OLD), within=dialog)
    dashboard.press("Import", exact=True, within=dialog)
    dashboard.press("Import without registering", within=dialog)
    dashboard.press("Undo import", within=dialog)
    dashboard.expect_patterns("/buy/*", "/help/website/*", "/help/*?articleNumber=????")


def test_invalid_json_shows_the_place_of_the_error_and_keeps_the_text(waymark, dashboard, host):
    dialog = open_import(dashboard, host)
    dashboard.type("The file’s text", '{"applinks": {\n  "details": [,]\n}}', within=dialog)
    dashboard.press("Import", exact=True, within=dialog)
    expect(dialog.get_by_role("alert")).to_contain_text("line 2, column")
    assert "details" in dialog.get_by_role("textbox", name="The file’s text").input_value()


def test_a_file_can_be_dropped_on_the_form(waymark, dashboard):
    dialog = open_import(dashboard, waymark.new_domain())
    transfer = dashboard.page.evaluate_handle(
        """text => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "apple-app-site-association"));
            return transfer;
        }""",
        json.dumps(OLD),
    )
    dialog.get_by_role("textbox").dispatch_event("drop", {"dataTransfer": transfer})
    expect(dialog.get_by_role("textbox", name="The file’s text")).to_have_value(json.dumps(OLD))


def test_a_file_can_be_chosen(waymark, dashboard):
    dialog = open_import(dashboard, waymark.new_domain())
    dialog.get_by_label("choose it").set_input_files(
        {"name": "apple-app-site-association", "mimeType": "", "buffer": json.dumps(OLD).encode()}
    )
    expect(dialog.get_by_role("textbox", name="The file’s text")).to_have_value(json.dumps(OLD))


def test_a_file_that_is_not_text_is_sent_unchanged(waymark, dashboard):
    dialog = open_import(dashboard, waymark.new_domain())
    sent = []
    dashboard.page.on("request", lambda request: "/v1/" in request.url and "/import" in request.url and sent.append(request.post_data_buffer))
    content = json.dumps(OLD).encode("utf-16")
    dialog.get_by_label("choose it").set_input_files(
        {"name": "apple-app-site-association", "mimeType": "", "buffer": content}
    )
    expect(dialog).to_contain_text(f"{len(content)} bytes is not text")
    dashboard.press("Import", exact=True, within=dialog)
    expect(dialog.get_by_role("alert")).to_contain_text("encoded in UTF-16")
    assert sent == [content]
    dashboard.type("The file’s text", json.dumps(OLD), within=dialog)
    expect(dialog.get_by_text("is not text")).to_be_hidden()
    dashboard.press("Import", exact=True, within=dialog)
    dashboard.press("Import without registering", within=dialog)
    expect(dialog.get_by_role("heading", name="Imported into the draft")).to_be_visible()


def test_an_error_that_the_draft_hides_is_a_problem_in_the_report(waymark, dashboard):
    dialog = open_import(dashboard, waymark.new_domain())
    entry = {"appIDs": ["IMPORT0001.com.example.one"], "components": ["/a"]}
    dashboard.type("The file’s text", json.dumps({"applinks": {"details": [entry]}}), within=dialog)
    dashboard.press("Import", exact=True, within=dialog)
    dashboard.press("Import without registering", within=dialog)
    expect(dialog).to_contain_text("1 problem")
    problem = dialog.get_by_role("listitem").filter(has_text="/applinks/details/0/components/0")
    expect(problem).to_contain_text("Problem")
    expect(problem).to_contain_text("WM010")


def test_services_and_variables_can_be_edited(waymark, dashboard, host):
    dashboard.open_domain(host, "settings")
    section = dashboard.page.get_by_role("region", name="Services and variables")
    dashboard.press("Add a service", within=section)
    section.get_by_label("Service", exact=True).fill("webcredentials")
    section.get_by_label("App IDs").fill("TESTTEAM01.com.example.shop")
    dashboard.press("Add a variable", within=section)
    section.get_by_label("Name", exact=True).fill("food")
    section.get_by_label("Values").fill("burrito\nsushi")
    section.get_by_role("checkbox", name="Include rule comments").check()
    dashboard.press("Save to draft", within=section)
    expect(dashboard.announcement).to_contain_text("Saved to the draft")
    saved = waymark.api("GET", f"/v1/domains/{host}/draft").json()
    assert saved["services"] == {"webcredentials": ["TESTTEAM01.com.example.shop"]}
    assert saved["substitutionVariables"] == {"food": ["burrito", "sushi"]}
    assert saved["publishComments"] is True
