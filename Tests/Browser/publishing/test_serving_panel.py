"""The panel "Serving": which consumers have the live file, and its fetches, as they happen."""

import re
import time

import httpx
import pytest
from playwright.sync_api import expect

from dashboard import SHOP, draft, rule


def report(waymark, **fields):
    secret = (waymark.state / "consumer-secret").read_text().strip()
    body = {
        "consumer": "amsterdam", "kind": "directory", "process": "one", "sequence": 1, "activation": 0, "hosts": 0,
        "held": [], "heldCount": 0, "fetches": [],
    }
    answer = httpx.post(
        f"{waymark.url}/internal/reports",
        json=body | fields,
        headers={"Authorization": f"Bearer {secret}"},
        verify=False,
    )
    assert answer.status_code == 204, answer.text


@pytest.fixture
def panel(dashboard):
    return dashboard.page.get_by_role("region", name="Serving")


def test_the_panel_says_that_nothing_is_live(waymark, dashboard, panel, apps):
    host = waymark.new_domain(draft(([SHOP], [rule("/*")])))
    dashboard.open_domain(host, "serving")
    expect(panel).to_contain_text("Nothing is live, so nothing is served.")
    expect(panel.get_by_role("heading", name="Fetches")).to_be_hidden()


def test_the_panel_shows_a_publication_reaching_each_consumer(waymark, dashboard, panel, published):
    activation = waymark.api("GET", f"/v1/domains/{published}").json()["live"]["activation"]
    number = int(time.time())
    report(waymark, sequence=number, activation=activation)
    waymark.put_draft(published, draft(([SHOP], [rule("/new/*")])))
    dashboard.open_domain(published, "serving")
    expect(panel.get_by_role("listitem").filter(has_text="amsterdam")).to_contain_text("Serves version 1")
    waymark.publish(published)
    late = panel.get_by_role("listitem").filter(has_text="amsterdam")
    expect(late).to_contain_text("behind")
    expect(late).to_contain_text("Serves version 1")
    expect(late).to_contain_text("not yet at the live version")
    expect(panel.get_by_role("listitem").filter(has_text="-edge")).to_contain_text("Serves version 2")
    expect(panel).to_contain_text(re.compile(r"Version 2 has reached \d+ of \d+ edges and directories"))
    live = waymark.api("GET", f"/v1/domains/{published}").json()["live"]["activation"]
    report(waymark, sequence=number + 1, activation=live)
    expect(late).to_contain_text("Serves version 2")


def test_fetches_are_listed_in_words(waymark, dashboard, panel, published):
    now = int(time.time())
    rows = [
        {"version": 1, "client": "appleCDN", "count": 1_234, "last": now - 3 * 3_600},
        {"version": 1, "client": "device", "count": 1, "last": now - 120},
    ]
    report(
        waymark,
        process="fetches",
        sequence=now,
        fetches=[{"host": published, "first": row["last"] - 60, **row} for row in rows],
    )
    dashboard.open_domain(published, "serving")
    items = panel.get_by_role("list").last.get_by_role("listitem")
    apple = items.filter(has_text=re.compile("Apple’s CDN: version 1, 1,234 times, last 3 hr ago"))
    expect(apple).to_have_count(1)
    expect(items.filter(has_text=re.compile("A device: version 1, once, last 2 min ago"))).to_have_count(1)


def test_the_problem_of_a_consumer_is_shown_until_it_ends(waymark, dashboard, panel, published):
    activation = waymark.api("GET", f"/v1/domains/{published}").json()["live"]["activation"]
    full = "the disk is full: No space left on device"
    report(waymark, consumer="zurich", activation=activation - 1, trouble=full)
    dashboard.open_domain(published, "serving")
    zurich = panel.get_by_role("listitem").filter(has_text="zurich")
    expect(zurich).to_contain_text(re.compile(f"Problem since just now · .*: {full}"))
    report(waymark, consumer="zurich", sequence=2, activation=activation)
    expect(zurich).to_contain_text("Serves version 1")
    expect(zurich.get_by_text("Problem")).to_be_hidden()
