"""Copy as curl: the copied commands do what the pages would do."""

import os
import subprocess

import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule, until
from finder import Finder

NASTY = "It's \"new\" for $HOME `id` \\ 100%; é"


@pytest.fixture
def board(new_dashboard):
    return new_dashboard(permissions=["clipboard-read", "clipboard-write"], timezone_id="UTC")


@pytest.fixture
def run(waymark, board):
    """Copies the request of a button, or one that the finder has, runs it in a shell with a token, and returns its
    output."""

    def clipboard():
        return board.page.evaluate("navigator.clipboard.readText()")

    def copied(within=None, found=None):
        board.page.evaluate("navigator.clipboard.writeText('')")
        if found:
            Finder(board).open().type(f"curl {found}").choose(found)
        else:
            board.press("Copy as curl", within=within)
        until(board.page, lambda: clipboard())
        command = clipboard()
        environment = {**os.environ, "WAYMARK_TOKEN": waymark.token()}
        assert environment["WAYMARK_TOKEN"] not in command
        command = command.replace("curl ", "curl --silent --show-error --fail-with-body ", 1)
        return subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=True).stdout

    return copied


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
    board.open_domain(published, "tests")
    expect(board.page.get_by_text("Which URLs must keep working?")).to_be_visible()
    expect(board.page.get_by_role("button", name="Copy as curl")).to_have_count(0)
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*", comment=NASTY)])))
    test = {"url": "/new/1", "expected": {"outcome": "opens", "app": SHOP}}
    assert waymark.api("POST", f"{path}/tests", test).is_success
    board.open_domain(published)
    revision = waymark.api("GET", f"{path}/draft").json()["revision"]
    run(found="save this draft")
    saved = waymark.api("GET", f"{path}/draft").json()
    assert saved["revision"] > revision
    assert saved["entries"][0]["rules"][0]["comment"] == NASTY
    board.ask("/new/it's?q=$HOME")
    expect(board.page.get_by_text("it's").first).to_be_visible()
    assert '"opens"' in run(found="check these URLs")
    board.open_part("Tests")
    assert '"passed":1' in run()


def test_the_dialog_of_a_schedule_offers_its_request(waymark, board, run):
    host = waymark.new_domain()
    board.open("/schedules", new=1)
    board.type("Name", NASTY, within=board.dialog)
    board.dialog.get_by_role("combobox", name="Domain").fill(host)
    run(within=board.dialog)
    [schedule] = [each for each in waymark.api("GET", "/v1/schedules").json()["items"] if each["host"] == host]
    assert schedule["name"] == NASTY
