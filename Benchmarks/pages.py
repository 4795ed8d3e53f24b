"""Measures the pages in Chromium, and prints Markdown tables for docs/benchmarks.md.

    WAYMARK_EXECUTABLE=.build/release/waymark WAYMARK_DASHBOARD=.build/dashboard .venv/bin/python Benchmarks/pages.py

Latency comes from a proxy that holds every byte for half of it in each direction, and the first bytes of a connection
for a whole round trip more, as the handshake of TCP would. So parallel connections, their number and their reuse count
as on a real network. Bandwidth is not limited.
"""

import argparse
import asyncio
import statistics
import sys
import threading
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "Tests"
sys.path[:0] = [str(folder) for folder in [TESTS / "Browser/support", *(TESTS / "EndToEnd/support").iterdir()]]

from copies import copy_draft  # noqa: E402
from dashboard import HELP, SHOP, draft, rule  # noqa: E402
from installation import eventually, free_port, installed_on_cluster  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

DOMAINS = 10_000
RULES = 236
HOST = "www.measured.example"

# The address of each page, and its main content. It is shown once no line "Loading …" is visible either.
PAGES = {
    "Domains": ("/", "[data-part=list] tr"),
    "Domain: rules": (f"/domain/rules?host={HOST}", ".rule[data-key]"),
    "Domain: tests": (f"/domain/tests?host={HOST}", ".saved-test"),
    "Domain: versions": (f"/domain/versions?host={HOST}", ".version"),
    "Domain: serving": (f"/domain/serving?host={HOST}", ".sink"),
    "Domain: settings": (f"/domain/settings?host={HOST}", "[data-page-part=settings]"),
    "Review and publish": (f"/publish?host={HOST}", ".publish-form"),
    "Teams and apps": ("/apps", ".registry-list > li"),
    "App": (f"/app?app={SHOP}", "h1"),
    "Schedules": ("/schedules", ".calendar"),
    "Releases": ("/releases", "h1"),
    "Events": ("/events", "[data-part=list] > *"),
    "Check a file": ("/validate", "h1"),
}

WATCH = """selector => {
    const isVisible = (element) => element.checkVisibility();
    const look = () => {
        const isShown = [...document.querySelectorAll(selector)].some(isVisible);
        const isLoading = [...document.querySelectorAll(".loading")].some(isVisible);
        // The next frame shows it.
        if (isShown && !isLoading) requestAnimationFrame(() => (window.shownAt = performance.now()));
        else requestAnimationFrame(look);
    };
    look();
}"""

COST = """() => {
    const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    const sum = (name) => all.reduce((total, one) => total + one[name], 0);
    return { requests: all.length, bytes: sum("decodedBodySize"), wire: sum("transferSize") };
}"""

# From a key to the frame after the verdict has changed.
KEYS = """watched => {
    let pressedAt = null;
    window.waits = [];
    document.addEventListener("keydown", () => (pressedAt = performance.now()), true);
    new MutationObserver(() => {
        const from = pressedAt;
        pressedAt = null;
        if (from !== null) requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - from)));
    }).observe(document.querySelector(watched), { childList: true, characterData: true, subtree: true });
}"""


class SlowNetwork:
    """A proxy on a port of this machine, whose latency, in seconds, can change."""

    def __init__(self, target):
        self.target, self.latency, self.port = target, 0.0, free_port()
        self.loop = asyncio.new_event_loop()
        started = threading.Event()

        def run():
            asyncio.set_event_loop(self.loop)
            self.loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", self.port))
            started.set()
            self.loop.run_forever()

        threading.Thread(target=run, daemon=True).start()
        started.wait()

    async def _accept(self, reader, writer):
        opened = self.loop.time()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return writer.close()
        await asyncio.gather(
            self._carry(reader, far_writer, earliest=opened + 1.5 * self.latency), self._carry(far_reader, writer)
        )

    async def _carry(self, reader, writer, earliest=0.0):
        """Each piece arrives half the latency after it was sent, however many are on their way."""
        pieces = asyncio.Queue()

        async def deliver():
            while piece := await pieces.get():
                due, data = piece
                await asyncio.sleep(max(0.0, due - self.loop.time()))
                writer.write(data)
                await writer.drain()
            writer.close()

        delivering = asyncio.ensure_future(deliver())
        try:
            while data := await reader.read(65_536):
                await pieces.put((max(earliest, self.loop.time() + self.latency / 2), data))
        except OSError:
            pass
        await pieces.put(None)
        await asyncio.gather(delivering, return_exceptions=True)


def seed(waymark, cluster):
    waymark.api("POST", "/v1/teams", {"teamID": "TESTTEAM01", "name": "Example Ltd"})
    for app, name in ((SHOP, "Shop"), (HELP, "Help")):
        waymark.api("POST", "/v1/apps", {"teamID": "TESTTEAM01", "bundleID": app[11:], "name": name})
    copied = waymark.new_domain(draft(([SHOP], [rule("/copied")])), host="copied.example")
    copy_draft(cluster, copied, DOMAINS - 2)
    rules = [rule(f"/campaign-{number}") for number in range(RULES)]
    host = waymark.new_domain(draft(([SHOP], rules)), host=HOST)
    waymark.api("POST", f"/v1/domains/{host}/tests", {"url": "/campaign-7", "expected": {"outcome": "opens", "app": SHOP}})
    waymark.cli("domain", "verify", "--organization", waymark.organization, host)
    waymark.publish(host)

    def checked():
        body = waymark.api("GET", "/v1/domains?limit=1&counts=true").json()
        return (body["items"][0]["checks"] or {}).get("current")

    eventually(checked, seconds=300, what="the checks of the drafts")


class Browser:
    def __init__(self, playwright, waymark, network):
        self.browser = playwright.chromium.launch(args=["--no-sandbox", "--disable-gpu"], executable_path=chromium())
        self.url = f"http://127.0.0.1:{network.port}"
        self.waymark = waymark
        self.cookies = [{"name": n, "value": v, "url": self.url} for n, v in waymark.sign_in().items()]

    def context(self):
        context = self.browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_cookies(self.cookies)
        return context

    def load(self, context, path, selector):
        """Milliseconds to the first paint with content, and to the main content."""
        page = context.new_page()
        page.add_init_script(f"({WATCH})({selector!r})")
        page.goto(self.address(path), wait_until="commit")
        page.wait_for_function("window.shownAt", timeout=60_000)
        page.wait_for_timeout(300)
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null")
        return page, paint, page.evaluate("window.shownAt")

    def address(self, path):
        return f"{self.url}{path}{'&' if '?' in path else '?'}organization={self.waymark.organization}"


def chromium():
    import shutil

    return next(filter(None, map(shutil.which, ["chromium-headless-shell", "chromium", "google-chrome"])))


def loads(browser, network, rounds, latencies):
    """Rows of the first table: for each page its cost, and the times at each latency, cold and warm."""
    for name, (path, selector) in PAGES.items():
        network.latency = 0
        with browser.context() as context:
            page, *_ = browser.load(context, path, selector)
            page.wait_for_timeout(1_500)
            cost = page.evaluate(COST)
        cells = [name, cost["requests"], f"{cost['bytes'] / 1000:.0f}", f"{cost['wire'] / 1000:.0f}"]
        for latency in latencies:
            network.latency = latency / 1000
            cold, warm = [], []
            for _ in range(rounds):
                with browser.context() as context:
                    for times in (cold, warm):
                        page, paint, shown = browser.load(context, path, selector)
                        times.append((paint or shown, shown))
                        page.close()
            cells += [" / ".join(f"{statistics.median(column):.0f}" for column in zip(*times)) for times in (cold, warm)]
        yield cells


def keys(browser, network, count):
    """Rows of the second table: from a key to the painted verdict."""
    network.latency = 0
    with browser.context() as context:
        page, *_ = browser.load(context, *PAGES["Domain: rules"])
        tester = page.get_by_role("textbox", name="URLs, one per line")
        tester.fill("/campaign-1")
        yield "tester", typed(page, tester, "[data-part=tester] [data-part=verdict]", "2", count)
        tester.fill("/other-1")
        page.get_by_role("button", name="Edit rule 100,").click()
        path = page.get_by_role("textbox", name="Path", exact=True)
        path.fill("/other-")
        yield "form of a rule", typed(page, path, ".rule-outcome", "1", count)


def typed(page, field, watched, key, count):
    """Types a key and deletes it again, each of which changes the verdict."""
    page.wait_for_timeout(1_000)
    field.press("End")
    page.evaluate(KEYS, watched)
    for number in range(count):
        field.press(key if number % 2 == 0 else "Backspace")
        page.wait_for_timeout(180)
    waits = sorted(page.evaluate("window.waits"))
    return f"{statistics.median(waits):.0f} ms", f"{waits[int(len(waits) * 0.95)]:.0f} ms", f"{len(waits)} of {count}"


def table(head, rows):
    print("|" + "|".join(f" {cell} " for cell in head) + "|\n|" + "---|" * len(head))
    for row in rows:
        print("|" + "|".join(f" {cell} " for cell in row) + "|", flush=True)
    print()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--keys", type=int, default=100)
    arguments.add_argument("--latencies", type=int, nargs="*", default=[0, 50, 150])
    options = arguments.parse_args()
    with installed_on_cluster() as (waymark, cluster), sync_playwright() as playwright:
        seed(waymark, cluster)
        network = SlowNetwork(int(waymark.url.rpartition(":")[2]))
        browser = Browser(playwright, waymark, network)
        head = ["page", "requests", "KB", "KB on the wire"]
        head += [f"{kind}, {latency} ms" for latency in options.latencies for kind in ("cold", "warm")]
        table(["key in the", "median", "95 %", "measured"], ([name, *row] for name, row in keys(browser, network, options.keys)))
        table(head, loads(browser, network, options.rounds, options.latencies))


main()
