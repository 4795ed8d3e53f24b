"""Every page, dialog and menu: how a user gets there. The checks with axe and the screenshots go through this list."""

import re
from functools import partial

from playwright.sync_api import expect

PARTS = ("rules", "tests", "versions", "serving", "settings")


class Views:
    """`host` is a domain of the organization, `app` an app of it. A view is a name and a function that opens it."""

    def __init__(self, dashboard, host=None, app=None):
        self.dashboard = dashboard
        self.host = host
        self.app = app

    def lists(self):
        paths = {"overview": "/", "release review": "/publish"}
        paths |= {name: f"/{name}" for name in ("apps", "schedules", "releases", "events", "people", "approvals", "account")}
        return [(name, partial(self.open, path)) for name, path in paths.items()]

    def of_domain(self):
        paths = {part: f"/domain/{part}" for part in PARTS} | {"review": "/publish"}
        return [(name, partial(self.open, path, host=self.host)) for name, path in paths.items()]

    def others(self):
        return [("app", partial(self.open, "/app", app=self.app)), ("release", self.open_release)]

    def open(self, path, **query):
        self.dashboard.open(path, **query)
        self.settles()

    def open_release(self):
        self.open("/releases")
        self.dashboard.page.get_by_role("list", name="Releases").get_by_role("link").first.click()
        self.settles()

    def settles(self):
        page = self.dashboard.page
        expect(page.locator(".loading:visible")).to_have_count(0)
        expect(page.locator("main")).not_to_contain_text("Checking…")

    def public(self):
        addresses = ["/sign-in", "/sign-in/return", "/sign-up", "/sign-up#unknown", "/invitation#unknown", "/password-reset"]
        addresses += ["/validate", "/finding", "/finding?code=WM020", "/api", "/api#createPublication"]
        addresses += ["/styleguide", "/no/such/page"]
        return [(re.sub(r"\W", "-", address).strip("-"), partial(self.visit, address)) for address in addresses]

    def visit(self, address):
        page = self.dashboard.page
        page.goto("about:blank")
        page.goto(self.dashboard.url + address)
        expect(page.locator(".loading:visible")).to_have_count(0)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)

    def dialogs(self, of=None):
        """Dialogs, menus and forms, each opened on its page: of every page, or of one path."""
        return [
            (name, partial(self.open_by, steps, path, **query))
            for path, query, name, steps in self.openings()
            if of in (None, path)
        ]

    def open_by(self, steps, path, **query):
        self.open(path, **query)
        for role, name in steps:
            control = self.dashboard.page.get_by_role(role, name=name).first
            # A label covers its radio button.
            control.check(force=True) if role in ("checkbox", "radio") else control.click()
        self.settles()

    def openings(self):
        domain, app = {"host": self.host}, {"app": self.app}
        yield "/", {}, "add a domain", [button("Add domain")]
        select = [("checkbox", "Select ")]
        yield "/", {}, "selected domains", select
        yield "/", {}, "label domains", [*select, button("Add label…")]
        yield "/", {}, "run tests of domains", [*select, button("Run tests")]
        yield "/", {}, "account menu", [button("Account")]
        yield "/", {}, "finder", [button("Find")]
        yield "/", {}, "keys", [button("Account"), button("Keyboard shortcuts")]
        yield "/apps", {}, "new app and team", [button("Add app…"), button("Add team…")]
        yield "/app", app, "edit an app", [button("Edit…")]
        yield "/app", app, "replace an app", [button("Replace in drafts…")]
        yield "/app", app, "delete an app", [button("Delete…")]
        yield "/schedules", {}, "new schedule", [button("New schedule…")]
        yield "/schedules", {}, "freeze", [button("Freeze…")]
        yield "/schedules", {}, "pause a schedule", [button("Pause ")]
        yield "/schedules", {}, "run a schedule", [button("Run ")]
        yield "/schedules", {}, "delete a schedule", [button("Delete ")]
        # A day in the calendar, or on a narrow screen in the agenda.
        day = re.compile(r"day, \w+ \d+, \d{4}(: .*weekday mornings.*)?$")
        yield "/schedules", {}, "day of the calendar", [button(day)]
        yield "/events", {}, "entry of the trail", [button("Steps of"), button("Details:")]
        yield "/people", {}, "invite people", [button("Invite people…")]
        yield "/people", {}, "create a token", [button("Create token…")]
        yield "/people", {}, "rotate a token", [button("Rotate token")]
        yield "/people", {}, "revoke a token", [button("Revoke token")]
        yield "/people", {}, "trust CI jobs", [button("Trust CI jobs…")]
        yield "/people", {}, "use of a trust", [button("How jobs use trust")]
        yield "/people", {}, "set up a provider", [button("Set up a provider…")]
        yield "/people", {}, "remove a member", [button("Remove ")]
        yield "/people", {}, "change a trust", [button("Change trust")]
        yield "/domain/rules", domain, "form of a rule", [button("Edit rule 1,")]
        yield "/domain/rules", domain, "menu of a rule", [button("More for rule 1,")]
        yield "/domain/rules", domain, "apps of an entry", [button("Edit the apps of")]
        two = [("checkbox", "Select rule 1,"), ("checkbox", "Select rule 2,")]
        yield "/domain/rules", domain, "selected rules", two
        yield "/domain/rules", domain, "edit as JSON", [button("Edit as JSON")]
        yield "/domain/rules", domain, "import a file", [button("Import a file…")]
        yield "/domain/tests", domain, "new test", [button("Add a test")]
        yield "/domain/tests", domain, "import tests", [button("Import tests…")]
        yield "/domain/versions", domain, "file of a version", [button("View the file of version")]
        yield "/domain/versions", domain, "tests of a version", [button("View tests of version")]
        yield "/domain/versions", domain, "compare versions", [button("Compare version")]
        yield "/domain/settings", domain, "services and variables", [button("Add a service"), button("Add a variable")]
        yield "/domain/settings", domain, "withdraw", [button("Withdraw from service…")]
        times = [("radio", "Schedule"), ("checkbox", "Roll back automatically")]
        yield "/publish", domain, "schedule a publication", times
        yield "/publish", domain, "on devices by a time", [("radio", "On devices by…")]


def button(name):
    return "button", name
