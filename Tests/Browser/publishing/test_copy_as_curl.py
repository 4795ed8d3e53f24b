"""Copy as curl: the copied commands do what the pages would do."""

import os
import re
import subprocess

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule

NASTY = "It's \"new\" for $HOME `id` \\ 100%; é"


@pytest.fixture
def board(new_dashboard):
    return new_dashboard(permissions=["clipboard-read", "clipboard-write"], timezone_id="UTC")


@pytest.fixture
def run(waymark, board):
    """Copies the request of a button, runs it in a shell with a token, and returns its output."""

    def pressed(name="Copy as curl", within=None):
        button = (within or board.page).get_by_role("button", name=name, exact=True)
        button.click()
        expect(button.or_((within or board.page).get_by_text("Copied", exact=True)).first).to_have_text("Copied")
        command = board.page.evaluate("navigator.clipboard.readText()")
        environment = {**os.environ, "WAYMARK_TOKEN": waymark.token()}
        assert environment["WAYMARK_TOKEN"] not in command
        command = command.replace("curl ", "curl --silent --show-error --fail-with-body ", 1)
        return subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=True).stdout

    return pressed


def test_the_chosen_publication_is_copied_with_its_message_time_and_revision(waymark, board, run, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    board.open_review(published)
    board.type("Message", NASTY)
    board.page.get_by_label("Schedule", exact=True).check()
    board.press("Copy as curl")
    expect(board.page.get_by_label("Goes live at")).to_have_attribute("aria-invalid", "true")
    board.page.get_by_label("Goes live at").fill("2026-12-31T10:00:00")
    run()
    [made] = waymark.api("GET", f"/v1/domains/{published}/publications?state=pending").json()["items"]
    assert (made["version"], made["message"], made["at"]) == (2, NASTY, "2026-12-31T10:00:00Z")


def test_a_roll_back_and_a_release_are_copied(waymark, board, run, published):
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    waymark.publish(published)
    board.open_review(published, version=1)
    run()
    board.open("/publish", label="nothing-yet")
    board.page.get_by_role("radio", name="From a list").check()
    board.type("Hosts", published)
    board.type("Message", NASTY)
    run()
    assert waymark.api("GET", "/v1/releases?limit=1").json()["items"][0]["message"] == NASTY


def test_a_draft_its_tests_and_urls_are_copied(waymark, board, run, published):
    path = f"/v1/domains/{published}"
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*", comment=NASTY)])))
    assert waymark.api("POST", f"{path}/tests", {"url": "/new/1", "expected": {"outcome": "opens", "app": SHOP}}).is_success
    board.open_domain(published)
    revision = waymark.api("GET", f"{path}/draft").json()["revision"]
    run("Copy as curl: save this draft")
    saved = waymark.api("GET", f"{path}/draft").json()
    assert saved["revision"] > revision
    assert saved["entries"][0]["rules"][0]["comment"] == NASTY
    board.ask("/new/it's?q=$HOME")
    expect(board.page.get_by_text("it's").first).to_be_visible()
    assert '"opens"' in run("Copy as curl: check these URLs")
    board.open_part("Tests")
    assert '"passed":1' in run("Copy as curl: run these tests")


def test_the_dialogs_offer_their_requests(waymark, board, run):
    host = waymark.new_host("copied")
    board.open("/", new=1)
    board.type(re.compile("^Host"), host, within=board.dialog)
    run(within=board.dialog)
    assert waymark.api("GET", f"/v1/domains/{host}").status_code == 200
    board.open("/schedules", new=1)
    board.type("Name", NASTY, within=board.dialog)
    board.dialog.get_by_role("combobox", name="Domain").fill(host)
    run(within=board.dialog)
    [schedule] = [each for each in waymark.api("GET", "/v1/schedules").json()["items"] if each["host"] == host]
    assert schedule["name"] == NASTY
    board.press("Cancel", within=board.dialog)
    board.press("Freeze…")
    board.dialog.get_by_role("radio", name="Domains with a label").check()
    board.dialog.get_by_role("combobox", name="Label").fill("copied-label")
    board.dialog.get_by_label("Until").fill("2026-12-31T10:00:00")
    board.type("Reason", NASTY, within=board.dialog)
    run(within=board.dialog)
    freezes = waymark.api("GET", "/v1/freezes?state=current").json()["items"]
    [freeze] = [each for each in freezes if each["label"] == "copied-label"]
    assert freeze["reason"] == NASTY
    assert waymark.api("DELETE", f"/v1/freezes/{freeze['id']}").is_success
