"""The first day of a newcomer, from the sign-in link to a schedule: in under three minutes of a person's time."""

import json
import re

import pytest
from playwright.sync_api import expect

from dashboard import Dashboard
from person import Person

LIMIT = 180

FILE = json.dumps(
    {
        "applinks": {
            "details": [
                {
                    "appIDs": ["ABCDE12345.com.example.shop"],
                    "components": [{"/": "/account/*", "exclude": True}, {"/": "/buy/*"}, {"/": "/gift/*"}],
                }
            ]
        }
    },
    indent=2,
)


@pytest.mark.parametrize(
    "way, window", [("mouse", {}), ("touch", {"width": 390, "height": 844, "has_touch": True}), ("keyboard", {})]
)
def test_a_newcomer_publishes_rolls_back_and_schedules_in_three_minutes(waymark, new_context, capsys, way, window):
    organization = waymark.create_organization()
    host = f"www.{organization}.example"
    dashboard = Dashboard(new_context(**window).new_page(), waymark.url, organization)
    page, person = dashboard.page, Person(dashboard.page, way)
    main = page.get_by_role("main")

    person.begins("sign in")
    page.goto(waymark.sign_in_link(organization))
    person.reads(main, "Add your first domain")

    person.begins("add a domain")
    person.presses("button", "Add domain")
    person.types("Host", host)
    person.keys("Enter")
    person.reads(main, "Which app opens links to this domain?")

    person.begins("import a file")
    person.presses("button", "Import a file…")
    expect(page.get_by_role("textbox", name="The file’s text")).to_be_focused()
    person.pastes(FILE)
    person.presses("button", "Import")
    person.reads(page.get_by_role("dialog"), "1 new app")
    person.presses("button", "Register and import")
    person.reads(page.get_by_role("dialog"), "Imported into the draft")
    person.presses("button", "Done")
    dashboard.expect_patterns("/account/*", "/buy/*", "/gift/*")

    person.begins("publish the imported file")
    publish(person, dashboard, 1)

    person.begins("edit a rule")
    person.presses("link", "Back to the domain")
    change_the_last_rule(person, dashboard)

    person.begins("test a URL")
    if way == "touch":
        person.presses("button", "Try a URL")
    person.types("URLs, one per line", "/gifts/42")
    person.reads(dashboard.verdict, "Opens com.example.shop")

    person.begins("save it as a test")
    person.presses("button", "Save as test")
    person.presses("button", "Save test")
    expect(dashboard.announcement).to_contain_text("Test saved.")
    if way == "touch":
        person.presses("button", "Try a URL")

    person.begins("review and publish")
    publish(person, dashboard, 2)

    person.begins("roll back")
    person.presses("link", "Roll back to version 1…")
    person.reads(main, "Roll back to version 1")
    person.presses("button", "Roll back to version 1")
    dashboard.expect_progress("Version 1 is live")

    person.begins("schedule")
    person.presses("link", "Back to the domain")
    person.presses("link", "Versions")
    person.presses("link", "Create a schedule")
    person.types("Name", "weekdays")
    person.reads(page.get_by_role("dialog"), "At 09:00 on Monday to Friday")
    person.presses("button", "Create schedule")
    person.reads(page.get_by_role("list", name="Schedules"), "weekdays")

    with capsys.disabled():
        print(f"\n{person.report()}")
    assert person.seconds <= LIMIT
    assert dashboard.complaints == []


def publish(person, dashboard, version):
    person.presses("link", "Publish…")
    person.reads(dashboard.page.get_by_role("main"), "Review and publish")
    person.reads(dashboard.footer, "checks pass")
    person.presses("button", "Publish")
    dashboard.expect_progress(f"Version {version} is live")


def change_the_last_rule(person, dashboard):
    if person.way == "keyboard":
        person.goes_to(dashboard.row(1))
        person.keys("ArrowDown", "ArrowDown", "Enter")
    else:
        person.presses("button", "Edit rule 3, /gift/*")
    person.types("Path", "/gifts/*")
    person.keys("Enter")
    dashboard.expect_patterns("/account/*", "/buy/*", "/gifts/*")
