"""The start page of an organization of its own."""

from playwright.sync_api import expect

from dashboard import SHOP, draft, rule
from installation import eventually

GOOD = draft(([SHOP], [rule("/buy/*")]))
WRONG = draft((["not an app ID"], [rule("/buy/*")]))
BUY = {"url": "/buy/1", "expected": {"outcome": "opens", "app": SHOP}}
HELP = {"url": "/help", "expected": {"outcome": "opens", "app": SHOP}}


class Overview:
    def __init__(self, waymark, new_dashboard):
        self.waymark = waymark
        self.slug = waymark.create_organization()
        self.token = waymark.token(organization=self.slug)
        self.new_dashboard = new_dashboard

    def domain(self, name, content=GOOD, tests=(), publish=False, **fields):
        host = self.waymark.new_domain(content, token=self.token, host=f"{name}.{self.slug}.example", **fields)
        for test in tests:
            assert self.api("POST", f"/v1/domains/{host}/tests", test).status_code == 201
        if publish:
            self.waymark.publish(host, token=self.token)
        return host

    def api(self, method, path, body=None):
        return self.waymark.api(method, path, body, token=self.token)

    def checked(self, count=None):
        """Waits until the drafts of all domains are checked, and `count` of them have a problem."""

        def done():
            body = self.api("GET", "/v1/domains?limit=200&counts=true").json()
            drafts = [domain["checks"] for domain in body["items"] if domain["aliasOf"] is None]
            current = all(checks and checks["current"] for checks in drafts)
            return current and (count is None or body["counts"]["problems"]["any"] == count)

        eventually(done, what="the checks of all drafts")

    def open(self, path="/", query=None, **settings):
        board = self.new_dashboard(self.slug, **settings)
        board.open(path, **(query or {}))
        expect(board.page.get_by_text("Loading your domains…")).to_be_hidden()
        return board


def rows(board):
    return board.page.get_by_role("table", name="Domains").locator(".domain-row")


def row(board, host):
    return rows(board).filter(has=board.page.get_by_role("link", name=host, exact=True))


def hosts(board):
    return rows(board).get_by_role("rowheader").get_by_role("link").all_text_contents()
