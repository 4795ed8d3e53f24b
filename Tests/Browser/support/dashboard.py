"""The dashboard as users see it: by the names and roles on the page, never by its structure."""

import re
from urllib.parse import urlencode

from playwright.sync_api import expect

# What the browser logs for every answer of 400 and above. The pages expect those answers and show them.
EXPECTED = re.compile(
    r"Failed to load resource: "
    r"(the server responded with a status of (401|403|404|409|412|413|422|429)"
    r"|net::ERR_INTERNET_DISCONNECTED|net::ERR_FAILED)"
)


# Apps that the fixture `apps` registers.
SHOP = "TESTTEAM01.com.example.shop"
HELP = "TESTTEAM01.com.example.help"


class Dashboard:
    """One tab of a signed-in user. `complaints` collects errors that should never happen."""

    def __init__(self, page, url, organization):
        self.page = page
        self.url = url
        self.organization = organization
        self.complaints = []
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error.stack or error}"))
        page.on("console", self._heard)
        page.on("dialog", self._alerted)

    def _heard(self, message):
        if message.type in ("error", "warning") and not EXPECTED.search(message.text):
            self.complaints.append(f"console: {message.text}")

    def _alerted(self, dialog):
        if dialog.type == "beforeunload":
            return dialog.accept()
        self.complaints.append(f"a script opened a dialog: {dialog.message}")
        dialog.dismiss()

    # Pages

    def open(self, path="/", **query):
        query = {"organization": self.organization, **query}
        self.page.goto(f"{self.url}{path}?{urlencode(query, doseq=True)}")
        expect(self.page.get_by_role("button", name="Account")).to_be_visible()
        return self.page

    def open_domain(self, host, part="rules"):
        """Opens a part of a domain's page: rules, tests, versions, serving or settings."""
        self.open(f"/domain/{part}", host=host)
        expect(self.page.get_by_text("Loading the draft…")).to_be_hidden()
        # Hidden on a narrow screen until it is opened.
        tester = self.page.get_by_role("region", name="Which app opens this URL?", include_hidden=True)
        expect(tester).not_to_contain_text("Checking…")
        return self.page

    def open_part(self, name):
        """Goes to a part of the open domain by its link."""
        link = self.page.get_by_role("navigation", name="Parts of this page").get_by_role("link", name=name)
        link.click()
        expect(link).to_have_attribute("aria-current", "page")

    def sign_out(self):
        self.press("Account")
        self.press("Sign out")

    # Buttons, fields

    def press(self, name, exact=False, within=None):
        (within or self.page).get_by_role("button", name=name, exact=exact).click()

    def type(self, label, text, within=None):
        """Fills the field whose label begins with a text."""
        name = label if isinstance(label, re.Pattern) else re.compile(f"^{re.escape(label)}", re.IGNORECASE)
        (within or self.page).get_by_role("textbox", name=name).fill(text)

    @property
    def dialog(self):
        return self.page.get_by_role("dialog")

    @property
    def announcement(self):
        return self.page.locator(".announcement")

    # Rules

    @property
    def rules(self):
        return self.page.get_by_role("grid", name="Rules, first match decides").locator("[role=row][id]")

    def row(self, number):
        """The row of a rule, which has the keys of its menu."""
        return self.rules.nth(number - 1)

    def choose(self, number, action):
        """Chooses an action in the menu of a rule."""
        self.press(f"More for rule {number},")
        self.page.get_by_role("menuitem", name=action).click()

    @property
    def path(self):
        """The path in the form of a rule."""
        return self.page.get_by_role("textbox", name="Path", exact=True)

    def open_more(self):
        """Opens the fields of a rule's form besides its path and effect."""
        self.page.locator("summary", has_text=re.compile("^More")).click()

    def patterns(self):
        """The rules, top to bottom."""
        return self.page.locator(".rule-pattern").all_text_contents()

    def expect_patterns(self, *patterns):
        expect(self.page.locator(".rule-pattern")).to_have_text(list(patterns))

    # The tester

    @property
    def verdict(self):
        return self.page.get_by_role("region", name="Which app opens this URL?").get_by_role("status")

    def ask(self, url):
        self.page.get_by_role("textbox", name="URLs, one per line").fill(url)

    # Publishing

    def open_review(self, host, **query):
        """The review of a domain's draft, or of `version`."""
        self.open("/publish", host=host, **query)
        self.expect_review()
        return self.page

    def review(self, version=None):
        """Goes from the domain's page to the review of its draft, or of a version."""
        if version:
            self.open_part("Versions")
        name = rf"^(Publish|Roll back to) version {version}…$" if version else "^Publish…$"
        # A pending publication of the version has the same link.
        self.page.get_by_role("link", name=re.compile(name)).first.click()
        self.expect_review()

    def expect_review(self):
        expect(self.page.get_by_role("form", name="Review and publish")).to_be_visible()
        expect(self.footer).not_to_contain_text("Checking…")

    @property
    def footer(self):
        return self.page.locator(".publish-footer")

    @property
    def progress(self):
        return self.page.get_by_role("main").locator(".progress")

    def expect_progress(self, headline):
        expect(self.progress.get_by_role("heading", name=headline)).to_be_visible()

    def back_to_domain(self, part=None):
        """Goes from the progress of a publication to the domain's page, or to one of its parts."""
        self.page.get_by_role("link", name="Back to the domain").click()
        self.page.wait_for_url(re.compile(r"/domain[/?]"))
        expect(self.page.get_by_text("Loading the draft…")).to_be_hidden()
        if part:
            self.open_part(part)

    def publish(self, message=None):
        """Publishes the draft from the domain's page, waits until it is live, and returns."""
        self.review()
        if message:
            self.type("Message", message)
        self.press("Publish", exact=True)
        self.expect_progress(re.compile(r"Version \d+ is live"))
        self.back_to_domain()


def asked(page, milliseconds):
    """The requests of a page during a time."""
    urls = []

    def note(request):
        urls.append(request.url)

    page.on("request", note)
    page.wait_for_timeout(milliseconds)
    page.remove_listener("request", note)
    return urls


def until_quiet(page, milliseconds, besides=lambda url: False):
    """Waits until a page has requested only events, and the named exceptions, for a time. Returns those requests. The
    page may still be loading at the first check, so a page fails only if it continues to send requests.
    """
    for _ in range(10):
        urls = asked(page, milliseconds)
        others = [url for url in urls if "/v1/events?" not in url and not besides(url)]
        if not others:
            return urls
    raise AssertionError(f"the page keeps requesting {others}")


def until(page, check):
    """Waits until a request handler has recorded something."""
    for _ in range(1_000):
        if check():
            return
        page.wait_for_timeout(50)
    raise AssertionError("the page has sent no request")


def rule(path=None, **fields):
    return {"path": path, **fields} if path else fields


def draft(*entries, **parts):
    """A draft of entries, each `(apps, rules)`."""
    return {
        "entries": [{"apps": list(apps), "rules": rules} for apps, rules in entries],
        "compatibility": "ios13",
        **parts,
    }
