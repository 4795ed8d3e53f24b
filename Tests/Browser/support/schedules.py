"""The page of schedules as a user in Berlin sees it, and an organization for it."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from clocks import keep_clear_of
from dashboard import SHOP, draft, rule
from installation import eventually

NIGHTLY = {"name": "nightly", "label": "shop", "expression": "30 2 * * *", "zone": "America/New_York"}
BERLIN = {"timezone_id": "Europe/Berlin"}
BERLIN_ZONE = ZoneInfo("Europe/Berlin")


class Organization:
    """A separate organization, so that its page has no schedules and freezes of other tests."""

    def __init__(self, waymark):
        # When the day changes, and when the nightly schedule runs automatically.
        keep_clear_of(("Europe/Berlin", 0, 0), ("UTC", 0, 0), (NIGHTLY["zone"], 2, 30))
        self.waymark = waymark
        self.slug = waymark.create_organization()
        self.token = waymark.token("owner", self.slug)

    def api(self, method, path, body=None, **more):
        return self.waymark.api(method, path, body, token=self.token, **more)

    def made(self, path, body=None):
        answer = self.api("POST", path, body)
        assert answer.status_code in (201, 202), answer.text
        return answer.json()

    def domain(self, path="/buy/*", **fields):
        return self.waymark.new_domain(draft(([SHOP], [rule(path)])), token=self.token, **fields)

    def run(self, schedule):
        run = self.made(f"/v1/schedules/{schedule['id']}/runs")
        path = f"/v1/schedules/{schedule['id']}/runs/{run['id']}"
        return eventually(lambda: (found := self.api("GET", path).json())["state"] == "ended" and found)


def rows(board):
    return board.page.get_by_role("list", name="Schedules").locator(":scope > li")


def calendar(board):
    return board.page.get_by_role("grid")


def day_button(board, day):
    return calendar(board).get_by_role("button", name=re.compile(rf"{day:%A}, {day:%B} {day.day}, {day.year}:"))


def open_page(board, **query):
    board.open("/schedules", **query)
    expect(board.page.get_by_text("Loading the schedules…")).to_be_hidden()
    return board.page


def berlin_today():
    return datetime.now(BERLIN_ZONE).date()
